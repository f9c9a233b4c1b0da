import { expect, test } from 'vitest'
import { ForwardInInbox } from '#lib/contracts/inbox/forward'
import { ReadInboxMessages, ReadInboxThread } from '#lib/contracts/inbox/inbox'
import { ReplyInInbox } from '#lib/contracts/inbox/inbox-answers'
import { ReadInboxDrafts } from '#lib/contracts/inbox/inbox-drafts'
import { AddSuppressions } from '#lib/contracts/leads/suppressions'
import { db } from '#lib/db/client'
import { answersRound } from '#lib/services/inbox/planned/round'
import { call } from '#tests/support/call'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { answered, sink } from '#tests/support/scenes/inbox'

const PROFILE = 'linkedin.com/in/ada'
const NUMBER = '+49301234567'

/** A conversation whose lead's row contains more than the address. */
async function named(cells: Record<string, string>) {
  const scene = await answered()
  const { thread, owner } = scene
  const lead = await db.campaignLead.findUniqueOrThrow({
    where: { campaign_lead_id: thread.campaign_lead_id ?? '' },
  })
  const { dataset_id, lead_index } = lead
  const where = { dataset_id_lead_index: { dataset_id, lead_index } }
  const { data } = await db.datasetRow.findUniqueOrThrow({ where })
  await db.datasetRow.update({ where, data: { data: { ...Object(data), ...cells } } })
  const list = (value: string) => call(AddSuppressions, { as: owner, body: { value } })
  const answer = (body: object = {}) =>
    call(ReplyInInbox, { as: owner, params: scene.params, body: { text: 'But …', ...body } })
  return { ...scene, list, answer }
}

test.each([
  [PROFILE, { linkedin: 'https://www.linkedin.com/in/Ada/' }],
  [NUMBER, { phone: '030 1234567', country: 'Germany' }],
])(
  'no email goes to a person whom the list names as %s, and the conversation says so',
  async (value, cells) => {
    const scene = await named(cells)
    const { owner, params, list, answer } = scene
    expect((await call(ReadInboxThread, { as: owner, params })).body).toMatchObject({
      suppression: null,
      may_answer: true,
    })
    await list(value)
    const before = sink.messages.length
    const { status, error } = await answer()
    expect([status, error.detail]).toEqual([409, 'address_suppressed'])
    expect(sink.messages).toHaveLength(before)
    expect((await call(ReadInboxThread, { as: owner, params })).body).toMatchObject({
      suppression: { value, reason: 'manual' },
      may_answer: false,
      why_not: `${value} is on the suppression list (manual).`,
    })
  },
)

test('who writes from another address is still the person of the lead', async () => {
  const { params, thread, list, answer } = await named({ linkedin: PROFILE })
  await db.thread.update({
    where: params,
    data: { counterpart_address: `other-${thread.thread_id}@lead.test` },
  })
  await list(PROFILE)
  expect((await answer()).status).toBe(409)
})

test('an answer for later stays a draft where its person was named meanwhile', async () => {
  const { owner, params, list, answer } = await named({ linkedin: PROFILE })
  const later = await answer({ send_at: new Date(Date.now() + 60_000).toISOString() })
  expect(later.body.delivery_status).toBe('scheduled')
  await list(PROFILE)
  const { provider, outbox } = memoryMail()
  await answersRound(new Date(Date.now() + 120_000), provider)
  expect(outbox.filter(({ text }) => text.startsWith('But …'))).toEqual([])
  expect((await call(ReadInboxDrafts, { as: owner, params })).body.drafts).toMatchObject([
    { send_at: null, stopped: `${PROFILE} is on the suppression list (manual).` },
  ])
})

test('neither a copy nor a forward goes to somebody whom another list knows by profile', async () => {
  const { owner, params, list, answer } = await named({})
  const { workspace_id } = owner
  await db.person.create({ data: { workspace_id, email: 'bob@own.test', profile: 'linkedin:bob' } })
  await list('linkedin.com/in/bob')
  const before = sink.messages.length
  const copied = await answer({ cc: ['bob@own.test'] })
  expect(copied.status).toBe(422)
  expect(JSON.stringify(copied.error)).toContain(
    '"loc":["body","cc"],"msg":"bob@own.test is on the suppression list as linkedin.com/in/bob (manual)."',
  )
  const { messages } = (await call(ReadInboxMessages, { as: owner, params })).body
  const inbox_message_id = messages.find(({ direction }) => direction === 'in')?.inbox_message_id ?? ''
  const forwarded = await call(ForwardInInbox, {
    as: owner,
    params: { ...params, inbox_message_id },
    body: { to: 'Bob@own.test' },
  })
  expect(forwarded.status).toBe(422)
  expect(JSON.stringify(forwarded.error)).toContain(
    'linkedin.com/in/bob is on the suppression list (manual).',
  )
  expect(sink.messages).toHaveLength(before)
})

test('who was merged into somebody whom the list names is that person', async () => {
  const { owner, thread, list, answer } = await named({})
  const { workspace_id } = owner
  const { person_id } = await db.person.create({ data: { workspace_id, profile: 'linkedin:grace' } })
  await db.person.updateMany({
    where: { workspace_id, email: thread.counterpart_address },
    data: { merged_into_id: person_id },
  })
  await list('linkedin.com/in/grace')
  expect((await answer()).status).toBe(409)
})

test('entries of another workspace, and of somebody else, keep nobody from being answered', async () => {
  const [one, other] = [await named({ linkedin: PROFILE }), await named({})]
  await other.list(PROFILE)
  await one.list('linkedin.com/in/ada-lovelace')
  expect((await one.answer()).status).toBe(201)
  expect((await other.answer()).status).toBe(201)
})
