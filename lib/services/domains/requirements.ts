import { pool } from '#lib/db/client'
import { type Alignment, checkAlignment } from '#lib/domain/domains/alignment'
import { isDmarc } from '#lib/domain/domains/dmarc'
import { judgeRequirements } from '#lib/domain/domains/requirements'
import { bounceName } from '#lib/domain/domains/setup-records'
import { sendingAddress } from '#lib/domain/messages/own-addresses'
import { lastSeen } from '#lib/services/domains/last-seen'
import {
  type DomainRow,
  domainChecks,
  domainFacts,
  domainKeys,
  domainMailboxes,
  domainRow,
} from '#lib/services/domains/row'

const DAYS = 30
const DAY_MS = 86_400_000

/** The requirements of the three large providers, checked against what is known about a domain. */
export async function domainRequirements(workspaceId: string, domainId: string, now: Date) {
  const row = await domainRow(workspaceId, domainId)
  const mailboxes = await domainMailboxes(row)
  const aligned = mailboxes.map((mailbox) => ({
    mailbox_id: mailbox.mailbox_id,
    address: sendingAddress(mailbox),
    alignment: alignmentIn(row),
  }))
  const seen = await lastSeen(
    mailboxes.map(({ mailbox_id }) => mailbox_id),
    now,
  )
  const counted = await countMail(
    mailboxes.map(({ mailbox_id }) => mailbox_id),
    now,
  )
  return {
    domain_id: row.domain_id,
    domain: row.domain,
    requirements: judgeRequirements({
      domain: row.domain,
      checks: domainChecks(row),
      mailboxes: aligned,
      servers: domainFacts(row).servers,
      ...counted,
    }),
    further: domainFacts(row).further,
    mailboxes: aligned.map((mailbox) => ({ ...mailbox, seen: seen.get(mailbox.mailbox_id) ?? [] })),
  }
}

/** The alignment of mail that is sent from an address at the domain itself. */
export function alignmentIn(row: DomainRow): Alignment {
  const checks = domainChecks(row)
  const bounces = row.bounce_address && checks.return_path_mx?.status === 'found'
  return checkAlignment({
    from_domain: row.domain,
    envelope_domain: bounces ? bounceName(row.domain) : row.domain,
    spf_found: checks.spf?.status === 'found',
    signing_domain: domainKeys(row).key.found_at ? row.domain : null,
    dmarc_record: checks.dmarc?.found.find(isDmarc) ?? null,
  })
}

/** Counted from the senders' days, since the ledger may be long. */
async function countMail(mailboxIds: string[], now: Date): Promise<{ sent: number; complaints: number }> {
  const since = new Date(now.getTime() - DAYS * DAY_MS)
  const { rows } = await pool().query<{ sent: number; complaints: number }>(
    `SELECT (SELECT coalesce(sum(used), 0)::int FROM sender_days WHERE sender_id = ANY ($1) AND local_date >= $2::date) AS sent,
       (SELECT count(*)::int FROM inbound_messages
         WHERE mailbox_id = ANY ($1) AND kind = 'complaint' AND received_at >= $2) AS complaints`,
    [mailboxIds, since],
  )
  return rows[0] ?? { sent: 0, complaints: 0 }
}
