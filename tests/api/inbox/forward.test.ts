import { simpleParser } from 'mailparser'
import { describe, expect, test } from 'vitest'
import { ForwardInInbox } from '#lib/contracts/inbox/forward'
import { ListInboxThreads, ReadInboxMessages, ReadInboxThread } from '#lib/contracts/inbox/inbox'
import { ReplyInInbox } from '#lib/contracts/inbox/inbox-answers'
import { AddSuppressions } from '#lib/contracts/leads/suppressions'
import { db } from '#lib/db/client'
import { forwardInInbox } from '#lib/services/inbox/written/forward'
import { call } from '#tests/support/call'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { arrive, bounceOf } from '#tests/support/scenes/arrivals'
import { answered, sink } from '#tests/support/scenes/inbox'
import { minutes } from '#tests/support/scenes/launched'

const PDF = Buffer.from('%PDF-1.7 \u0000\u0001 an offer')

/** A reply with a file that quotes the unsubscribe link of our mail. */
async function withFile() {
  const made = await answered()
  const { mail, mailbox, owner, params } = made
  const token = /\bu1\.[A-Za-z0-9_-]{64}/.exec(mail.text)?.[0] ?? ''
  const raw = `From: "Ada Quinn" <${mail.to.address}>\nTo: <${mailbox.address}>\nSubject: Re: ${mail.subject}\nIn-Reply-To: ${mail.message_id}\nMessage-ID: <with-file-${Math.random()}@lead.test>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nHere is our offer.\n\n> https://own.test/unsubscribe/${token}\n\n--b\nContent-Type: application/pdf\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="Offer.pdf"\n\n${PDF.toString('base64')}\n--b--\n`
  await arrive(mailbox, raw, minutes(45))
  const latest = (await call(ReadInboxMessages, { as: owner, params })).body.messages.at(-1)
  if (!latest?.inbox_message_id) throw new Error('it did not come in')
  return { ...made, token, latest, which: { ...params, inbox_message_id: latest.inbox_message_id } }
}

describe('a message that is forwarded', () => {
  test('leaves with what is said about it, what it says, and its file, to whom it is sent alone', async () => {
    const { owner, mailbox, which, params, latest, token, mail } = await withFile()
    expect([latest.attachments_kept, token]).toEqual([true, expect.stringMatching(/^u1\./)])
    const before = sink.messages.length
    const body = { to: 'Bob@Own.test', cc: ['eve@own.test'], text: 'What do you say?' }
    const { status, body: sent } = await call(ForwardInInbox, { as: owner, params: which, body })
    expect([status, sent.kind, sent.delivery_status, sent.cc]).toEqual([
      201,
      'forward',
      'sent',
      ['eve@own.test'],
    ])
    const [left, another] = sink.messages.slice(before)
    expect([left?.from, left?.to, another]).toEqual([
      mailbox.address,
      ['bob@own.test', 'eve@own.test'],
      undefined,
    ])
    const read = await simpleParser(Buffer.from(left?.raw ?? '', 'latin1'))
    expect(read.subject).toBe(`Fwd: Re: ${mail.subject}`)
    expect([read.inReplyTo, read.references]).toEqual([undefined, undefined])
    expect(read.text).toMatch(
      /^What do you say\?\n\n-+ Forwarded message -+\nFrom: Ada Quinn <.+>\nDate: Monday,? 2 March 2026.+\nSubject: .+\nTo: .+\n\nHere is our offer\.\n\n> \[unsubscribe link\]/,
    )
    expect(left?.raw).not.toContain(token)
    expect(read.attachments.map(({ filename, content }) => [filename, content])).toEqual([['Offer.pdf', PDF]])
    const { messages } = (await call(ReadInboxMessages, { as: owner, params })).body
    expect(messages.at(-1)).toMatchObject({ kind: 'forward', attachments: [{ filename: 'Offer.pdf' }] })
  })

  test('is no answer: they still wait for one, and whoever answers is not told of it as news', async () => {
    const { owner, which, params } = await withFile()
    const was = (await call(ReadInboxThread, { as: owner, params })).body
    await call(ForwardInInbox, { as: owner, params: which, body: { to: 'bob@own.test' } })
    const is = (await call(ReadInboxThread, { as: owner, params })).body
    expect([is.last_kind, is.last_message_id]).toEqual([was.last_kind, was.last_message_id])
    const { items } = (await call(ListInboxThreads, { as: owner, query: { folder: 'needs_answer' } })).body
    expect(items).toHaveLength(1)
    const before = sink.messages.length
    const answer = { text: 'Thanks', last_message_id: was.last_message_id }
    expect((await call(ReplyInInbox, { as: owner, params, body: answer })).status).toBe(201)
    const forward = await db.inboxMessage.findFirstOrThrow({ where: { ...params, kind: 'forward' } })
    expect(sink.messages[before]?.raw).not.toContain(forward.message_id)
  })

  test('what comes back to it is not the lead’s', async () => {
    const { owner, which, params, mailbox } = await withFile()
    await call(ForwardInInbox, { as: owner, params: which, body: { to: 'bob@own.test' } })
    const { message_id } = await db.inboxMessage.findFirstOrThrow({ where: { ...params, kind: 'forward' } })
    const count = await db.inboxMessage.count({ where: params })
    const back = `From: <bob@own.test>\nTo: <${mailbox.address}>\nSubject: Re: Fwd\nIn-Reply-To: ${message_id}\nReferences: ${message_id}\nMessage-ID: <bob-${Math.random()}@own.test>\n\nLooks good.\n`
    expect(await arrive(mailbox, back, minutes(60))).toMatchObject({ kind: 'unrelated' })
    expect(await db.inboxMessage.count({ where: params })).toBe(count)
  })

  test('that comes back says so, and is no bounce of the lead', async () => {
    const { owner, which, params, mailbox, mail, campaign_id } = await withFile()
    await call(ForwardInInbox, { as: owner, params: which, body: { to: 'bob@own.test' } })
    const forward = await db.inboxMessage.findFirstOrThrow({ where: { ...params, kind: 'forward' } })
    const report = { ...mail, to: { address: 'bob@own.test' }, message_id: forward.message_id ?? '' }
    await arrive(mailbox, bounceOf(report, '5.1.1'), minutes(60))
    const { messages } = (await call(ReadInboxMessages, { as: owner, params })).body
    expect(messages.at(-1)?.response).toContain('Not taken for bob@own.test: 550 said no')
    const lead = await db.campaignLead.findFirstOrThrow({ where: { campaign_id, email: mail.to.address } })
    expect(lead.status).toBe('replied')
  })

  test('has no file where the mail was not kept, and says so', async () => {
    const { owner, which, params } = await withFile()
    await db.inboundMessage.updateMany({ where: { workspace_id: owner.workspace_id }, data: { raw: null } })
    const { messages } = (await call(ReadInboxMessages, { as: owner, params })).body
    expect(messages.at(-1)?.attachments_kept).toBe(false)
    const before = sink.messages.length
    await call(ForwardInInbox, { as: owner, params: which, body: { to: 'bob@own.test' } })
    expect(sink.messages[before]?.raw).not.toContain('Offer.pdf')
  })

  test('of which nobody knows whether it left is uncertain, and sent once', async () => {
    const { owner, which } = await withFile()
    const { provider, outbox } = memoryMail(() => ({ outcome: 'unknown', error: 'The connection broke.' }))
    const body = { to: 'bob@own.test', text: '' }
    const sent = await forwardInInbox(owner, which, body, minutes(60), provider)
    expect([sent.delivery_status, outbox.length]).toEqual(['uncertain', 1])
  })
})

describe('nothing is forwarded', () => {
  test.each([
    ['to', { to: 'bob@own.test', cc: ['eve@lead.test'] }],
    ['cc', { to: 'eve@lead.test', cc: ['bob@own.test'] }],
  ])('to a suppressed address, which is named by its field: %s', async (field, body) => {
    const { owner, which } = await withFile()
    await call(AddSuppressions, { as: owner, body: { value: '@own.test', reason: 'manual' } })
    const before = sink.messages.length
    const { status, error } = await call(ForwardInInbox, { as: owner, params: which, body })
    expect(status).toBe(422)
    expect(JSON.stringify(error)).toContain(`"loc":["body","${field}"]`)
    expect(sink.messages).toHaveLength(before)
  })

  test('out of a chat, out of another conversation, or without its mailbox', async () => {
    const [one, other] = [await withFile(), await withFile()]
    const body = { to: 'bob@own.test' }
    const forward = (params: typeof one.which) => call(ForwardInInbox, { as: one.owner, params, body })
    expect((await forward({ ...one.which, inbox_message_id: other.which.inbox_message_id })).status).toBe(404)
    expect((await forward(other.which)).status).toBe(404)
    await db.thread.update({ where: one.params, data: { channel: 'social' } })
    expect((await forward(one.which)).error.detail).toBe('invalid_state')
    await db.thread.update({ where: one.params, data: { channel: 'email' } })
    await db.mailbox.delete({ where: { mailbox_id: one.mailbox.mailbox_id } })
    expect((await forward(one.which)).error.detail).toBe('no_sender')
  })
})
