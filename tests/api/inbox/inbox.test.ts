import { afterAll, describe, expect, test } from 'vitest'
import {
  DraftInboxReply,
  ListInboxThreads,
  ReadInboxMessages,
  ReadInboxThread,
  ReplyInInbox,
  UpdateInboxThread,
  UpdateInboxThreads,
} from '#lib/contracts/inbox/inbox'
import { DeleteInboxLabel, ReadInboxLabels, SaveInboxLabel } from '#lib/contracts/inbox/inbox-labels'
import { AddSuppressions } from '#lib/contracts/leads/suppressions'
import { db } from '#lib/db/client'
import { replyInInbox } from '#lib/services/inbox/reply'
import { closeMailProvider } from '#lib/services/senders/mail-provider'
import { call } from '#tests/support/call'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { arrive, bounceOf, replyTo } from '#tests/support/scenes/arrivals'
import { aUser } from '#tests/support/scenes/factories'
import { dispatchAt, FIRST, launched, MONDAY, minutes, SECOND } from '#tests/support/scenes/launched'
import { createSmtpSink } from '#tests/support/servers/smtp'

process.env.ALLOW_PRIVATE_HOSTS = '1'
const sink = await createSmtpSink()
afterAll(async () => {
  await closeMailProvider()
  await sink.close()
})

const AUTO = 'Auto-Submitted: auto-replied'

/** A campaign of two steps whose first left to two leads; the first of them answered. */
async function answered(text = 'Yes, call me.', headers = '') {
  const made = await launched({ steps_config: [FIRST, SECOND] }, 2)
  await db.mailbox.update({
    where: { mailbox_id: made.mailbox.mailbox_id },
    data: {
      smtp: { host: '127.0.0.1', port: sink.port, security: 'none', username: null },
      smtp_password: null,
    },
  })
  const { outbox } = await dispatchAt(MONDAY)
  const [mail, other] = outbox
  if (!mail || !other) throw new Error('two mails left')
  await arrive(made.mailbox, replyTo(mail, text, headers), minutes(30))
  const { items } = (await call(ListInboxThreads, { as: made.owner, query: { folder: 'all' } })).body
  const [thread] = items
  if (!thread) throw new Error('no conversation')
  return { ...made, mail, other, thread, params: { thread_id: thread.thread_id } }
}

const idsOf = async (owner: { user_id: string }, query: Record<string, string>) =>
  (await call(ListInboxThreads, { as: owner, query })).body.items.map(({ thread_id }) => thread_id)

test('a reply is a conversation: with whom, from which campaign, which step it answers and what it stopped', async () => {
  const { owner, campaign_id, mailbox, mail, thread, params } = await answered()
  expect(thread).toMatchObject({
    campaign_id,
    mailbox_id: mailbox.mailbox_id,
    counterpart_address: mail.to.address,
    status: 'open',
    unread: true,
    last_direction: 'in',
    last_kind: 'reply',
    preview: 'Yes, call me.',
    message_count: 1,
  })
  const { body } = await call(ReadInboxThread, { as: owner, params })
  expect(body).toMatchObject({
    answers_step: 1,
    steps_stopped: [2],
    may_answer: true,
    why_not: null,
    lead: { lead_index: 0, status: 'replied', data: { first_name: 'Lead0' } },
  })
  const messages = (await call(ReadInboxMessages, { as: owner, params })).body.messages
  expect(messages.map(({ kind, direction, step, text }) => [kind, direction, step, text.trim()])).toEqual([
    ['step', 'out', 1, expect.stringContaining('A word about Company 0.')],
    ['reply', 'in', null, 'Yes, call me.'],
  ])
})

test('HTML that came in is shown without what would load or run', async () => {
  const { owner, params, thread } = await answered()
  await db.inboxMessage.updateMany({
    where: { thread_id: thread.thread_id },
    data: { html: '<p onclick="x()">Hi</p><script>steal()</script><img src="https://spy.test/1.gif">' },
  })
  const { messages: items } = (await call(ReadInboxMessages, { as: owner, params })).body
  expect(items.at(-1)?.html).toContain('Hi')
  expect(items.at(-1)?.html).not.toMatch(/onclick|<script|steal/)
  expect(items.at(-1)?.html).toMatch(/Content-Security-Policy[^>]+default-src 'none'/)
})

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

    // The mail program's Sent folder shows it again: it is known.
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
    const sent = await replyInInbox(owner.user_id, thread.thread_id, 'Hello?', minutes(60), provider)
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
      replyInInbox(owner.user_id, thread.thread_id, 'Hello?', MONDAY, dies.provider),
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

test('a message that is read late does not pass for the latest', async () => {
  const { owner, mailbox, mail, params } = await answered('Newest.')
  await arrive(mailbox, replyTo(mail, 'Older.'), minutes(10))
  expect((await call(ReadInboxThread, { as: owner, params })).body).toMatchObject({
    preview: 'Newest.',
    message_count: 2,
  })
})

test('folders: done, snoozed until a moment that passes by itself, and back by a new message', async () => {
  const { owner, mailbox, mail, params } = await answered()
  const id = params.thread_id
  expect(await idsOf(owner, {})).toEqual([id])
  await call(UpdateInboxThread, { as: owner, params, body: { snoozed_until: '2999-01-01T00:00:00Z' } })
  expect([await idsOf(owner, {}), await idsOf(owner, { folder: 'snoozed' })]).toEqual([[], [id]])
  await call(UpdateInboxThread, { as: owner, params, body: { snoozed_until: '2020-01-01T00:00:00Z' } })
  expect([await idsOf(owner, {}), await idsOf(owner, { folder: 'snoozed' })]).toEqual([[id], []])
  await call(UpdateInboxThread, { as: owner, params, body: { status: 'done', unread: false } })
  expect([await idsOf(owner, {}), await idsOf(owner, { folder: 'done' })]).toEqual([[], [id]])
  await arrive(mailbox, replyTo(mail, 'One more thing.'), minutes(90))
  expect(await idsOf(owner, { unread: 'true' })).toEqual([id])
})

test('filters: label, kind, campaign, mailbox and words', async () => {
  const { owner, params, campaign_id, mailbox } = await answered('I am away until Monday.', AUTO)
  const id = params.thread_id
  await call(UpdateInboxThread, { as: owner, params, body: { labels: ['warm', 'warm', 'later'] } })
  const { labels } = (await call(ReadInboxLabels, { as: owner })).body
  expect(labels.map(({ label, threads }) => [label, threads])).toEqual([
    ['later', 1],
    ['warm', 1],
  ])
  const matching: Record<string, string>[] = [
    { label: 'warm' },
    { kind: 'automatic_reply' },
    { campaign_id },
    { mailbox_id: mailbox.mailbox_id },
    { search: 'AWAY until' },
  ]
  for (const query of matching) expect(await idsOf(owner, query)).toEqual([id])
  const others: Record<string, string>[] = [
    { label: 'cold' },
    { kind: 'reply' },
    { search: '100%' },
    { unread: 'true' },
  ]
  for (const query of others) expect(await idsOf(owner, query)).toEqual([])
})

test('many at once, and only one’s own', async () => {
  const { owner, params } = await answered()
  const stranger = await aUser()
  const body = { thread_ids: [params.thread_id], status: 'done' }
  expect((await call(UpdateInboxThreads, { as: stranger, body })).body).toEqual({ updated: 0 })
  expect((await call(UpdateInboxThreads, { as: owner, body })).body).toEqual({ updated: 1 })
  expect(await idsOf(owner, {})).toEqual([])
})

describe('labels', () => {
  test('are put on and taken off one by one, have a colour, and go from every conversation when deleted', async () => {
    const { owner, params } = await answered()
    const made = await call(SaveInboxLabel, { as: owner, body: { label: 'Hot', color: 'danger' } })
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ label: 'Hot', color: 'danger', threads: 0 }),
    ])
    const labelled = await call(UpdateInboxThread, {
      as: owner,
      params,
      body: { add_labels: ['Hot', 'Later'] },
    })
    expect(labelled.body.labels).toEqual(['Hot', 'Later'])
    const fewer = await call(UpdateInboxThread, { as: owner, params, body: { remove_labels: ['Later'] } })
    expect(fewer.body.labels).toEqual(['Hot'])
    await call(SaveInboxLabel, { as: owner, body: { label: 'Hot', color: 'success' } })
    const { labels } = (await call(ReadInboxLabels, { as: owner })).body
    expect(labels.map(({ label, color, threads }) => [label, color, threads])).toEqual([
      ['Hot', 'success', 1],
      ['Later', expect.any(String), 0],
    ])

    const label_id = labels[0]?.label_id ?? ''
    expect((await call(DeleteInboxLabel, { as: await aUser(), params: { label_id } })).status).toBe(404)
    expect((await call(DeleteInboxLabel, { as: owner, params: { label_id } })).status).toBe(204)
    expect((await call(ReadInboxThread, { as: owner, params })).body.labels).toEqual([])
  })
})

test('folders: what needs an answer until it has one, and what was sent', async () => {
  const { owner, params } = await answered()
  const id = params.thread_id
  const inFolder = (folder: string) => idsOf(owner, { folder })
  expect([await inFolder('unread'), await inFolder('needs_answer'), await inFolder('sent')]).toEqual([
    [id],
    [id],
    [],
  ])
  await call(ReplyInInbox, { as: owner, params, body: { text: 'Gladly.' } })
  expect([await inFolder('unread'), await inFolder('needs_answer'), await inFolder('sent')]).toEqual([
    [],
    [],
    [id],
  ])
})

test.each([
  ['a word of the message', 'fiddlestick', true],
  ['the beginning of a word, in other letters', 'FIDDLE', true],
  ['words in any order', 'please fiddlesticks', true],
  ['a part of the address', '@', false],
  ['a word that stands nowhere', 'nowhere', false],
  ['signs of the query language', "fiddle & | ! ( ' \\ :*", true],
  ['nothing but signs', "'\\&|!:*", false],
])('a search finds by %s', async (_, search, isFound) => {
  const { owner, params } = await answered('More fiddlesticks, please!')
  expect(await idsOf(owner, { search })).toEqual(isFound ? [params.thread_id] : [])
  expect(await idsOf(await aUser(), { search })).toEqual([])
})

test('a search finds the counterpart by name and by the parts of the address', async () => {
  const { owner, params, thread } = await answered()
  await db.thread.update({ where: params, data: { counterpart_name: 'Zoë O’Neil' } })
  const [local = '', domain = ''] = thread.counterpart_address.split('@')
  for (const search of ['zoë', thread.counterpart_address, local, domain])
    expect(await idsOf(owner, { search })).toContain(params.thread_id)
})

test('a draft answers the latest message, says who wrote it, and neither sends nor keeps anything', async () => {
  const { owner, params } = await answered('Sounds good. Do you work with schools?')
  const before = await db.inboxMessage.count({ where: { user_id: owner.user_id } })
  const { status, body } = await call(DraftInboxReply, { as: owner, params })
  expect(status).toBe(200)
  expect(body).toMatchObject({ written_by: 'Offline writer', offline: true })
  expect(body.text).toMatch(/^Hello Lead0,/)
  expect(body.text).toContain('Do you work with schools?')
  expect(await db.inboxMessage.count({ where: { user_id: owner.user_id } })).toBe(before)
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
    expect(await db.suppression.count({ where: { user_id: owner.user_id } })).toBe(0)
    expect(
      await db.campaignLead.findUnique({ where: { campaign_lead_id: action.campaign_lead_id } }),
    ).toMatchObject({ status: 'active' })
    expect(
      await db.thread.count({ where: { campaign_lead_id: action.campaign_lead_id, user_id: owner.user_id } }),
    ).toBe(0)
  })
})
