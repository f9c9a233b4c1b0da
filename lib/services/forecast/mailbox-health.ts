import type { MailboxHealth } from '#lib/contracts/senders/mailbox-health'
import { db, pool } from '#lib/db/client'
import { formatDay, loadZone, startOfDay, toDay } from '#lib/domain/calendar/zoned-time'
import type { RecipientProvider } from '#lib/domain/domains/recipient-provider'
import type { ProviderPauseCause } from '#lib/domain/sending/provider-pause'
import { AppError } from '#lib/errors'
import { providerCounts } from '#lib/services/campaigns/providers/provider-health'
import { readNextDay } from '#lib/services/forecast/next-day'

const DAYS = 30

/**
 * Joins through campaigns because that is how the ledger is indexed. $1: workspace, $2: mailbox, $3: since
 * when.
 */
const OWN = 'FROM campaigns c JOIN actions a ON a.campaign_id = c.campaign_id'
const HAPPENED = `
  SELECT a.performed_at AS at, 'sent' AS what ${OWN} AND a.performed_at >= $3
  WHERE c.workspace_id = $1 AND a.mailbox_id = $2 AND a.status IN ('sent', 'uncertain')
  UNION ALL
  SELECT a.performed_at, 'bounced' ${OWN} AND a.performed_at >= $3
  WHERE c.workspace_id = $1 AND a.mailbox_id = $2 AND a.status = 'failed' AND a.outcome = 'refused_for_good'
  UNION ALL
  SELECT e.at, 'deferred' FROM campaigns c
  JOIN campaign_events e ON e.campaign_id = c.campaign_id AND e.at >= $3 AND e.kind = 'retry'
  JOIN actions a ON a.campaign_lead_id = e.campaign_lead_id AND a.step = e.step
  WHERE c.workspace_id = $1 AND a.mailbox_id = $2 AND e.detail ->> 'outcome' = 'refused_for_now'
  UNION ALL
  SELECT i.received_at, CASE i.kind WHEN 'hard_bounce' THEN 'bounced' WHEN 'soft_bounce' THEN 'deferred' ELSE 'replied' END
  FROM inbound_messages i JOIN actions a USING (action_id)
  WHERE i.workspace_id = $1 AND i.received_at >= $3 AND i.kind IN ('hard_bounce', 'soft_bounce', 'reply') AND a.mailbox_id = $2`

type Day = MailboxHealth['days'][number]

/** A mailbox's results over the last 30 days, and what it sends next. */
export async function mailboxHealth(workspace_id: string, mailbox_id: string, now: Date) {
  const mailbox = await db.mailbox.findFirst({
    where: { workspace_id, mailbox_id },
    select: { workspace: { select: { timezone: true } } },
  })
  if (!mailbox) throw new AppError('mailbox_not_found')
  const { timezone } = mailbox.workspace
  const zone = loadZone(timezone)
  const first = toDay(zone, now.getTime()) - DAYS + 1
  const { rows } = await pool().query<Day>(
    `SELECT to_char(at AT TIME ZONE $4, 'YYYY-MM-DD') AS date,
       count(*) FILTER (WHERE what = 'sent')::int AS sent, count(*) FILTER (WHERE what = 'bounced')::int AS bounced,
       count(*) FILTER (WHERE what = 'deferred')::int AS deferred, count(*) FILTER (WHERE what = 'replied')::int AS replied
     FROM (${HAPPENED}) happened GROUP BY 1`,
    [workspace_id, mailbox_id, new Date(startOfDay(zone, first)), timezone],
  )
  const known = new Map(rows.map((row) => [row.date, row]))
  const days = Array.from({ length: DAYS }, (_, index): Day => {
    const date = formatDay(first + index)
    return known.get(date) ?? { date, sent: 0, bounced: 0, deferred: 0, replied: 0 }
  })
  const providers = await byProvider(workspace_id, mailbox_id, new Date(startOfDay(zone, first)), now)
  const { hours, senders, left_out } = await readNextDay(workspace_id, now)
  const planned = senders.find(({ sender_id }) => sender_id === mailbox_id)?.planned ?? []
  return {
    timezone,
    days,
    total: {
      sent: sum(days, 'sent'),
      bounced: sum(days, 'bounced'),
      deferred: sum(days, 'deferred'),
      replied: sum(days, 'replied'),
    },
    providers,
    next_hours: hours.map((at, hour) => ({ at, planned: planned[hour] ?? 0 })),
    campaigns_left_out: left_out,
  }
}

type Pause = { provider: RecipientProvider; cause: ProviderPauseCause; paused_at: Date; until: Date }

/** The results by recipient provider, with the current pauses. */
async function byProvider(workspace_id: string, mailbox_id: string, since: Date, now: Date) {
  const [counts, pauses] = await Promise.all([
    providerCounts(pool(), { workspace_id, mailbox_ids: [mailbox_id], since }),
    pool().query<Pause>(
      `SELECT provider, cause, paused_at, until FROM provider_pauses
       WHERE workspace_id = $1 AND mailbox_id = $2 AND until > $3`,
      [workspace_id, mailbox_id, now],
    ),
  ])
  return counts.map(({ mailbox_id: _, ...count }) => {
    const pause = pauses.rows.find(({ provider }) => provider === count.provider)
    return {
      ...count,
      pause: pause ? { cause: pause.cause, paused_at: pause.paused_at, until: pause.until } : null,
    }
  })
}

const sum = (days: Day[], what: Exclude<keyof Day, 'date'>) =>
  days.reduce((total, day) => total + day[what], 0)
