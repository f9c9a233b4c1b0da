import { describe, expect, test } from 'vitest'
import { ReadInboxMessages, ReadInboxThread } from '#lib/contracts/inbox/inbox'
import { ReplyInInbox } from '#lib/contracts/inbox/inbox-answers'
import { db } from '#lib/db/client'
import { replyInInbox } from '#lib/services/inbox/reply'
import { call } from '#tests/support/call'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { arrive, replyTo } from '#tests/support/scenes/arrivals'
import { answered, sink } from '#tests/support/scenes/inbox'
import { minutes } from '#tests/support/scenes/launched'
import { aMember } from '#tests/support/scenes/team'

type Somebody = { workspace_id: string; user_id: string }

const lastSeen = async (as: Somebody, params: { thread_id: string }) =>
  (await call(ReadInboxThread, { as, params })).body.last_message_id
const messages = async (as: Somebody, params: { thread_id: string }) =>
  (await call(ReadInboxMessages, { as, params })).body.messages

test('an answer names who wrote it, but not to a client; what came or was sent by a campaign names nobody', async () => {
  const { owner, params, campaign_id } = await answered()
  const ana = await aMember(owner, 'admin')
  const { body } = await call(ReplyInInbox, { as: ana, params, body: { text: 'Gladly.' } })
  expect(body).toMatchObject({ user_id: ana.user_id, author_name: ana.name })
  const shown = await messages(owner, params)
  expect(shown.map(({ kind, user_id, author_name }) => [kind, user_id, author_name])).toEqual([
    ['step', null, null],
    ['reply', null, null],
    ['answer', ana.user_id, ana.name],
  ])
  const client = await aMember(owner, 'client')
  const { workspace_id, user_id } = client
  await db.campaignClient.create({ data: { workspace_id, user_id, campaign_id } })
  const theirs = await messages(client, params)
  expect(theirs).toHaveLength(3)
  expect(theirs.map(({ user_id, author_name }) => [user_id, author_name])).toEqual(
    theirs.map(() => [null, null]),
  )
  await db.member.deleteMany({ where: { user_id: ana.user_id } })
  await db.workspace.deleteMany({ where: { workspace_id: ana.own_workspace_id } })
  await db.user.delete({ where: { user_id: ana.user_id } })
  expect((await messages(owner, params)).at(-1)).toMatchObject({
    text: 'Gladly.',
    user_id: null,
    author_name: null,
  })
})

describe('an answer that says the last message seen', () => {
  test('409 answered_meanwhile once somebody answered, who is named; nothing is sent, and it goes without', async () => {
    const { owner, params } = await answered()
    const ana = await aMember(owner, 'admin')
    const last_message_id = await lastSeen(owner, params)
    const first = await call(ReplyInInbox, { as: ana, params, body: { text: 'Gladly.', last_message_id } })
    expect(first.status).toBe(201)
    const [before, sent] = [await messages(owner, params), sink.messages.length]
    const late = { text: 'Gladly too.', last_message_id }
    const { status, error } = await call(ReplyInInbox, { as: owner, params, body: late })
    expect([status, error.detail]).toEqual([409, 'answered_meanwhile'])
    expect(error).toMatchObject({ message: `${ana.name} answered just now. Nothing was sent.` })
    expect([await messages(owner, params), sink.messages.length]).toEqual([before, sent])
    const seen = { ...late, last_message_id: await lastSeen(owner, params) }
    expect((await call(ReplyInInbox, { as: owner, params, body: seen })).status).toBe(201)
    const anyway = { text: 'And again.', last_message_id: null }
    expect((await call(ReplyInInbox, { as: ana, params, body: anyway })).status).toBe(201)
  })

  test('409 once another message came, even one that is dated before the last one seen', async () => {
    const { owner, params, mailbox, mail } = await answered()
    const last_message_id = await lastSeen(owner, params)
    await arrive(mailbox, replyTo(mail, 'One thing more.'), minutes(20))
    const { status, error } = await call(ReplyInInbox, {
      as: owner,
      params,
      body: { text: 'Hello?', last_message_id },
    })
    expect([status, error.detail]).toEqual([409, 'answered_meanwhile'])
    expect(error).toMatchObject({ message: expect.stringContaining(' wrote ') })
    expect(await lastSeen(owner, params)).not.toBe(last_message_id)
  })

  test('leaves where the only newer one never did', async () => {
    const { owner, params } = await answered()
    const last_message_id = await lastSeen(owner, params)
    const { provider } = memoryMail(() => ({ outcome: 'never_left', reason: 'connect', error: 'No.' }))
    const reply = { text: 'Hello?', last_message_id }
    expect(await replyInInbox(owner, params.thread_id, reply, minutes(60), provider)).toMatchObject({
      delivery_status: 'failed',
    })
    expect((await call(ReplyInInbox, { as: owner, params, body: reply })).status).toBe(201)
  })

  test('of several at once one leaves', async () => {
    const { owner, params } = await answered()
    const last_message_id = await lastSeen(owner, params)
    const reply = { text: 'Hello?', last_message_id }
    const { provider, outbox } = memoryMail()
    const told = await Promise.allSettled(
      [1, 2, 3, 4].map(() => replyInInbox(owner, params.thread_id, reply, minutes(60), provider)),
    )
    expect(told.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(outbox).toHaveLength(1)
  })

  test('422 for a message of another conversation, and nothing is sent', async () => {
    const [{ owner, params }, other] = [await answered(), await answered()]
    const body = { text: 'Hello?', last_message_id: await lastSeen(other.owner, other.params) }
    expect((await call(ReplyInInbox, { as: owner, params, body })).status).toBe(422)
    expect(await messages(owner, params)).toHaveLength(2)
  })
})
