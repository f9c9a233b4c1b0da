import { expect, test } from 'vitest'
import { ApplyReferral, ReadReferral } from '#lib/contracts/billing/billing'
import { CreateDomain } from '#lib/contracts/domains/domains'
import { SaveInboxLabel } from '#lib/contracts/inbox/inbox-labels'
import { CreateSenderProfile } from '#lib/contracts/messages/sender-profiles'
import { CreateMailbox } from '#lib/contracts/senders/mailboxes'
import { SendTestNotification } from '#lib/contracts/telling/notifications'
import { CreateWebhook } from '#lib/contracts/telling/webhooks'
import { CreateApiKey } from '#lib/contracts/workspaces/api-keys'
import { db } from '#lib/db/client'
import { issueLink } from '#lib/services/senders/accounts/account-links'
import { socialProvider } from '#lib/services/senders/social-provider'
import { connectAccount } from '#lib/services/social/connections'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'

process.env.SANDBOX_SMTP_PORT = '1'

type Owner = Awaited<ReturnType<typeof aUser>>
type Limit = {
  most: number
  /** One of many concurrent requests; only the resulting state counts, not the answer. */
  ask: (owner: Owner, turn: number) => Promise<unknown>
  stand: (owner: Owner) => Promise<number>
}

const smtp = { host: 'smtp.example.com', port: 465, security: 'tls', username: 'u', password: 'p' }

async function connected(owner: Owner) {
  const provider_account_id = `sandbox-account-${crypto.randomUUID()}`
  const { workspace_id } = owner
  const person = { network: 'linkedin', name: 'Ada', handle: 'ada', kind: 'premium', created_at: new Date() }
  await db.sandboxAccount.create({ data: { provider_account_id, workspace_id, ...person } })
  const { state } = issueLink(
    { workspace_id, network: 'linkedin', return_path: '/accounts', account_id: null },
    new Date(),
  )
  await connectAccount(socialProvider(), { provider_account_id, state }, new Date())
}

async function referredBy(owner: Owner) {
  const { body } = await call(ReadReferral, { as: owner })
  await call(ApplyReferral, { as: await aUser(), body: { referral_code: body.referral_code } })
}

const LIMITS: Record<string, Limit> = {
  'active API keys of a free account': {
    most: 2,
    ask: (as, turn) => call(CreateApiKey, { as, body: { name: `Key ${turn}` } }),
    stand: ({ workspace_id }) => db.apiKey.count({ where: { workspace_id } }),
  },
  webhooks: {
    most: 50,
    ask: (as, turn) => call(CreateWebhook, { as, body: { url: `https://hooks.example.com/${turn}` } }),
    stand: ({ workspace_id }) => db.webhook.count({ where: { workspace_id } }),
  },
  'test notifications an hour': {
    most: 10,
    ask: (as) => call(SendTestNotification, { as }),
    stand: ({ workspace_id }) => db.notificationMessage.count({ where: { workspace_id, kind: 'test' } }),
  },
  'API keys that referrals add': {
    most: 10,
    ask: referredBy,
    stand: async ({ workspace_id }) =>
      (await db.workspace.findUniqueOrThrow({ where: { workspace_id } })).extra_api_keys,
  },
  'default sender profiles': {
    most: 1,
    ask: (as, turn) =>
      call(CreateSenderProfile, {
        as,
        body: { profile_name: `P${turn}`, sender_data: {}, is_default: true },
      }),
    stand: ({ workspace_id }) => db.senderProfile.count({ where: { workspace_id, is_default: true } }),
  },
  'default accounts of social networks': {
    most: 1,
    ask: connected,
    stand: ({ workspace_id }) => db.connectedAccount.count({ where: { workspace_id, is_default: true } }),
  },
  'mailboxes of one address': {
    most: 1,
    ask: (as) => call(CreateMailbox, { as, body: { address: 'ada@example.com', smtp } }),
    stand: ({ workspace_id }) => db.mailbox.count({ where: { workspace_id } }),
  },
  'domains of one name': {
    most: 1,
    ask: (as) => call(CreateDomain, { as, body: { domain: 'limits.example.com' } }),
    stand: ({ workspace_id }) => db.mailDomain.count({ where: { workspace_id } }),
  },
  'labels of one name': {
    most: 1,
    ask: (as) => call(SaveInboxLabel, { as, body: { label: 'warm', color: 'info' } }),
    stand: ({ workspace_id }) => db.inboxLabel.count({ where: { workspace_id } }),
  },
}

test.each(Object.entries(LIMITS))(
  '%s: asked for twice over at once, no more than the limit stand',
  async (_, limit) => {
    const owner = await aUser()
    const asked = Math.max(2 * limit.most, 4)
    await Promise.all(Array.from({ length: asked }, (_, turn) => limit.ask(owner, turn)))
    expect(await limit.stand(owner)).toBe(limit.most)
  },
)
