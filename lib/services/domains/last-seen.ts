import { pool } from '#lib/db/client'
import type { AuthenticationSeen } from '#lib/domain/domains/authentication-results'
import type { Placement } from '#lib/domain/domains/placement'
import { findReceiver } from '#lib/domain/domains/receiver'

const DAYS = 90
const DAY_MS = 86_400_000

type Row = {
  mailbox_id: string
  address: string
  host: string | null
  placement: Placement
  authentication: AuthenticationSeen | null
  arrived_at: Date
}

/** By mailbox, each provider's result of the last test that arrived there. */
export async function lastSeen(mailboxIds: string[], now: Date) {
  const { rows } = await pool().query<Row>(
    `SELECT DISTINCT ON (t.mailbox_id, t.seed_mailbox_id) t.mailbox_id, s.address, s.imap ->> 'host' AS host, t.placement,
       t.authentication, t.arrived_at
     FROM placement_tests t JOIN mailboxes s ON s.mailbox_id = t.seed_mailbox_id
     WHERE t.mailbox_id = ANY ($1) AND t.sent_at > $2 AND t.arrived_at IS NOT NULL
     ORDER BY t.mailbox_id, t.seed_mailbox_id, t.sent_at DESC`,
    [mailboxIds, new Date(now.getTime() - DAYS * DAY_MS)],
  )
  const all = rows
    .toSorted((one, other) => other.arrived_at.getTime() - one.arrived_at.getTime())
    .map((row) => ({ ...row, provider: findReceiver(row.address, row.host).provider }))
  const last = all.filter(
    (row, index) =>
      all.findIndex((one) => one.mailbox_id === row.mailbox_id && one.provider === row.provider) === index,
  )
  return Map.groupBy(
    last.map((row) => ({ ...row, ...toResults(row.authentication) })),
    ({ mailbox_id }) => mailbox_id,
  )
}

function toResults(seen: AuthenticationSeen | null) {
  const dkim = seen?.dkim.find(({ result }) => result === 'pass') ?? seen?.dkim[0]
  return { spf: seen?.spf?.result ?? null, dkim: dkim?.result ?? null, dmarc: seen?.dmarc?.result ?? null }
}
