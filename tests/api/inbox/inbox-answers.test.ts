import { describe, expect, test } from 'vitest'
import { MarkInboxThreadRead, ReadInboxMessages, ReadInboxThread } from '#lib/contracts/inbox/inbox'
import { DraftInboxReply, ReplyInInbox } from '#lib/contracts/inbox/inbox-answers'
import { AddSuppressions } from '#lib/contracts/leads/suppressions'
import { ListAuditEvents } from '#lib/contracts/workspaces/audit'
import { db } from '#lib/db/client'
import { replyInInbox } from '#lib/services/inbox/reply'
import { call } from '#tests/support/call'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { arrive, bounceOf } from '#tests/support/scenes/arrivals'
import { aUser } from '#tests/support/scenes/factories'
import { answered, sink } from '#tests/support/scenes/inbox'
import { dispatchAt, MONDAY, minutes } from '#tests/support/scenes/launched'

const AUTO = 'Auto-Submitted: auto-replied'

describe('an answer', () => {
  test('leaves the mailbox as part of the thread, over real SMTP, and stands in the conversation', async () => {
    const { owner, mailbox, mail, thread, params } = await answered()
    const before = sink.messages.length
    const { status, body } = await call(ReplyInInbox, {
      as: owner,
      params,
      body: { text: 'When suits you?' },
    })
    expect([status, body.delivery_status, body.kind]).toEqual([201, 'sent', 'answer'])
    const raw = sink.messages[before]?.raw ?? ''
    const unfolded = raw.replace(/\r\n[ \t]/g, ' ')
    const theirs = await db.inboxMessage.findFirstOrThrow({ where: { ...params, direction: 'in' } })
    expect(unfolded).toContain(`In-Reply-To: ${theirs.message_id}`)
    expect(unfolded).toMatch(new RegExp(`References: ${mail.message_id} ${theirs.message_id}`))
    expect(unfolded).toMatch(/Subject: Re: /)
    expect(raw).toContain('When suits you?')
    expect(sink.messages[before]).toMatchObject({ from: mailbox.address, to: [thread.counterpart_address] })
    const read = (await call(ReadInboxThread, { as: owner, params })).body
    expect(read).toMatchObject({
      last_kind: 'answer',
      last_direction: 'out',
      unread: false,
      message_count: 2,
    })

    // The mail appears again in the Sent folder: it is recognised.
    const own = `From: <${mailbox.address}>\nTo: <${mail.to.address}>\nSubject: Re: x\nMessage-ID: ${(await db.inboxMessage.findUniqueOrThrow({ where: { inbox_message_id: body.inbox_message_id ?? '' } })).message_id}\nIn-Reply-To: ${mail.message_id}\n\nWhen suits you?\n`
    await arrive(mailbox, own, minutes(40))
    expect((await call(ReadInboxMessages, { as: owner, params })).body.messages).toHaveLength(3)
  })

  test.each([
    [{ outcome: 'unknown', error: 'The connection broke.' }, 'uncertain', 2],
    [{ outcome: 'never_left', reason: 'connect', error: 'Nobody there.' }, 'failed', 1],
  ] as const)('of which %o is told is %s, and nothing is sent twice', async (outcome, fate, count) => {
    const { owner, thread, params } = await answered()
    const { provider, outbox } = memoryMail(() => outcome)
    const sent = await replyInInbox(owner, thread.thread_id, { text: 'Hello?' }, minutes(60), provider)
    expect(sent).toMatchObject({ delivery_status: fate, response: outcome.error })
    expect(outbox).toHaveLength(1)
    expect((await call(ReadInboxThread, { as: owner, params })).body.message_count).toBe(count)
  })

  test('whose process died is uncertain once nobody can be sending it any more', async () => {
    const { owner, thread, params } = await answered()
    const dies = memoryMail(() => {
      throw new Error('killed')
    })
    await expect(
      replyInInbox(owner, thread.thread_id, { text: 'Hello?' }, MONDAY, dies.provider),
    ).rejects.toThrow('killed')
    const { messages: items } = (await call(ReadInboxMessages, { as: owner, params })).body
    expect(items.find(({ kind }) => kind === 'answer')?.delivery_status).toBe('uncertain')
  })

  test('does not go to somebody who wants none', async () => {
    const { owner, params, thread } = await answered()
    await call(AddSuppressions, {
      as: owner,
      body: { value: thread.counterpart_address, reason: 'unsubscribe' },
    })
    const { status, error } = await call(ReplyInInbox, { as: owner, params, body: { text: 'But…' } })
    expect([status, error.detail]).toEqual([409, 'address_suppressed'])
    expect((await call(ReadInboxThread, { as: owner, params })).body).toMatchObject({
      may_answer: false,
      why_not: expect.stringContaining('unsubscribe'),
    })
  })

  test('needs its mailbox', async () => {
    const { owner, params, mailbox } = await answered()
    await db.mailbox.delete({ where: { mailbox_id: mailbox.mailbox_id } })
    const { status, error } = await call(ReplyInInbox, { as: owner, params, body: { text: 'Hello?' } })
    expect([status, error.detail]).toEqual([409, 'no_sender'])
  })
})

test('an answer that comes back for now does not send the step before it again', async () => {
  const { owner, campaign_id, mailbox, mail, params } = await answered('I am away until Monday.', AUTO)
  const { body } = await call(ReplyInInbox, { as: owner, params, body: { text: 'Enjoy!' } })
  const { message_id } = await db.inboxMessage.findUniqueOrThrow({
    where: { inbox_message_id: body.inbox_message_id ?? '' },
  })
  await arrive(mailbox, bounceOf({ ...mail, message_id: message_id ?? '' }, '4.2.2'), minutes(120))
  const actions = await db.action.findMany({ where: { campaign_id, status: { not: 'sent' } } })
  expect(actions).toEqual([])
  expect((await dispatchAt(minutes(24 * 60 - 1))).offered).toBe(0)
})

test('a draft answers the latest message, says who wrote it, and neither sends nor keeps anything', async () => {
  const { owner, params } = await answered('Sounds good. Do you work with schools?')
  const before = await db.inboxMessage.count({ where: { workspace_id: owner.workspace_id } })
  const { status, body } = await call(DraftInboxReply, { as: owner, params })
  expect(status).toBe(200)
  expect(body).toMatchObject({ written_by: 'Offline writer', offline: true })
  expect(body.text).toMatch(/^Hello Lead0,/)
  expect(body.text).toContain('Do you work with schools?')
  expect(body.claims).toContainEqual({ text: 'Lead0', cell: 'first_name' })
  expect(body.claims).toContainEqual({ text: 'Do you work with schools', cell: 'conversation' })
  expect(body.flags).toEqual([])
  expect(await db.inboxMessage.count({ where: { workspace_id: owner.workspace_id } })).toBe(before)
  expect((await call(DraftInboxReply, { as: await aUser(), params })).status).toBe(404)
})

describe('a copy in the Sent folder whose Message-ID the server has replaced', () => {
  const copyOf = (from: string, to: string, text: string, id: string) =>
    `From: <${from}>\nTo: <${to}>\nSubject: Re: x\nMessage-ID: <${id}@server.test>\n${text}`

  test('of an answer is known by its words: it stands once, and answers to it come into the conversation', async () => {
    const { owner, mailbox, mail, params } = await answered()
    const { body } = await call(ReplyInInbox, { as: owner, params, body: { text: 'When suits\n\nyou?' } })
    const copy = copyOf(
      mailbox.address,
      mail.to.address,
      `In-Reply-To: ${mail.message_id}\n\nWhen suits you?\n`,
      'copy-1',
    )
    await arrive(mailbox, copy, new Date(Date.now() + 60_000))
    const { messages } = (await call(ReadInboxMessages, { as: owner, params })).body
    expect(messages.map(({ kind }) => kind).filter((kind) => kind !== 'step')).toEqual(['reply', 'answer'])

    const inbox_message_id = body.inbox_message_id ?? ''
    expect(await db.inboxMessage.findUnique({ where: { inbox_message_id } })).toMatchObject({
      server_message_id: '<copy-1@server.test>',
    })
    const theirs = `From: <else@other.test>\nTo: <${mailbox.address}>\nSubject: Re: x\nMessage-ID: <t@other.test>\nIn-Reply-To: <copy-1@server.test>\n\nFriday.\n`
    await arrive(mailbox, theirs, new Date(Date.now() + 120_000))
    const after = (await call(ReadInboxMessages, { as: owner, params })).body.messages
    expect(after.at(-1)?.text.trim()).toBe('Friday.')
  })

  test('other words, or the same words an hour later, were written by hand', async () => {
    const { owner, mailbox, mail, params } = await answered()
    await call(ReplyInInbox, { as: owner, params, body: { text: 'When suits you?' } })
    const hand = (text: string, id: string) =>
      copyOf(mailbox.address, mail.to.address, `In-Reply-To: ${mail.message_id}\n\n${text}\n`, id)
    await arrive(mailbox, hand('When suits you? Friday?', 'hand-1'), new Date(Date.now() + 60_000))
    await arrive(mailbox, hand('When suits you?', 'hand-2'), new Date(Date.now() + 3_600_000))
    const { messages } = (await call(ReadInboxMessages, { as: owner, params })).body
    expect(messages.filter(({ kind }) => kind === 'own_message')).toHaveLength(2)
  })

  test('of a step is known by its words, and is nobody’s wish to be left alone', async () => {
    const { owner, mailbox, other } = await answered()
    const action = await db.action.findFirstOrThrow({ where: { message_id: other.message_id } })
    const copy = copyOf(mailbox.address, other.to.address, `\n${action.body}\n`, 'copy-2')
    await arrive(mailbox, copy, new Date(action.performed_at.getTime() + 30_000))
    expect(await db.action.findUnique({ where: { action_id: action.action_id } })).toMatchObject({
      server_message_id: '<copy-2@server.test>',
    })
    expect(await db.suppression.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
    expect(
      await db.campaignLead.findUnique({ where: { campaign_lead_id: action.campaign_lead_id } }),
    ).toMatchObject({ status: 'active' })
    expect(
      await db.thread.count({
        where: { campaign_lead_id: action.campaign_lead_id, workspace_id: owner.workspace_id },
      }),
    ).toBe(0)
  })
})

test('opening a conversation reads it, and the audit log is spared', async () => {
  const { owner, thread, params } = await answered()
  expect(thread.unread).toBe(true)
  const { status, body } = await call(MarkInboxThreadRead, { as: owner, params })
  expect([status, body.unread]).toEqual([200, false])
  const { items } = (await call(ListAuditEvents, { as: owner })).body
  expect(items.map(({ operation }) => operation)).not.toContain('markInboxThreadRead')
})
