import { describe, expect, test } from 'vitest'
import { ReadInboxMessages, ReadInboxThread } from '#lib/contracts/inbox/inbox'
import { ReplyInInbox } from '#lib/contracts/inbox/inbox-answers'
import { CreateInboxDraft, ReadInboxDrafts, UpdateInboxDraft } from '#lib/contracts/inbox/inbox-drafts'
import { AddSuppressions } from '#lib/contracts/leads/suppressions'
import { db } from '#lib/db/client'
import { answersRound } from '#lib/services/inbox/planned/round'
import { call } from '#tests/support/call'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { arrive, bounceOf, complaintOf, replyTo } from '#tests/support/scenes/arrivals'
import { answered, sink } from '#tests/support/scenes/inbox'
import { minutes } from '#tests/support/scenes/launched'

const COPIES = { cc: ['bob@lead.test'], bcc: ['crm@own.test'] }

/** The same reply, with CC recipients. */
async function copied() {
  const made = await answered()
  const { owner, params } = made
  const before = sink.messages.length
  const { status, body } = await call(ReplyInInbox, {
    as: owner,
    params,
    body: { text: 'Hello all', ...COPIES },
  })
  return { ...made, status, body, left: sink.messages.slice(before) }
}

describe('an answer with copies', () => {
  test('is one mail to all, names its Cc, and stands so in the conversation', async () => {
    const { owner, params, thread, status, body, left } = await copied()
    expect([status, body.delivery_status, body.cc, body.bcc]).toEqual([201, 'sent', COPIES.cc, COPIES.bcc])
    expect(left).toHaveLength(1)
    expect(left[0]?.to).toEqual([thread.counterpart_address, 'bob@lead.test', 'crm@own.test'])
    expect(left[0]?.raw).toMatch(/^Cc: bob@lead\.test\r$/m)
    expect(left[0]?.raw).not.toContain('crm@own.test')
    const { messages } = (await call(ReadInboxMessages, { as: owner, params })).body
    expect(messages.at(-1)).toMatchObject({ ...COPIES, text: 'Hello all' })
    expect(messages.at(-1)?.recipients.map(({ address }) => address)).toEqual([
      thread.counterpart_address,
      'bob@lead.test',
    ])
  })

  test('is refused by the name of the field where one of them is suppressed, and nothing is sent', async () => {
    const { owner, params } = await answered()
    await call(AddSuppressions, { as: owner, body: { value: 'bob@lead.test', reason: 'unsubscribe' } })
    await call(AddSuppressions, { as: owner, body: { value: '@own.test', reason: 'manual' } })
    const before = sink.messages.length
    const { status, error } = await call(ReplyInInbox, {
      as: owner,
      params,
      body: { text: 'Hello', ...COPIES },
    })
    expect(status).toBe(422)
    expect(JSON.stringify(error)).toContain(
      '"loc":["body","cc"],"msg":"bob@lead.test is on the suppression list (unsubscribe)."',
    )
    expect(JSON.stringify(error)).toContain(
      '"loc":["body","bcc"],"msg":"crm@own.test is on the suppression list (manual)."',
    )
    expect(sink.messages).toHaveLength(before)
    expect(await db.inboxMessage.count({ where: { ...params, kind: 'answer' } })).toBe(0)
  })

  test.each([[{ cc: ['nobody'] }], [{ bcc: Array.from({ length: 21 }, (_, i) => `a${i}@x.test`) }]])(
    'is refused with %j',
    async (copies) => {
      const { owner, params } = await answered()
      expect(
        (await call(ReplyInInbox, { as: owner, params, body: { text: 'Hello', ...copies } })).status,
      ).toBe(422)
    },
  )

  test('whose time comes later has them too, and stops where one was suppressed meanwhile', async () => {
    const { owner, params } = await answered()
    const send_at = new Date(Date.now() + 60_000).toISOString()
    const later = (text: string, copies: object) =>
      call(ReplyInInbox, { as: owner, params, body: { text, send_at, ...copies } })
    expect((await later('One', COPIES)).body).toMatchObject({ delivery_status: 'scheduled', ...COPIES })
    await call(AddSuppressions, { as: owner, body: { value: 'eve@lead.test', reason: 'manual' } })
    const { draft_id } = await db.inboxDraft.findFirstOrThrow({ where: params })
    const { provider, outbox } = memoryMail()
    await answersRound(new Date(Date.now() + 120_000), provider)
    const own = outbox.filter(({ text }) => text.startsWith('One'))
    expect(own.map(({ cc, bcc }) => [cc, bcc])).toEqual([
      [[{ name: null, address: 'bob@lead.test' }], [{ name: null, address: 'crm@own.test' }]],
    ])
    expect(await db.inboxDraft.count({ where: { draft_id } })).toBe(0)

    const kept = (await call(CreateInboxDraft, { as: owner, params, body: { text: 'Two', ...COPIES } })).body
    expect(kept).toMatchObject(COPIES)
    const named = { ...params, draft_id: kept.draft_id }
    const changed = await call(UpdateInboxDraft, {
      as: owner,
      params: named,
      body: { cc: ['ida@lead.test'], bcc: [] },
    })
    expect(changed.body).toMatchObject({ cc: ['ida@lead.test'], bcc: [], text: 'Two' })
    await call(UpdateInboxDraft, { as: owner, params: named, body: { send_at, last_message_id: null } })
    await call(AddSuppressions, { as: owner, body: { value: 'ida@lead.test', reason: 'complaint' } })
    await answersRound(new Date(Date.now() + 120_000), provider)
    expect(outbox.filter(({ text }) => text.startsWith('Two'))).toEqual([])
    const { drafts } = (await call(ReadInboxDrafts, { as: owner, params })).body
    expect(drafts).toMatchObject([
      { send_at: null, stopped: 'ida@lead.test is on the suppression list (complaint).' },
    ])
  })
})

describe('what comes back', () => {
  test('of a copy is not about the lead', async () => {
    const { mailbox, mail, campaign_id, owner, params } = await copied()
    const answer = await db.inboxMessage.findFirstOrThrow({ where: { ...params, kind: 'answer' } })
    const to = (address: string) => ({ ...mail, to: { address }, message_id: answer.message_id ?? '' })
    await arrive(mailbox, bounceOf(to('bob@lead.test'), '5.1.1'), minutes(50))
    await arrive(mailbox, bounceOf(to('crm@own.test'), '5.1.1'), minutes(51))
    const lead = () => db.campaignLead.findFirstOrThrow({ where: { campaign_id, email: mail.to.address } })
    expect((await lead()).status).toBe('replied')
    // A repeated bounce is reported once.
    await arrive(mailbox, bounceOf(to('bob@lead.test'), '5.1.1'), minutes(51))
    const { messages } = (await call(ReadInboxMessages, { as: owner, params })).body
    const { response } = messages.find(({ kind }) => kind === 'answer') ?? {}
    expect(response?.match(/Not taken for \S+ 550 said no/g)).toEqual([
      'Not taken for bob@lead.test: 550 said no',
      'Not taken for crm@own.test: 550 said no',
    ])
    expect(await db.suppression.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
    // A bounce of the lead's own address suppresses it.
    await arrive(mailbox, bounceOf(to(mail.to.address), '5.1.1'), minutes(52))
    expect(await db.suppression.findFirst({ where: { workspace_id: owner.workspace_id } })).toMatchObject({
      value: mail.to.address,
    })
  })

  test('as a complaint that names nobody is of the lead still', async () => {
    const { mailbox, mail, owner } = await copied()
    await arrive(mailbox, complaintOf(mail), minutes(50))
    expect(await db.suppression.count({ where: { workspace_id: owner.workspace_id } })).toBe(1)
  })
})

test('an answer to all copies whoever the latest message went to, but neither its writer nor oneself', async () => {
  const { owner, params, mail, mailbox } = await answered()
  expect((await call(ReadInboxThread, { as: owner, params })).body.others).toEqual([])
  await db.mailbox.update({
    where: { mailbox_id: mailbox.mailbox_id },
    data: { reply_to: 'answers@own.test' },
  })
  const wide = replyTo(mail, 'With Bob.').replace(
    /^To: .*$/m,
    `To: <answers@own.test>, "Bob" <bob@lead.test>, <${mailbox.address.replace('@', '+x@')}>\nCc: <${mail.to.address}>, eve@lead.test`,
  )
  await arrive(mailbox, wide, minutes(45))
  const { others } = (await call(ReadInboxThread, { as: owner, params })).body
  expect(others).toEqual([
    { name: 'Bob', address: 'bob@lead.test' },
    { name: null, address: 'eve@lead.test' },
  ])
  const { messages } = (await call(ReadInboxMessages, { as: owner, params })).body
  expect(messages.at(-1)?.cc).toEqual([mail.to.address, 'eve@lead.test'])
})
