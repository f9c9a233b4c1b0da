import { describe, expect, test } from 'vitest'
import {
  ListInboxThreads,
  ReadInboxMessages,
  ReadInboxThread,
  UpdateInboxThread,
  UpdateInboxThreads,
} from '#lib/contracts/inbox/inbox'
import { ReplyInInbox } from '#lib/contracts/inbox/inbox-answers'
import { DeleteInboxLabel, ReadInboxLabels, SaveInboxLabel } from '#lib/contracts/inbox/inbox-labels'
import { ListNotifications } from '#lib/contracts/telling/notifications'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { arrive, replyTo } from '#tests/support/scenes/arrivals'
import { aUser } from '#tests/support/scenes/factories'
import { answered } from '#tests/support/scenes/inbox'
import { minutes } from '#tests/support/scenes/launched'

const AUTO = 'Auto-Submitted: auto-replied'

const idsOf = async (owner: { workspace_id: string; user_id: string }, query: Record<string, string>) =>
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

describe('what needs an answer is what may be answered', () => {
  const waiting = async (owner: Parameters<typeof idsOf>[0]) => idsOf(owner, { folder: 'needs_answer' })

  test.each([
    ['asks to stop', 'We are not interested at all.', 'stop'],
    ['says that they are away', 'I am out of the office until next week.', 'absence'],
  ] as const)('nobody answers whoever %s, but what they write next', async (_, text, intent) => {
    const { owner, mailbox, mail, thread, params } = await answered(text)
    await call(UpdateInboxThread, {
      as: owner,
      params,
      body: { version: (await call(ReadInboxThread, { as: owner, params })).body.version, intent },
    })
    await db.suppression.deleteMany({ where: { workspace_id: owner.workspace_id } })
    expect(await idsOf(owner, { folder: 'open' })).toEqual([thread.thread_id])
    expect(await waiting(owner)).toEqual([])
    await arrive(mailbox, replyTo(mail, 'What does it cost, by the way?'), minutes(40))
    expect(await waiting(owner)).toEqual([thread.thread_id])
  })

  test.each([
    ['their address', (address: string) => address.toLowerCase()],
    ['their domain', (address: string) => address.toLowerCase().replace(/^.*@/, '@')],
  ])('nobody answers whom the list names by %s, until it does not', async (_, entry) => {
    const { owner, thread } = await answered()
    const { workspace_id } = owner
    await db.suppression.create({
      data: { workspace_id, value: entry(thread.counterpart_address), reason: 'manual' },
    })
    expect(await waiting(owner)).toEqual([])
    await db.suppression.deleteMany({ where: { workspace_id } })
    expect(await waiting(owner)).toEqual([thread.thread_id])
  })

  test('a sender who could not be read, nobody answers; a chat goes on, whatever the list says', async () => {
    const { owner, thread, params } = await answered()
    const { workspace_id } = owner
    await db.thread.update({ where: params, data: { counterpart_address: '' } })
    expect(await waiting(owner)).toEqual([])
    await db.thread.update({
      where: params,
      data: { channel: 'social', counterpart_address: thread.counterpart_address },
    })
    const value = thread.counterpart_address.toLowerCase()
    await db.suppression.create({ data: { workspace_id, value, reason: 'manual' } })
    expect(await waiting(owner)).toEqual([thread.thread_id])
  })
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

test('who wrote is called as the list calls them where their mail names nobody', async () => {
  const { owner, thread, params } = await answered()
  expect(thread.counterpart_name).toBe('Lead0')
  const { messages } = (await call(ReadInboxMessages, { as: owner, params })).body
  expect(messages.at(-1)).toMatchObject({ from_name: null })
})

test('what told of a conversation is read with it, and nothing else is', async () => {
  const { owner, mailbox, other, params } = await answered()
  await arrive(mailbox, replyTo(other, 'Later, please.'), minutes(40))
  const unread = async () =>
    (await call(ListNotifications, { as: owner, query: { unread: 'true' } })).body.items
      .filter(({ kind }) => kind === 'reply')
      .map(({ thread_id }) => thread_id)
  expect(await unread()).toHaveLength(2)
  await call(UpdateInboxThread, { as: owner, params, body: { status: 'open' } })
  expect(await unread()).toHaveLength(2)
  await call(UpdateInboxThread, { as: owner, params, body: { unread: false } })
  const left = await unread()
  expect(left).toHaveLength(1)
  expect(left).not.toContain(params.thread_id)
  const thread_ids = left.flatMap((id) => id ?? [])
  await call(UpdateInboxThreads, { as: owner, body: { thread_ids, unread: false } })
  expect(await unread()).toEqual([])
})
