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

/** Removes the password and everything else that the contract does not name from responses. */
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
 * Separates the password, sealed, from the server. If none is given, the old one is kept only for the same server and user name: otherwise
 * anyone who may edit a mailbox could have its password sent to a host of their own.
 */
function sealed({ password, ...given }: Settings['smtp'], before: Sealed | null): Sealed {
  const server = { ...given, username: given.username || null }
  if (password !== undefined) return { server, password: password ? seal(password) : null }
  const isSame =
    before?.server.host === server.host &&
    before.server.port === server.port &&
    // A password given for an encrypted connection is never sent unencrypted.
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

/** The mailboxes with these ids; missing ones are left out. */
export async function findMailboxes(workspace_id: string, ids: string[], now: Date) {
  const rows = await db.mailbox.findMany({ where: { workspace_id, mailbox_id: { in: ids } } })
  return shown(workspace_id, rows, now)
}

export async function getMailbox(workspaceId: string, mailboxId: string, now: Date) {
  const row = await db.mailbox.findFirst({ where: { mailbox_id: mailboxId, workspace_id: workspaceId } })
  return one(workspaceId, row, now)
}

/** The state of a mailbox that is assumed to work. */
export const WORKING = {
  status: 'connected',
  last_error: null,
  failing_cause: null,
  failing_since: null,
  failing_tries: 0,
  next_try_at: null,
} as const

/** Checks the host names themselves; their resolved addresses are checked at every connection. The sandbox runs on this machine. */
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

/** Creates a mailbox as connected, until a test or a message shows otherwise. */
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

/** Updates a mailbox. A new SMTP server or sender address is tried at once, and campaigns that waited for the mailbox look again. */
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
    // Servers given by hand replace a vendor's grant, whose tokens are never sent to another host.
    if (smtp || imap !== undefined) await tx.mailboxGrant.deleteMany({ where: key })
    const files = fields.save_sent !== false && imap !== null
    if (!files) await tx.sentCopy.deleteMany({ where: key })
    // A ramp that is set again starts over, even on the day on which the last one was judged.
    if (ramp_up === null) await tx.rampDay.deleteMany({ where: key })
    return tx.mailbox.update({
      where: key,
      data: {
        ...fields,
        ...own,
        ...(waits && WORKING),
        // It was not tried with that address yet.
        ...(own.send_as !== before.send_as && { last_checked_at: null }),
        // Without the grant no provider lists the addresses any more.
        ...((smtp || imap !== undefined) && { aliases_read_at: null, aliases_error: null }),
        ...(smtp && { ...smtpColumns(smtp, before), ...WORKING }),
        // Read at once, whatever the previous server refused.
        ...(imap !== undefined && {
          ...imapColumns(imap, before),
          inbox_polled_at: null,
          inbox_error: null,
          inbox_failing_since: null,
          inbox_due_at: now,
        }),
        ...(fields.save_sent === undefined && fields.sent_folder === undefined ? {} : { sent_error: null }),
        ...(ramp_up !== undefined && { ramp_up: ramp_up ?? DbNull }),
        // A ramp-up under way keeps its first day; a new one begins now.
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
 * Makes the owner's running campaigns due; returns which. Call it before locking mailboxes, the order of claims. It locks in a statement of
 * its own, because a single statement would not see what a concurrent claim wrote after the statement began.
 */
export async function wakeOwned(tx: Tx, workspaceId: string, now: Date): Promise<string[]> {
  const running = await tx.$queryRaw<{ campaign_id: string }[]>`
    SELECT campaign_id FROM campaigns WHERE workspace_id = ${workspaceId}::uuid AND status IN ('active', 'draining')
    ORDER BY campaign_id FOR NO KEY UPDATE`
  const ids = running.map((row) => row.campaign_id)
  await wakeCampaigns(toStatements(tx), ids, now)
  return ids
}

/** Refused while a campaign under way needs the mailbox; checked under its lock, so that no claim comes in between. */
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
 * Campaigns that name it, have contacted leads from it, or have no other mailbox left. A failed one counts if it names it, since it could
 * not launch again without it.
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
