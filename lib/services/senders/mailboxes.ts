import type { z } from 'zod'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { Mailbox } from '#lib/contracts/senders/mailbox'
import type { CreateMailbox, ListMailboxes, UpdateMailbox } from '#lib/contracts/senders/mailboxes'
import { db } from '#lib/db/client'
import type { MailboxModel } from '#lib/db/generated/models'
import { DbNull } from '#lib/db/json'
import { rowsOfPage } from '#lib/db/page'
import { seal } from '#lib/db/seal'
import { toStatements } from '#lib/db/statements'
import { signatureProblem } from '#lib/domain/messages/signature'
import { env } from '#lib/env'
import { AppError, invalid } from '#lib/errors'
import { namesPrivateHost } from '#lib/providers/outbound'
import { wakeCampaigns } from '#lib/services/campaigns/state'
import { type EditTx, edit } from '#lib/services/instance/versioned-edit'
import { prepareRevocation } from '#lib/services/senders/grants/revoke'
import { prepareWatchEnd } from '#lib/services/senders/grants/watches'
import { mailboxLimits } from '#lib/services/senders/mailbox-limits'
import { changedAddresses, firstAddresses } from '#lib/services/senders/own-addresses'

type Settings = z.output<typeof CreateMailbox.body>
type Server = Mailbox['smtp']
type Sealed = { server: Server; password: string | null }

/** Neither password, nor anything else that the contract does not name, leaves this file in an answer. */
async function shown(
  workspaceId: string,
  rows: MailboxModel[],
  now: Date,
): Promise<z.input<typeof Mailbox>[]> {
  const [limits, grants] = await Promise.all([
    mailboxLimits(workspaceId, rows, now),
    listGrants(workspaceId, rows),
  ])
  return rows.map((row) => ({
    mailbox_id: row.mailbox_id,
    address: row.address,
    name: row.name,
    status: row.status,
    smtp: Mailbox.shape.smtp.parse(row.smtp),
    imap: Mailbox.shape.imap.parse(row.imap),
    oauth: grants.get(row.mailbox_id) ?? null,
    limits: limits(row),
    signature: row.signature,
    reply_to: row.reply_to,
    send_as: row.send_as,
    aliases: row.aliases,
    aliases_read_at: row.aliases_read_at,
    aliases_error: row.aliases_error,
    last_error: row.last_error,
    failing_cause: Mailbox.shape.failing_cause.parse(row.failing_cause),
    failing_since: row.failing_since,
    next_try_at: row.next_try_at,
    last_checked_at: row.last_checked_at,
    inbox_polled_at: row.inbox_polled_at,
    inbox_error: row.inbox_error,
    inbox_failing_since: row.inbox_failing_since,
    save_sent: row.save_sent,
    sent_folder: row.sent_folder,
    sent_error: row.sent_error,
    sent_polled_at: row.sent_polled_at,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }))
}

async function listGrants(workspace_id: string, rows: MailboxModel[]) {
  const grants = await db.mailboxGrant.findMany({
    where: { workspace_id, mailbox_id: { in: rows.map(({ mailbox_id }) => mailbox_id) } },
    select: {
      mailbox_id: true,
      vendor: true,
      route: true,
      organization_id: true,
      granted_at: true,
      ended_cause: true,
      ended_at: true,
      mailbox: { select: { watch: { select: { expires_at: true, said: true } } } },
    },
  })
  return new Map(
    grants.map(({ mailbox_id, mailbox: { watch }, ...grant }) => [
      mailbox_id,
      Mailbox.shape.oauth.parse({ ...grant, watch: grant.route === 'api' ? watch : null }),
    ]),
  )
}

async function one(workspaceId: string, row: MailboxModel | null | undefined, now: Date) {
  const [mailbox] = row ? await shown(workspaceId, [row], now) : []
  if (!mailbox) throw new AppError('mailbox_not_found')
  return mailbox
}

/**
 * Host and password go apart, the password sealed. One that is not given is kept only where it would be told to the same
 * server under the same name: otherwise whoever may edit a mailbox could have its password sent to a host of their own.
 */
function sealed({ password, ...given }: Settings['smtp'], before: Sealed | null): Sealed {
  const server = { ...given, username: given.username || null }
  if (password !== undefined) return { server, password: password ? seal(password) : null }
  const isSame =
    before?.server.host === server.host &&
    before.server.port === server.port &&
    // Given for a line that is encrypted, it is not told in the clear.
    (server.security !== 'none' || before.server.security === 'none') &&
    (before.server.username ?? null) === server.username
  return { server, password: isSame ? before.password : null }
}

function smtpColumns(given: Settings['smtp'], before: MailboxModel | null) {
  const kept = before && { server: Mailbox.shape.smtp.parse(before.smtp), password: before.smtp_password }
  const { server, password } = sealed(given, kept)
  return { smtp: server, smtp_password: password }
}

function imapColumns(given: Settings['imap'], before: MailboxModel | null) {
  if (!given) return { imap: DbNull, imap_password: null }
  const kept = before?.imap
    ? { server: Mailbox.shape.smtp.parse(before.imap), password: before.imap_password }
    : null
  const { server, password } = sealed(given, kept)
  return { imap: server, imap_password: password }
}

export async function listMailboxes(
  workspaceId: string,
  { page, page_size }: z.output<typeof ListMailboxes.query>,
  now: Date,
) {
  const where = { workspace_id: workspaceId }
  const [rows, total] = await Promise.all([
    db.mailbox.findMany({
      where,
      orderBy: [{ created_at: 'desc' }, { mailbox_id: 'desc' }],
      ...rowsOfPage({ page, page_size }),
    }),
    db.mailbox.count({ where }),
  ])
  return { items: await shown(workspaceId, rows, now), total, page, page_size }
}

/** Those of these ids that there are. */
export async function findMailboxes(workspace_id: string, ids: string[], now: Date) {
  const rows = await db.mailbox.findMany({ where: { workspace_id, mailbox_id: { in: ids } } })
  return shown(workspace_id, rows, now)
}

export async function getMailbox(workspaceId: string, mailboxId: string, now: Date) {
  const row = await db.mailbox.findFirst({ where: { mailbox_id: mailboxId, workspace_id: workspaceId } })
  return one(workspaceId, row, now)
}

/** How a mailbox stands that is taken to work. */
export const WORKING = {
  status: 'connected',
  last_error: null,
  failing_cause: null,
  failing_since: null,
  failing_tries: 0,
  next_try_at: null,
} as const

/**
 * What can be seen from the address alone; what a name resolves to is looked at when it is connected to, each time. The
 * sandbox stands on this machine.
 */
function checkHosts(servers: { smtp?: Settings['smtp']; imap?: Settings['imap'] }): void {
  const { ALLOW_PRIVATE_HOSTS, SANDBOX_SMTP_PORT } = env()
  if (ALLOW_PRIVATE_HOSTS) return
  for (const [name, server] of Object.entries(servers)) {
    if (!server || !namesPrivateHost(server.host)) continue
    if (server.host === '127.0.0.1' && server.port === SANDBOX_SMTP_PORT) continue
    const refusal = 'must not be a private address, unless ALLOW_PRIVATE_HOSTS allows it'
    throw invalid(['body', name, 'host'], refusal)
  }
}

function checkSignature(signature: string | null | undefined): void {
  const problem = signature ? signatureProblem(signature) : null
  if (problem) throw invalid(['body', 'signature'], `cannot be filled: ${problem}`)
}

/** Connected until a test or a message shows otherwise. */
export async function createMailbox(
  workspaceId: string,
  { smtp, imap, ramp_up, ...fields }: Settings,
  now: Date,
) {
  checkHosts({ smtp, imap })
  checkSignature(fields.signature)
  const [row] = await db.mailbox.createManyAndReturn({
    data: {
      ...fields,
      ...firstAddresses(fields.address, fields),
      workspace_id: workspaceId,
      ...smtpColumns(smtp, null),
      ...imapColumns(imap, null),
      ramp_up: ramp_up ?? DbNull,
      ramp_up_started_at: now,
    },
    skipDuplicates: true,
  })
  if (!row) throw new AppError('mailbox_exists')
  return one(workspaceId, row, now)
}

/** A new SMTP server, or address to send as, is tried at once, and whatever waited for the mailbox or for its limits is looked at anew. */
export async function updateMailbox(
  workspaceId: string,
  mailboxId: string,
  { smtp, imap, ramp_up, version, aliases, send_as, ...fields }: z.output<typeof UpdateMailbox.body>,
  now: Date,
) {
  checkHosts({ smtp, imap })
  checkSignature(fields.signature)
  const key = { mailbox_id: mailboxId, workspace_id: workspaceId }
  const write = async (tx: EditTx) => {
    const before = await tx.mailbox.findFirstOrThrow({ where: key })
    const own = changedAddresses(before, { aliases, send_as })
    const waits = before.failing_cause === 'refused' && own.send_as !== before.send_as
    // Servers given by hand take the place of what a vendor granted, whose tokens no other host is ever told.
    if (smtp || imap !== undefined) await tx.mailboxGrant.deleteMany({ where: key })
    const files = fields.save_sent !== false && imap !== null
    if (!files) await tx.sentCopy.deleteMany({ where: key })
    // A ramp that is set again begins anew, also on the day on which the last one was judged.
    if (ramp_up === null) await tx.rampDay.deleteMany({ where: key })
    return tx.mailbox.update({
      where: key,
      data: {
        ...fields,
        ...own,
        ...(waits && WORKING),
        // Nobody has tried it as that address yet.
        ...(own.send_as !== before.send_as && { last_checked_at: null }),
        // Nobody names them any more but whoever wrote the servers.
        ...((smtp || imap !== undefined) && { aliases_read_at: null, aliases_error: null }),
        ...(smtp && { ...smtpColumns(smtp, before), ...WORKING }),
        // Read at once, whatever the server before it refused.
        ...(imap !== undefined && {
          ...imapColumns(imap, before),
          inbox_polled_at: null,
          inbox_error: null,
          inbox_failing_since: null,
          inbox_due_at: now,
        }),
        ...(fields.save_sent === undefined && fields.sent_folder === undefined ? {} : { sent_error: null }),
        ...(ramp_up !== undefined && { ramp_up: ramp_up ?? DbNull }),
        // A ramp that goes on keeps its first day; one that begins now begins now.
        ...(ramp_up && !before.ramp_up && { ramp_up_started_at: now }),
      },
    })
  }
  const row = await edit({
    table: 'mailboxes',
    key,
    version,
    missing: 'mailbox_not_found',
    current: async () => Mailbox.parse(await getMailbox(workspaceId, mailboxId, now)),
    first: async (tx) => {
      await wakeOwned(tx, workspaceId, now)
    },
    write,
  })
  return one(workspaceId, row, now)
}

type Tx = Pick<typeof db, '$queryRaw' | '$queryRawUnsafe'>

/**
 * The owner's running campaigns are due, and dispatch looks at them once it wakes; answers which. Before mailboxes:
 * claims lock in that order. Locked by a statement of its own: what a claim under way writes would not be seen by one that
 * began before it ended.
 */
export async function wakeOwned(tx: Tx, workspaceId: string, now: Date): Promise<string[]> {
  const running = await tx.$queryRaw<{ campaign_id: string }[]>`
    SELECT campaign_id FROM campaigns WHERE workspace_id = ${workspaceId}::uuid AND status IN ('active', 'draining')
    ORDER BY campaign_id FOR NO KEY UPDATE`
  const ids = running.map((row) => row.campaign_id)
  await wakeCampaigns(toStatements(tx), ids, now)
  return ids
}

/** Refused while a campaign that is not over needs it; checked under its lock, so that no claim comes in between. */
export async function deleteMailbox(workspaceId: string, mailboxId: string): Promise<void> {
  const endWatch = await prepareWatchEnd(workspaceId, mailboxId)
  const revoke = await prepareRevocation(workspaceId, mailboxId)
  await db.$transaction(async (tx) => {
    const owned = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM mailboxes WHERE mailbox_id = ${mailboxId}::uuid AND workspace_id = ${workspaceId}::uuid FOR UPDATE`
    if (owned.length === 0) throw new AppError('mailbox_not_found')
    const [user] = await campaignsThatNeed(tx, workspaceId, mailboxId)
    if (user)
      throw new AppError('mailbox_in_use', {
        message: `The campaign “${user.name}” (${user.status}) sends from this mailbox.`,
      })
    await tx.mailbox.delete({ where: { mailbox_id: mailboxId, workspace_id: workspaceId } })
    await tx.senderDay.deleteMany({ where: { sender_id: mailboxId } })
  })
  await endWatch()
  await revoke()
}

/**
 * Those that name it, those whose leads it has begun to write to, and those that have no other left to send from. One that
 * failed to start keeps what it names, and could never start again without it.
 */
function campaignsThatNeed(tx: Tx, workspaceId: string, mailboxId: string) {
  return tx.$queryRaw<{ name: string; status: string }[]>`
    SELECT c.name, c.status::text FROM campaigns c
    WHERE c.workspace_id = ${workspaceId}::uuid
      AND c.status IN ('scheduled', 'launching', 'active', 'draining', 'paused', 'failed')
      AND (c.alias_ids @> to_jsonb(${mailboxId}::text)
        OR EXISTS (SELECT 1 FROM campaign_leads l
          WHERE l.campaign_id = c.campaign_id AND l.status = 'active'
            AND (l.next_sender_id = ${mailboxId}::uuid OR l.mailbox_id = ${mailboxId}::uuid))
        OR (c.alias_ids IS NULL AND c.status NOT IN ('paused', 'failed') AND NOT EXISTS (SELECT 1 FROM mailboxes m
          WHERE m.workspace_id = c.workspace_id AND m.mailbox_id <> ${mailboxId}::uuid)))
    ORDER BY c.created_at LIMIT 1`
}

/** The mailboxes that may send for a campaign: those it names, or all of its owner. */
export function senderFilter({ workspace_id, alias_ids }: Pick<Campaign, 'workspace_id' | 'alias_ids'>) {
  return { workspace_id, ...(alias_ids ? { mailbox_id: { in: alias_ids } } : {}) }
}
