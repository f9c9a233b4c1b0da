import { expect, test } from 'vitest'
import { EVENT_TYPES } from '#lib/contracts/telling/webhook-events'
import { db } from '#lib/db/client'
import { unseal } from '#lib/db/seal'
import type { SocialProvider } from '#lib/providers/social/port'
import { createDomain, getDomain } from '#lib/services/domains/domains'
import { issueLink } from '#lib/services/senders/accounts/account-links'
import { disconnectAccount } from '#lib/services/social/connected-accounts'
import { checkAccount, connectAccount } from '#lib/services/social/connections'
import { createWebhook, rotateWebhookSecret, updateWebhook } from '#lib/services/telling/webhooks'
import { importWorkspace } from '#lib/services/workspaces/archive/workspace-import'
import { findBranding, findLogo, updateBranding } from '#lib/services/workspaces/branding'
import { type ArchiveLine, archive, archiveBytes, eraseWorkspace } from '#tests/support/files/archives'
import { aPng } from '#tests/support/files/images'
import { aCampaign, aMailbox, anAccount, aUser } from '#tests/support/scenes/factories'
import { MONDAY } from '#tests/support/scenes/launched'

const DOMAIN = 'acme-mail.example'
const HOOK = 'https://hooks.acme-mail.example/opener'

/** A workspace with every setting that an export contains. */
async function aSettledWorkspace() {
  const owner = await aUser()
  const { workspace_id } = owner
  const mailbox = await aMailbox(owner)
  const { domain_id } = await createDomain(workspace_id, { domain: DOMAIN }, MONDAY)
  const found = { reports: { status: 'found', found: [], note: null, checked_at: null, failure: null } }
  await db.mailDomain.update({
    where: { domain_id },
    data: { status: 'verified', verified_at: MONDAY, checked_at: MONDAY, checks: found },
  })
  const webhook = await createWebhook(
    workspace_id,
    { url: HOOK, event_types: [...EVENT_TYPES], description: 'CRM', enabled: true },
    MONDAY,
  )
  const account = await anAccount(owner, {
    driver: 'unipile',
    name: 'Ana Silva',
    is_default: true,
    limits: { message: { day: 7 } },
  })
  const steps_config = [{ channel: 'social', subtype: 'message', message_template: 'Hi' }]
  const { campaign_id } = await aCampaign(owner, { steps_config, connected_account_id: account.account_id })
  await updateBranding(owner, workspace_id, {
    name: 'Acme Agency',
    accent: '#1d4ed8',
    reply_to: 'hello@acme-mail.example',
    sender_mailbox_id: mailbox.mailbox_id,
    report_domain: DOMAIN,
    logo: Buffer.from(aPng()).toString('base64'),
  })
  return { owner, workspace_id, domain_id, webhook, account, campaign_id, mailbox }
}

const load = async (lines: unknown[]) => importWorkspace((await aUser()).user_id, archiveBytes(lines), MONDAY)

async function moved() {
  const before = await aSettledWorkspace()
  const key = await db.domainKey.findFirstOrThrow({ where: { domain_id: before.domain_id } })
  const secret = before.webhook.secret
  const lines = await archive(before.owner)
  await eraseWorkspace(before.owner)
  const imported = await load(lines)
  return { ...before, key, secret, lines, imported }
}

test('a domain comes in unproved, with a key of its own, and nothing of its old key', async () => {
  const { workspace_id, domain_id, key, lines } = await moved()
  expect(JSON.stringify(lines)).not.toContain('private_key')
  const now = await getDomain(workspace_id, domain_id)
  expect(now).toMatchObject({ domain: DOMAIN, status: 'pending', verified_at: null })
  expect(now.reports).toMatchObject({ status: expect.not.stringMatching('found') })
  const keys = await db.domainKey.findMany({ where: { domain_id } })
  expect(keys).toMatchObject([{ state: 'signing', found_at: null }])
  expect(keys[0]?.public_key).not.toBe(key.public_key)
  expect(unseal(keys[0]?.private_key ?? '')).toContain('PRIVATE KEY')
})

test('a webhook comes in disabled, with a secret that nobody has; rotated and enabled it works on', async () => {
  const { workspace_id, webhook, secret, lines } = await moved()
  expect(JSON.stringify(lines)).not.toContain(secret)
  const { webhook_id } = webhook
  const now = await db.webhook.findUniqueOrThrow({ where: { webhook_id } })
  expect(now).toMatchObject({ url: HOOK, description: 'CRM', enabled: false, disabled_reason: 'imported' })
  expect(unseal(now.secret)).toMatch(/^whsec_/)
  expect(unseal(now.secret)).not.toBe(secret)
  const rotated = await rotateWebhookSecret(workspace_id, webhook_id, MONDAY)
  expect(rotated.secret).toMatch(/^whsec_/)
  const enabled = await updateWebhook(workspace_id, webhook_id, { enabled: true }, MONDAY)
  expect(enabled).toMatchObject({ enabled: true, disabled_reason: null })
})

/** A provider that signs in one account. */
const network = (provider_account_id: string) => {
  const asked: string[] = []
  const account = async (id: string) => {
    asked.push(id)
    const found = { provider_account_id, network: 'linkedin', name: 'Ana', handle: 'ana', avatar_url: null }
    return { ...found, kind: 'premium', status: 'connected', status_reason: null }
  }
  const driver = { name: 'unipile', account } as unknown as SocialProvider
  return { asked, driver }
}

test('an account comes in disconnected, under a name that no provider knows, and is itself again once somebody signs in', async () => {
  const { workspace_id, account, campaign_id } = await moved()
  const { account_id } = account
  const now = await db.connectedAccount.findUniqueOrThrow({ where: { account_id } })
  expect(now).toMatchObject({ name: 'Ana Silva', status: 'disconnected', is_default: true })
  expect(now.limits).toEqual({ message: { day: 7 } })
  expect(now.provider_account_id).toBe(`imported:${account_id}`)
  const campaign = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  expect(campaign.connected_account_id).toBe(account_id)

  const { asked, driver } = network('theirs-1')
  await checkAccount(driver, now, MONDAY)
  expect(asked).toEqual([])
  const link = { workspace_id, network: 'linkedin', return_path: '/accounts', account_id } as const
  const { state } = issueLink(link, MONDAY)
  await connectAccount(driver, { provider_account_id: 'theirs-1', state }, MONDAY)
  expect(await db.connectedAccount.findUniqueOrThrow({ where: { account_id } })).toMatchObject({
    provider_account_id: 'theirs-1',
    status: 'connected',
    limits: { message: { day: 7 } },
  })
})

test('an account that nobody signed in to again is removed without a word to the provider', async () => {
  const { workspace_id, account, campaign_id } = await moved()
  await db.campaign.delete({ where: { campaign_id } })
  await disconnectAccount(workspace_id, account.account_id)
  expect(await db.connectedAccount.count({ where: { workspace_id } })).toBe(0)
})

test('a branding comes in with its logo, which is judged anew', async () => {
  const { workspace_id, mailbox } = await moved()
  const branding = await findBranding(workspace_id)
  expect(branding).toMatchObject({
    name: 'Acme Agency',
    accent: '#1d4ed8',
    reply_to: 'hello@acme-mail.example',
    sender_mailbox_id: mailbox.mailbox_id,
    report_domain: DOMAIN,
    // Nobody has proved ownership of the domain here.
    report_host: null,
  })
  const digest = branding.logo_url?.split('/').at(-1) ?? ''
  expect(await findLogo(workspace_id, digest)).toMatchObject({ content_type: 'image/png' })
})

test('what came in is counted, and what stays behind is said', async () => {
  const { imported } = await moved()
  expect(imported.tables).toMatchObject({
    mail_domains: 1,
    webhooks: 1,
    connected_accounts: 1,
    workspace_brandings: 1,
  })
  expect(imported.left_out).toMatchObject({ domain_keys: 1 })
})

const change = (table: string, fields: Record<string, unknown>) => (lines: ArchiveLine[]) => {
  Object.assign(lines.find((line) => line.table === table)?.row ?? {}, fields)
  return lines
}
const again =
  (table: string, count: number, fields: (at: number) => Record<string, unknown>) =>
  (lines: ArchiveLine[]) => {
    const row = lines.find((line) => line.table === table)?.row
    const more = Array.from({ length: count }, (_, at) => ({ table, row: { ...row, ...fields(at) } }))
    const end = { end: true, rows: Number(lines.at(-1)?.rows) + count }
    return [...lines.slice(0, -1), ...more, end]
  }

test.each<[string, (lines: ArchiveLine[]) => unknown[], string]>([
  [
    'a webhook to this machine',
    change('webhooks', { url: 'https://127.0.0.1/x' }),
    'no row of webhooks: url',
  ],
  ['a webhook without https', change('webhooks', { url: 'http://acme.example/x' }), 'webhooks: url'],
  ['a webhook with its secret', change('webhooks', { secret: 'x' }), 'webhooks.secret'],
  ['an event that is none', change('webhooks', { event_types: ['x'] }), 'webhooks: event_types'],
  [
    'more webhooks than one may have',
    again('webhooks', 50, () => ({ webhook_id: crypto.randomUUID() })),
    'more than 50 webhooks',
  ],
  ['a domain of nobody', change('mail_domains', { domain: 'co.uk' }), 'no row of mail_domains: domain'],
  ['a domain in capitals', change('mail_domains', { domain: 'ACME.example' }), 'mail_domains: domain'],
  ['an accent on which nobody can read', change('workspace_brandings', { accent: '#ffffff' }), 'accent'],
  [
    'a logo that is no picture',
    change('workspace_brandings', { logo: '\\x3c737667' }),
    'workspace_brandings',
  ],
  ['a cap that is no number', change('connected_accounts', { limits: { message: 'x' } }), 'limits'],
  ['an account of no network', change('connected_accounts', { provider: 'x' }), 'provider'],
  [
    'two default accounts',
    again('connected_accounts', 1, () => ({ account_id: crypto.randomUUID(), provider_account_id: 'b' })),
    'connected_accounts',
  ],
])('%s is refused, and leaves nothing', async (_, spoil, said) => {
  const { owner, workspace_id } = await aSettledWorkspace()
  const lines = await archive(owner)
  await eraseWorkspace(owner)
  await expect(load(spoil(lines))).rejects.toMatchObject({
    code: 'invalid_state',
    message: expect.stringContaining(said),
  })
  expect(await db.workspace.count({ where: { workspace_id } })).toBe(0)
  expect(await db.webhook.count({ where: { workspace_id } })).toBe(0)
})

test('a file cannot name the account of somebody else: what it says of the provider’s is not taken', async () => {
  const { owner, account, workspace_id } = await aSettledWorkspace()
  const lines = await archive(owner)
  await eraseWorkspace(owner)
  const victim = await anAccount(await aUser(), { driver: 'unipile' })
  await load(change('connected_accounts', { provider_account_id: victim.provider_account_id })(lines))
  const { account_id } = account
  expect(await db.connectedAccount.findMany({ where: { workspace_id } })).toMatchObject([
    { account_id, provider_account_id: `imported:${account_id}` },
  ])
})
