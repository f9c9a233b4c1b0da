import { randomUUID } from 'node:crypto'
import { CreateWebhook } from '#lib/contracts/telling/webhooks'
import { CreateApiKey } from '#lib/contracts/workspaces/api-keys'
import { db } from '#lib/db/client'
import { createDomain } from '#lib/services/domains/domains'
import { connectSandbox } from '#lib/services/senders/sandbox-mailbox'
import { createWebhook } from '#lib/services/telling/webhooks'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { anAccount } from '#tests/support/scenes/factories'
import { FAILING } from '#tests/support/scenes/failing'
import { someReports } from '#tests/support/scenes/showcase/reported'
import type { Owner } from './outreach.ts'

const DAY = 24 * 3_600_000
const before = (now: Date, days: number) => new Date(now.getTime() - days * DAY)

/** A daily limit that was halved this morning. */
const heldToday = ({ workspace_id }: Owner, now: Date) => ({
  workspace_id,
  local_date: new Date(now.toISOString().slice(0, 10)),
  allowed: 9,
  verdict: 'fall',
  cause: 'bounces',
  rises_after: new Date(before(now, -2).toISOString().slice(0, 10)),
  judged_from: new Date(now.toISOString().slice(0, 10)),
  evidence: { sent: 64, bounced: 5 },
})

/** A mailbox that works and one that does not; an account in each state; domains that are not set up yet and one that is. */
export async function someSenders(owner: Owner, now: Date) {
  const mailbox = await connectSandbox({ ...owner, name: 'Dana Demo' }, now)
  await db.mailbox.create({
    data: {
      workspace_id: owner.workspace_id,
      address: 'robin.vale@partnerships.northwind-industries.example',
      name: 'Robin Vale',
      last_error: 'The server refused the password: 535 5.7.8 Authentication failed.',
      smtp: { host: 'smtp.example', port: 465, security: 'tls', username: 'robin' },
      ramp_up: { start: 5, increase_per_day: 2, by_health: true },
      ramp_up_started_at: before(now, 8),
      ramp_days: { create: heldToday(owner, now) },
    },
  })
  const isRobin = { workspace_id: owner.workspace_id, name: 'Robin Vale' }
  await db.mailbox.updateMany({ where: isRobin, data: FAILING })
  const account = await anAccount(owner, { name: 'Dana Demo', handle: 'dana-demo', is_default: true })
  await anAccount(owner, {
    provider: 'whatsapp',
    kind: 'free',
    name: 'Robin Vale',
    status: 'disconnected',
    status_reason: 'Signed out on the telephone.',
  })
  const domain = await createDomain(owner.workspace_id, { domain: 'mail.opener-demo.example' }, now)
  await createDomain(owner.workspace_id, { domain: 'outreach.opener-demo.example' }, now)
  const robin = await db.mailbox.findFirstOrThrow({ where: isRobin })
  const tested = { mailbox_id: mailbox.mailbox_id, seed_mailbox_id: robin.mailbox_id }
  await someReports({ ...tested, workspace_id: owner.workspace_id, domain: domain.domain }, now)
  const organization = await aRefusedOrganization(owner, now)
  return {
    mailbox: mailbox.mailbox_id,
    account: account.account_id,
    domain: domain.domain_id,
    organization: organization.organization_id,
  }
}

/** An organization whose administrator has deleted its key. */
const aRefusedOrganization = ({ workspace_id }: Owner, now: Date) =>
  db.mailOrganization.create({
    data: {
      workspace_id,
      vendor: 'google',
      name: 'Northwind Industries',
      client_id: '104857600000000000001',
      account: 'opener@northwind-outreach.iam.gserviceaccount.com',
      key_id: '3f9c0f0a7a1d4c5e9f7f0c2f7f0e1b2a3c4d5e6f',
      secret: 'none',
      failing_cause: 'misconfigured',
      failing_said: 'Invalid JWT Signature.',
      failing_since: before(now, 1),
    },
  })

/** Created before the campaigns, so that it receives their events. */
export async function aWebhook({ workspace_id }: Owner, now: Date) {
  const body = { url: 'https://hooks.example.com/opener', description: 'Into the CRM' }
  const { webhook_id } = await createWebhook(workspace_id, CreateWebhook.body.parse(body), now)
  return { webhook: webhook_id }
}

/** Delivers events: most arrived, one was refused, the newest are pending. */
export async function deliverSome(webhook_id: string, now: Date) {
  const deliveries = await db.webhookDelivery.findMany({
    where: { webhook_id },
    orderBy: { position: 'asc' },
  })
  for (const [index, { delivery_id }] of deliveries.entries()) {
    const wasRefused = index % 7 === 3
    const at = before(now, 1 - index / 100)
    await db.webhookDelivery.update({
      where: { delivery_id },
      data: {
        status: wasRefused ? 'failed' : 'delivered',
        tries: wasRefused ? 8 : 1,
        next_attempt_at: null,
        delivered_at: wasRefused ? null : at,
        last_error: wasRefused ? 'It answered 500.' : null,
        attempts: [
          {
            at: at.toISOString(),
            status_code: wasRefused ? 500 : 204,
            response: wasRefused ? '{"error":"out of memory"}' : '',
            duration_ms: 84,
            error: wasRefused ? 'It answered 500.' : null,
          },
        ],
      },
    })
  }
  return { delivery: deliveries[3]?.delivery_id ?? deliveries[0]?.delivery_id ?? '' }
}

/** A logo: a green dot. */
const aMark = () =>
  new Uint8Array(
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAABgAAAAYCAIAAABvFaqvAAAATUlEQVR42mP4TyXAQHODuLODcCFiDcJjBB7jGMgzBdMsBrJNQTOLgRJTkM2itkFkmwI3a9SgUYOoaNDgyyLUzP3ULI+oWUJSs8wmDwAAfQSCNVtuSJIAAAAASUVORK5CYII=',
      'base64',
    ),
  )

export async function someSettings(owner: Owner, now: Date) {
  const { workspace_id, user_id } = owner
  const key = (name: string, scopes: string[], role?: string) =>
    CreateApiKey.body.parse({ name, scopes, role })
  await createApiKey(owner, key('CRM sync', ['read', 'write']), before(now, 40))
  await createApiKey(owner, key('Dashboards', ['read'], 'viewer'), now)
  await db.apiKey.updateMany({
    where: { workspace_id, name: 'CRM sync' },
    data: {
      last_used_at: now,
      last_used_place: '198.51.100.0/24',
      permissions: { campaigns: 'write', datasets: 'read' },
      allowed_networks: ['198.51.100.0/24'],
    },
  })
  const branding = { name: 'Northwind Outreach', accent: '#0b6b52', reply_to: 'team@northwind.example' }
  await db.workspaceBranding.create({
    data: { workspace_id, ...branding, logo: aMark(), logo_type: 'image/png' },
  })
  const listed = ['unsubscribe', 'hard_bounce', 'complaint', 'manual', 'import']
  await db.suppression.createMany({
    data: [...listed, ...listed].map((reason, index) => ({
      workspace_id,
      value:
        index === 3 ? '@competitor.example' : `person-${index}.with-a-long-name@company-${index}.example`,
      reason,
      created_at: before(now, index),
    })),
    skipDuplicates: true,
  })
  const domain = { workspace_id, token: randomUUID(), checked_at: now }
  await db.signInDomain.createMany({
    data: [
      { ...domain, domain: `${workspace_id}.opener-demo.example`, role: 'member', verified_at: now },
      { ...domain, domain: 'sales.opener-demo.example', role: 'viewer' },
    ],
  })
  const counted = { rows: 87_310, campaigns: 8, paused_campaigns: 3, leads: 12_400, mailboxes: 3 }
  const made = { workspace_id: randomUUID(), name: 'Southwind', slug: 'southwind', left_out: { members: 4 } }
  const file = { filename: 'opener-2026-11-23.ndjson', size_bytes: 48_112_904, read_bytes: 48_112_904 }
  await db.workspaceImport.create({
    data: {
      workspace_id,
      user_id,
      status: 'completed',
      ...file,
      result: { ...made, ...counted },
      completed_at: now,
    },
  })
  await db.groupRoles.create({ data: { workspace_id, roles: [{ group: 'outreach-leads', role: 'admin' }] } })
  const changes = ['launchCampaign', 'createApiKey', 'updateCampaign', 'importSpreadsheet', 'addSuppressions']
  await db.auditEvent.createMany({
    data: changes.map((operation, index) => ({
      workspace_id,
      operation,
      target: {
        campaign_id: randomUUID(),
        ...(operation === 'updateCampaign' && { contact_policy_override: 'Renewals: they know us' }),
      },
      at: before(now, index / 3),
      by: index === 2 ? 'key' : index === 4 ? 'assistant' : 'person',
      key_prefix: index === 2 ? 'opn_live_9fK' : null,
    })),
  })
}

/** Mail in the sandbox, and people on its simulated network. */
export async function someSandbox(
  { workspace_id, email }: Owner,
  from: { mailbox: string; account: string },
  now: Date,
) {
  const names = ['Oliver Hughes', 'Kasia Nowak', 'Elena Petrova']
  let message = ''
  for (const [index, name] of names.entries()) {
    const rcpt_to = `${name.split(' ')[0]?.toLowerCase()}@example.com`
    const subject = `A thought about ${name.split(' ')[1]} Ltd`
    const received_at = before(now, index / 10)
    const head = `From: Dana Demo <${email}>\r\nTo: ${rcpt_to}\r\nSubject: ${subject}\r\nDate: ${received_at.toUTCString()}\r\nMessage-ID: <${index}.${workspace_id}@opener.local>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n`
    const raw = Buffer.from(`${head}Hello,\r\n\r\nwould a short call next week suit you?\r\n\r\nDana\r\n`)
    const sender = { workspace_id, from_mailbox_id: from.mailbox, mail_from: email, from_address: email }
    const mail = { ...sender, rcpt_to, subject, raw, received_at }
    const row = await db.sandboxMessage.create({ data: mail })
    message = row.sandbox_message_id
  }
  const { provider_account_id } = await db.connectedAccount.findUniqueOrThrow({
    where: { account_id: from.account },
  })
  await db.sandboxPerson.createMany({
    data: names.map((name, index) => ({
      provider_account_id,
      provider_id: `person-${index}`,
      workspace_id,
      name,
      handle: name.toLowerCase().replace(' ', '-'),
      headline: 'Head of Operations',
      invitation_id: index === 0 ? null : `invitation-${index}`,
      invited_at: index === 0 ? null : before(now, index),
    })),
  })
  return { message }
}
