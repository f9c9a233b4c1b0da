import { expect, test } from 'vitest'
import { ListInboxThreads, ReadInboxMessages } from '#lib/contracts/inbox/inbox'
import { ReplyInInbox } from '#lib/contracts/inbox/inbox-answers'
import { SendSocialMessage } from '#lib/contracts/social/social-messages'
import { db, pool } from '#lib/db/client'
import type { SocialAction, SocialMessage, SocialOutcome, SocialProvider } from '#lib/providers/social/port'
import { recordSocialMessage } from '#lib/services/inbox/social-messages'
import { socialProvider } from '#lib/services/senders/social-provider'
import { sendSocialMessage } from '#lib/services/social/messages'
import { call } from '#tests/support/call'
import { anAccount, anEnrolledLead, aUser } from '#tests/support/scenes/factories'

process.env.SANDBOX_SMTP_PORT = '1'

type Account = Awaited<ReturnType<typeof anAccount>>
const messagesOf = (account: Account) =>
  db.sandboxChatMessage.findMany({
    where: { provider_account_id: account.provider_account_id, direction: 'out' },
    orderBy: { at: 'asc' },
  })

const said = (fields: Partial<SocialMessage>): SocialMessage => ({
  message_id: crypto.randomUUID(),
  chat_id: 'chat-1',
  direction: 'in',
  provider_id: 'person-1',
  sender_name: 'Grace Hopper',
  text: 'Hello back',
  at: new Date(),
  ...fields,
})

test('a message to a handle reaches the person, is counted and stands in the inbox', async () => {
  const owner = await aUser()
  const account = await anAccount(owner, { provider: 'telegram', kind: 'free' })
  const { account_id } = account
  const first = await call(SendSocialMessage, {
    as: owner,
    body: { account_id, text: 'Hello', identifier: 'https://t.me/Grace-Hopper/?x=1' },
  })
  expect(first.body).toMatchObject({ success: true, error: null })
  const chat_id = first.body.data?.chat_id ?? ''
  const second = await call(SendSocialMessage, { as: owner, body: { account_id, text: 'Again', chat_id } })
  expect(second.body.success).toBe(true)
  expect((await messagesOf(account)).map(({ text }) => text)).toEqual(['Hello', 'Again'])
  const { body: list } = await call(ListInboxThreads, { as: owner })
  expect(list.items).toMatchObject([
    {
      channel: 'social',
      provider: 'telegram',
      counterpart_name: 'Grace Hopper',
      message_count: 2,
      unread: false,
    },
  ])
  const [day] = await db.senderDay.findMany({ where: { sender_id: account_id } })
  expect(day).toMatchObject({ action_type: 'message', used: 2 })
  const known = await db.socialIdentifier.findMany({ where: { account_id } })
  expect(known.map(({ identifier }) => identifier)).toEqual(['t.me/grace-hopper'])
})

test.each<Record<string, string>>([
  {},
  { chat_id: 'c', provider_id: 'p' },
  { chat_id: 'c', provider_id: 'p', identifier: 'i' },
])('%j is not exactly one target', async (target) => {
  const owner = await aUser()
  const { account_id } = await anAccount(owner)
  const { status } = await call(SendSocialMessage, {
    as: owner,
    body: { account_id, text: 'Hello', ...target },
  })
  expect(status).toBe(422)
})

test('what the network refuses is an answer with its reason', async () => {
  const owner = await aUser()
  const account = await anAccount(owner)
  const { account_id, provider_account_id } = account
  const write = async (identifier: string) =>
    (await call(SendSocialMessage, { as: owner, body: { account_id, text: 'Hello', identifier } })).body
  expect(await write('nobody-at-all')).toEqual({
    success: false,
    data: null,
    error: 'Nobody on the sandbox network has this handle.',
  })
  expect((await write('grace')).error).toMatch(/not connected/)
  await db.sandboxAccount.update({ where: { provider_account_id }, data: { refuse_next: 1 } })
  expect((await write('grace')).error).toMatch(/too many/)
  await db.sandboxAccount.update({ where: { provider_account_id }, data: { status: 'disconnected' } })
  expect((await write('grace')).error).toMatch(/sign in again/)
  const lost = await db.connectedAccount.findUniqueOrThrow({ where: { account_id } })
  expect(lost.status).toBe('disconnected')
  expect(await messagesOf(account)).toEqual([])
})

test('another’s account is 404', async () => {
  const { account_id } = await anAccount(await aUser())
  const { status } = await call(SendSocialMessage, {
    as: await aUser(),
    body: { account_id, text: 'Hello', chat_id: 'c' },
  })
  expect(status).toBe(404)
})

/** A network with a scripted outcome for each action. */
function scripted(outcome: SocialOutcome<never>) {
  const offered: SocialAction[] = []
  const driver: SocialProvider = {
    ...socialProvider('sandbox'),
    act: async (_, action) => {
      offered.push(action)
      return outcome
    },
  }
  return { driver, offered }
}

test('a message whose fate nobody knows is no success, is not offered again, and its copy in the chat settles it', async () => {
  const owner = await aUser()
  const account = await anAccount(owner)
  const { driver, offered } = scripted({ outcome: 'unknown', response: 'The line broke.' })
  const body = { account_id: account.account_id, text: 'Hello', provider_id: 'person-1' }
  const answer = await sendSocialMessage(owner, body, new Date(), driver)
  expect(answer).toMatchObject({ success: false, data: null })
  expect(answer.error).toMatch(/unclear whether the message was sent/)
  expect(offered).toHaveLength(1)
  // Networks do not always name the recipient of one's own message.
  const copy = said({ direction: 'out', text: 'Hello', provider_id: null })
  expect(await recordSocialMessage(account, copy, new Date())).toBe(false)
  expect(await recordSocialMessage(account, copy, new Date())).toBe(false)
  const rows = await db.inboxMessage.findMany({ where: { workspace_id: owner.workspace_id } })
  expect(rows).toMatchObject([{ delivery_status: 'sent', provider_message_id: copy.message_id }])
  const { chat_id } = await db.thread.findFirstOrThrow({ where: { workspace_id: owner.workspace_id } })
  expect(chat_id).toBe('chat-1')
})

test('a reply in a chat ends the lead on all channels, once, and can be answered', async () => {
  const owner = await aUser()
  const account = await anAccount(owner, { provider: 'telegram' })
  const { campaign_id, campaign_lead_id } = await anEnrolledLead(owner)
  const { provider_id } = await socialProvider('sandbox').person(
    { provider_account_id: account.provider_account_id, network: 'telegram' },
    'grace-hopper',
  )
  await db.campaignLead.update({
    where: { campaign_lead_id },
    data: { connected_account_id: account.account_id, social_provider_id: provider_id },
  })
  const reply = said({ provider_id })
  const taken = await Promise.all([1, 2, 3].map(() => recordSocialMessage(account, reply, new Date())))
  expect(taken.filter(Boolean)).toHaveLength(1)
  expect(await recordSocialMessage(account, reply, new Date())).toBe(false)
  const lead = await db.campaignLead.findUniqueOrThrow({ where: { campaign_lead_id } })
  expect(lead).toMatchObject({ status: 'replied', next_step: null, next_action_at: null })
  const replies = await db.campaignEvent.findMany({ where: { campaign_id, kind: 'replied' } })
  expect(replies).toHaveLength(1)
  const { body: list } = await call(ListInboxThreads, { as: owner })
  expect(list.items).toMatchObject([
    { channel: 'social', campaign_lead_id, unread: true, last_kind: 'reply', message_count: 1 },
  ])
  const params = { thread_id: list.items[0]?.thread_id ?? '' }
  const answer = await call(ReplyInInbox, { as: owner, params, body: { text: 'Gladly' } })
  expect([answer.status, answer.body.delivery_status]).toEqual([201, 'sent'])
  expect(answer.body).toMatchObject({ user_id: owner.user_id, author_name: owner.name })
  const last_message_id = (await db.inboxMessage.findFirstOrThrow({ where: { ...params, direction: 'in' } }))
    .inbox_message_id
  const late = await call(ReplyInInbox, { as: owner, params, body: { text: 'Again', last_message_id } })
  expect([late.status, late.error.detail]).toEqual([409, 'answered_meanwhile'])
  const { body } = await call(ReadInboxMessages, { as: owner, params })
  expect(body.messages.map(({ text, direction }) => [direction, text])).toEqual([
    ['in', 'Hello back'],
    ['out', 'Gladly'],
  ])
})

test('whatever a chat holds is kept within bounds, and holds up nothing', async () => {
  const owner = await aUser()
  const account = await anAccount(owner, { provider: 'telegram' })
  const { campaign_lead_id } = await anEnrolledLead(owner)
  await db.campaignLead.update({
    where: { campaign_lead_id },
    data: { connected_account_id: account.account_id, social_provider_id: 'p-1' },
  })
  const take = (fields: Parameters<typeof said>[0]) =>
    recordSocialMessage(account, said({ provider_id: 'p-1', ...fields }), new Date())
  for (const field of ['message_id', 'chat_id', 'provider_id'])
    for (const id of ['x'.repeat(10_000), 'a\0b']) expect(await take({ [field]: id })).toBe(false)
  const text = `${'\0 \ud800'.repeat(100_000)}`
  expect(await take({ sender_name: `Eve\0${'e'.repeat(5_000)}\ud800`, text })).toBe(true)
  const [kept] = await db.inboxMessage.findMany({ where: { workspace_id: owner.workspace_id } })
  expect(kept?.from_name?.startsWith('Eveee')).toBe(true)
  expect(kept?.from_name?.length).toBeLessThanOrEqual(320)
  expect(kept?.text.length).toBeLessThanOrEqual(64 * 1024)
})

test('of a chat with somebody whom nobody wrote to from here nothing is kept', async () => {
  const owner = await aUser()
  const account = await anAccount(owner)
  expect(await recordSocialMessage(account, said({ provider_id: 'a-friend' }), new Date())).toBe(false)
  const { rows } = await pool().query('SELECT 1 FROM inbox_messages WHERE workspace_id = $1', [
    owner.workspace_id,
  ])
  expect(rows).toEqual([])
})
