import { describe, expect, test } from 'vitest'
import { ListInboxThreads, ReadInboxThread } from '#lib/contracts/inbox/inbox'
import { ReplyInInbox } from '#lib/contracts/inbox/inbox-answers'
import { AddSuppressions } from '#lib/contracts/leads/suppressions'
import { SendSocialMessage } from '#lib/contracts/social/social-messages'
import { db } from '#lib/db/client'
import { recordSocialMessage } from '#lib/services/inbox/social-messages'
import { call } from '#tests/support/call'
import { anAccount, anEnrolledLead, aUser } from '#tests/support/scenes/factories'

// With a sandbox, its driver serves the accounts of this file.
process.env.SANDBOX_SMTP_PORT = '1'

const GRACE = 'https://t.me/Grace-Hopper/?x=1'

/** We wrote to somebody on Telegram. */
async function written() {
  const owner = await aUser()
  const account = await anAccount(owner, { provider: 'telegram', kind: 'free' })
  const write = async (to: { chat_id?: string; provider_id?: string; identifier?: string }, text = 'Hello') =>
    (await call(SendSocialMessage, { as: owner, body: { account_id: account.account_id, text, ...to } })).body
  const { data, error } = await write({ identifier: GRACE })
  if (error) throw new Error(error)
  const chat_id = data?.chat_id ?? ''
  const [thread] = (await call(ListInboxThreads, { as: owner })).body.items
  const params = { thread_id: thread?.thread_id ?? '' }
  const { social_provider_id } = await db.thread.findUniqueOrThrow({ where: params })
  const list = (value: string, as = owner) => call(AddSuppressions, { as, body: { value } })
  return { owner, account, write, chat_id, params, provider_id: social_provider_id ?? '', list }
}
type Scene = Awaited<ReturnType<typeof written>>

const answer = ({ owner, params }: Scene) => call(ReplyInInbox, { as: owner, params, body: { text: 'Sure' } })
const read = async ({ owner, params }: Scene) => (await call(ReadInboxThread, { as: owner, params })).body
const outgoing = ({ account }: Scene) =>
  db.sandboxChatMessage.count({
    where: { provider_account_id: account.provider_account_id, direction: 'out' },
  })
const wroteBack = ({ account, chat_id, provider_id }: Scene) =>
  recordSocialMessage(
    account,
    {
      message_id: crypto.randomUUID(),
      chat_id,
      direction: 'in',
      provider_id,
      sender_name: 'Grace Hopper',
      text: 'Please do not write to me again. What was it about?',
      at: new Date(),
    },
    new Date(),
  )

describe('somebody on the suppression list', () => {
  test('who wrote in a chat is answered there, and whoever answers is told', async () => {
    const scene = await written()
    await wroteBack(scene)
    expect(await read(scene)).toMatchObject({ suppression: null, may_answer: true })
    await scene.list('t.me/grace-hopper')
    expect(await read(scene)).toMatchObject({
      suppression: { value: 't.me/grace-hopper', reason: 'manual' },
      may_answer: true,
      why_not: null,
    })
    expect((await answer(scene)).status).toBe(201)
    expect((await scene.write({ chat_id: scene.chat_id })).success).toBe(true)
    expect((await scene.write({ identifier: 'grace-hopper' })).success).toBe(true)
    expect(await outgoing(scene)).toBe(4)
  })

  test('who never wrote is not written to again, by whatever they are named', async () => {
    const scene = await written()
    await scene.list('t.me/grace-hopper')
    const { status, error } = await answer(scene)
    expect([status, error.detail]).toEqual([409, 'address_suppressed'])
    expect(await read(scene)).toMatchObject({
      may_answer: false,
      why_not: 't.me/grace-hopper is on the suppression list (manual).',
    })
    const { chat_id, provider_id } = scene
    for (const to of [{ chat_id }, { provider_id }, { identifier: GRACE }, { identifier: 'grace-hopper' }])
      expect(await scene.write(to)).toEqual({
        success: false,
        data: null,
        error: 't.me/grace-hopper is on the suppression list (manual).',
      })
    expect(await outgoing(scene)).toBe(1)
    expect((await scene.write({ identifier: 'alan-turing' })).success).toBe(true)
  })

  test.each([
    ['the address of their lead', 'address'],
    ['its domain', 'domain'],
    ['the telephone number of their row', 'phone'],
  ] as const)('is known by %s too', async (_name, by) => {
    const scene = await written()
    const { campaign_lead_id, dataset_id, lead_index } = await anEnrolledLead(scene.owner)
    const { email } = await db.campaignLead.update({
      where: { campaign_lead_id },
      data: { connected_account_id: scene.account.account_id, social_provider_id: scene.provider_id },
    })
    const address = email ?? ''
    const listed = { address, domain: address.slice(address.indexOf('@')), phone: '+49 170 1234567' }[by]
    if (by === 'phone')
      await db.datasetRow.update({
        where: { dataset_id_lead_index: { dataset_id, lead_index } },
        data: { data: { phone: '0170 1234567', country: 'Germany' } },
      })
    expect((await scene.write({ chat_id: scene.chat_id })).success).toBe(true)
    await scene.list(listed)
    expect((await answer(scene)).error.detail).toBe('address_suppressed')
    expect((await scene.write({ provider_id: scene.provider_id })).success).toBe(false)
  })

  test('is so in their own workspace only', async () => {
    const scene = await written()
    await scene.list('t.me/grace-hopper', await aUser())
    expect((await answer(scene)).status).toBe(201)
    expect(await read(scene)).toMatchObject({ suppression: null, may_answer: true })
  })
})
