import { afterAll, beforeEach, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { sweepSocialAccounts, takeSocialEvents } from '#lib/services/inbox/social-events'
import { socialProvider } from '#lib/services/senders/social-provider'
import { sendSocialMessage } from '#lib/services/social/messages'
import { anAccount, aUser } from '#tests/support/scenes/factories'
import { scriptedServer } from '#tests/support/servers/scripted-server'

process.env.SANDBOX_SMTP_PORT = '1'
const SECRET = 'a secret of webhooks'
const server = await scriptedServer([
  { body: { id: 'acc_9', type: 'LINKEDIN', sources: [{ id: 's', status: 'CREDENTIALS' }] } },
])
Object.assign(process.env, {
  UNIPILE_DSN: server.url,
  UNIPILE_API_KEY: 'key',
  UNIPILE_WEBHOOK_SECRET: SECRET,
})
afterAll(() => server.close())

// The sweep covers every account: those of other tests are removed.
beforeEach(async () => {
  await db.connectedAccount.deleteMany()
})

test('the sweep brings answers into the inbox once, and notices who accepted and what was lost', async () => {
  const owner = await aUser()
  const account = await anAccount(owner, { provider: 'telegram' })
  const { account_id, provider_account_id } = account
  const body = { account_id, text: 'Hello', identifier: 'grace' }
  expect(await sendSocialMessage(owner, body, new Date())).toMatchObject({ success: true })
  const { provider_id } = await db.socialPerson.findFirstOrThrow({ where: { account_id } })
  await db.sandboxChatMessage.deleteMany({ where: { provider_account_id, direction: 'in' } })
  const row = {
    provider_account_id,
    provider_id,
    workspace_id: owner.workspace_id,
    direction: 'in',
    at: new Date(),
  }
  const { chat_id } = await db.sandboxChatMessage.findFirstOrThrow({ where: { provider_account_id } })
  const answer = { ...row, chat_id, message_id: `answer-${account_id}`, action_type: 'message', text: 'Hi!' }
  await db.sandboxChatMessage.create({ data: answer })
  await db.socialPerson.updateMany({ where: { account_id }, data: { relation: 'invited' } })
  const when = { provider_account_id_provider_id: { provider_account_id, provider_id } }
  await db.sandboxPerson.update({ where: when, data: { invitation_id: 'i', connects_at: new Date() } })

  expect(await sweepSocialAccounts()).toEqual({ accounts: 1, messages: 1, accepted: 1, failed: 0 })
  expect(await sweepSocialAccounts()).toEqual({ accounts: 1, messages: 0, accepted: 0, failed: 0 })
  const kept = await db.inboxMessage.findMany({
    where: { workspace_id: owner.workspace_id },
    orderBy: { at: 'asc' },
  })
  expect(kept.map(({ text, direction }) => [direction, text])).toEqual([
    ['out', 'Hello'],
    ['in', 'Hi!'],
  ])
  const person = await db.socialPerson.findFirstOrThrow({ where: { account_id } })
  expect(person.relation).toBe('connected')

  await db.sandboxAccount.update({ where: { provider_account_id }, data: { status: 'disconnected' } })
  await sweepSocialAccounts()
  const statusOf = async () => (await db.connectedAccount.findUniqueOrThrow({ where: { account_id } })).status
  expect(await statusOf()).toBe('disconnected')
  const told = await db.notification.findMany({ where: { workspace_id: owner.workspace_id } })
  expect(told).toMatchObject([{ kind: 'account_disconnected', data: { name: account.name } }])
  await db.sandboxAccount.update({ where: { provider_account_id }, data: { status: 'connected' } })
  await sweepSocialAccounts()
  expect(await statusOf()).toBe('connected')
})

test('a webhook is believed by its secret alone, and what it says of an account is asked again', async () => {
  expect(socialProvider().name).toBe('unipile')
  const owner = await aUser()
  const { account_id } = await anAccount(owner, { driver: 'unipile', provider_account_id: 'acc_9' })
  const body = JSON.stringify({ AccountStatus: { account_id: 'acc_9', message: 'OK' } })
  const now = new Date()
  expect(await takeSocialEvents(new Headers(), body, now)).toBe(false)
  expect(await takeSocialEvents(new Headers({ 'unipile-auth': 'guess' }), body, now)).toBe(false)
  expect(server.heard).toEqual([])
  expect(await takeSocialEvents(new Headers({ 'unipile-auth': SECRET }), body, now)).toBe(true)
  const lost = await db.connectedAccount.findUniqueOrThrow({ where: { account_id } })
  expect(lost).toMatchObject({ status: 'disconnected', status_reason: 'CREDENTIALS' })
})
