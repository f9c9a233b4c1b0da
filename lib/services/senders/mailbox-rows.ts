import type { PoolClient } from 'pg'
import type { Reader } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import { formatDay, loadZone, toDay } from '#lib/domain/calendar/zoned-time'
import type { RecipientProvider } from '#lib/domain/domains/recipient-provider'
import type { Sender } from '#lib/domain/sending/sender-limits'
import {
  type AccountRow,
  type DaysOfSenders,
  senderOfAccount,
} from '#lib/services/senders/accounts/account-rows'
import { loadRampDays, rampOfMailbox } from '#lib/services/senders/ramp/ramp-days'
import { type Failing, senderFailure } from '#lib/services/senders/sender-failures'

export type MailboxRow = Failing & {
  mailbox_id: string
  address: string
  /** Its other addresses, and the one of them used in From; null: its main address. */
  aliases?: string[]
  send_as?: string | null
  name: string | null
  smtp: { host: string; port: number; security: 'none' | 'starttls' | 'tls'; username: string | null }
  smtp_password: string | null
  /** Signs in with a token granted by Google or Microsoft, see lib/services/senders/grants. */
  by_oauth?: boolean
  /** The vendor that granted it. */
  vendor?: string | null
  signature: string | null
  reply_to?: string | null
  daily_limit: number
  min_interval_seconds: number
  ramp_up: { start: number; increase_per_day: number; by_health?: boolean } | null
  ramp_up_started_at: Date
  last_action_at: Date | null
  last_error?: string | null
  /** Whether its owner wants sent mail copied to its Sent folder. */
  save_sent?: boolean
  /** Whether its incoming mail can be read, when it was last read, and the last error. */
  is_read?: boolean
  inbox_polled_at?: Date | null
  inbox_error?: string | null
  /** Whether the last reading left mail for the next one. */
  inbox_behind?: boolean
  /** The sealed DKIM key; null if the domain in From has no key with a published record. */
  dkim?: { domain: string; selector: string; private_key: string } | null
  /** The host of signed bounce addresses, if bounces go there instead of to the mailbox. */
  bounce_host?: string | null
  /** The host name of its domain that points to this instance, for tracked links. */
  tracking_host?: string | null
  /** By recipient provider, the end of its latest pause, which may be past. */
  provider_pauses?: Partial<Record<RecipientProvider, number>> | null
}

/** `alias_ids`: the mailboxes that a campaign sends from; null: all of them. */
type SendsFrom = { workspace_id: string; alias_ids: string[] | null }

/** $3: the address to send as this time; null: the usual one. DKIM key and host names are those of the domain in From. */
const MAILBOXES = `SELECT m.mailbox_id, m.address, m.aliases, coalesce($3::text, m.send_as) AS send_as, m.name, m.smtp, m.smtp_password, g.mailbox_id IS NOT NULL AS by_oauth, g.vendor, m.signature, m.reply_to, m.daily_limit,
    m.min_interval_seconds, m.ramp_up, m.ramp_up_started_at, m.last_action_at,
    m.status, m.last_error, m.failing_cause, m.failing_tries, m.next_try_at,
    m.save_sent, m.imap IS NOT NULL AS is_read, m.inbox_polled_at, m.inbox_error, m.inbox_behind,
    CASE WHEN k.key_id IS NOT NULL THEN
      jsonb_build_object('domain', d.domain, 'selector', k.selector, 'private_key', k.private_key) END AS dkim,
    CASE WHEN d.bounce_address AND d.checks #>> '{return_path_mx,status}' = 'found'
      AND d.checks #>> '{return_path_spf,status}' = 'found' THEN 'bounce.' || d.domain END AS bounce_host,
    CASE WHEN d.checks #>> '{tracking,status}' = 'found' THEN 'track.' || d.domain END AS tracking_host,
    (SELECT jsonb_object_agg(p.provider, (extract(epoch FROM p.until) * 1000)::float8) FROM provider_pauses p
      WHERE p.mailbox_id = m.mailbox_id) AS provider_pauses
  FROM mailboxes m
  LEFT JOIN mailbox_grants g ON g.mailbox_id = m.mailbox_id
  LEFT JOIN mail_domains d ON d.workspace_id = m.workspace_id AND d.domain = split_part(coalesce($3::text, m.send_as, m.address), '@', -1)
  LEFT JOIN domain_keys k ON k.domain_id = d.domain_id AND k.state = 'signing' AND k.found_at IS NOT NULL
  WHERE m.workspace_id = $1 AND ($2::uuid[] IS NULL OR m.mailbox_id = ANY ($2))
  ORDER BY m.mailbox_id`

/**
 * Locks the campaign's mailboxes in one order, since other campaigns may share them. Failing mailboxes are included, because they are tried
 * again.
 */
export async function lockMailboxes(client: PoolClient, campaign: SendsFrom): Promise<MailboxRow[]> {
  const { rows } = await client.query<MailboxRow>(
    prepared(`${MAILBOXES} FOR NO KEY UPDATE OF m`, [campaign.workspace_id, campaign.alias_ids, null]),
  )
  return rows
}

/** The same mailboxes without locks, for reading, or for sending by hand from another of its addresses. */
export async function connectedMailboxes(
  reader: Reader,
  campaign: SendsFrom,
  from: string | null = null,
): Promise<MailboxRow[]> {
  const values = [campaign.workspace_id, campaign.alias_ids, from]
  const { rows } = await reader.query<MailboxRow>(MAILBOXES, values)
  return rows
}

/** The senders' limits, and their sends on the owner's last seven local dates. */
export async function loadSenders(
  client: Reader,
  campaign: { workspace_id: string; owner_timezone: string },
  mailboxes: MailboxRow[],
  now: Date,
  accounts: AccountRow[] = [],
): Promise<Sender[]> {
  const today = toDay(loadZone(campaign.owner_timezone), now.getTime())
  const { rows } = await client.query<DaysOfSenders[number]>(
    prepared(
      `SELECT sender_id, to_char(local_date, 'YYYY-MM-DD') AS date, action_type, used FROM sender_days
     WHERE sender_id = ANY ($1) AND local_date > $2`,
      [
        [...mailboxes.map((row) => row.mailbox_id), ...accounts.map((row) => row.account_id)],
        formatDay(today - 7),
      ],
    ),
  )
  // Grouped once: for hundreds of senders, filtering all days for each would take longer than everything else here.
  const days = Map.groupBy(rows, (day) => day.sender_id)
  const ramps = await loadRampDays(client, campaign, mailboxes, now)
  const fromMailboxes = mailboxes.map(
    (row): Sender => ({
      sender_id: row.mailbox_id,
      channel: 'email',
      daily_limit: row.daily_limit,
      min_interval_seconds: row.min_interval_seconds,
      ...rampOfMailbox(row, ramps.get(row.mailbox_id), campaign.owner_timezone),
      action_limits: {},
      failing: senderFailure(row, row.address, row.last_error),
      last_action_at: row.last_action_at?.getTime() ?? null,
      used: (days.get(row.mailbox_id) ?? []).map(({ date, action_type, used }) => ({
        date,
        action_type,
        count: used,
      })),
    }),
  )
  return [...fromMailboxes, ...accounts.map((row) => senderOfAccount(row, days.get(row.account_id) ?? []))]
}
