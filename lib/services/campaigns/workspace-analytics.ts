import type { PoolClient } from 'pg'
import type { z } from 'zod'
import type { ReadWorkspaceAnalytics } from '#lib/contracts/campaigns/workspace-analytics'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import {
  everyDay,
  groupTotals,
  type Tally,
  type TallyKey,
  tallyTotals,
} from '#lib/domain/analytics/workspace-analytics'
import { formatDay, loadZone, parseDay, startOfDay, toDay } from '#lib/domain/calendar/zoned-time'
import { creditedToAnyChannel } from '#lib/services/campaigns/social-results'

const USUAL_DAYS = 30
const MOST_DAYS = 366

type Days = { first: number; last: number }

/** What all campaigns of a workspace sent on some days and what came of it, all of one snapshot. */
export async function readWorkspaceAnalytics(
  workspaceId: string,
  timezone: string,
  query: z.output<typeof ReadWorkspaceAnalytics.query>,
  now: Date,
) {
  const zone = loadZone(timezone)
  const days = chosenDays(query, toDay(zone, now.getTime()))
  const count = days.last - days.first + 1
  const at = (day: number) => new Date(startOfDay(zone, day))
  return inTransaction(pool(), async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    const span = [workspaceId, at(days.first), at(days.last + 1), timezone]
    const before = [workspaceId, at(days.first - count), at(days.first), timezone]
    const tally = await readTally(client, GROUPS, span)
    const names = await readNames(client, workspaceId)
    return {
      timezone,
      from: formatDay(days.first),
      to: formatDay(days.last),
      totals: tallyTotals(tally.filter(({ kind }) => kind === 'all')),
      previous: tallyTotals(await readTally(client, '()', before)),
      reply_hours: await readReplyHours(client, span),
      days: everyDay(tally, days),
      hours: tally
        .filter(({ kind }) => kind === 'hour')
        .map(({ weekday, hour, sent, replied }) => ({
          weekday: weekday ?? 1,
          hour: hour ?? 0,
          sent,
          replied,
        })),
      ...groupTotals(tally, names),
    }
  })
}

/** The days asked for, else the last 30; of more than a year the last ones. */
function chosenDays({ from, to }: z.output<typeof ReadWorkspaceAnalytics.query>, today: number): Days {
  const first = from ? parseDay(from) : null
  const last = to ? parseDay(to) : Math.max(today, first ?? today)
  return { first: Math.max(first ?? last - USUAL_DAYS + 1, last - MOST_DAYS + 1), last }
}

/** What each count is of: everything, a day, an hour of the week, a campaign, a sender. */
const GROUPS = '(), (date), (weekday, hour), (campaign_id), (mailbox_id, connected_account_id)'
const KIND = `CASE WHEN grouping(date) = 0 THEN 'day' WHEN grouping(weekday) = 0 THEN 'hour'
  WHEN grouping(campaign_id) = 0 THEN 'campaign' WHEN grouping(mailbox_id) = 0 THEN 'sender' ELSE 'all' END`
const LOCAL = `(performed_at AT TIME ZONE $4)::date::text AS date,
  extract(isodow FROM performed_at AT TIME ZONE $4)::int AS weekday,
  extract(hour FROM performed_at AT TIME ZONE $4)::int AS hour`

/** Kinds are told apart by the grouping, which knows only the columns of these sets. */
const kindFor = (groups: string) => (groups === '()' ? `'all'` : KIND)
const keysFor = (groups: string) =>
  groups === '()'
    ? 'NULL AS date, NULL AS weekday, NULL AS hour, NULL AS campaign_id, NULL AS mailbox_id, NULL AS connected_account_id'
    : 'date, weekday, hour, campaign_id, mailbox_id, connected_account_id'

const sentSql = (groups: string) => `
  SELECT ${kindFor(groups)} AS kind, ${keysFor(groups)}, (count(*) FILTER (WHERE status = 'sent'))::int AS sent,
    count(DISTINCT campaign_lead_id)::int AS contacted,
    (count(DISTINCT campaign_lead_id) FILTER (WHERE channel = 'email'))::int AS mailed
  FROM (SELECT ${LOCAL}, a.campaign_id, a.mailbox_id, a.connected_account_id, a.campaign_lead_id, a.channel, a.status
    FROM campaigns c JOIN actions a ON a.campaign_id = c.campaign_id
    WHERE c.workspace_id = $1 AND a.performed_at >= $2 AND a.performed_at < $3 AND a.status IN ('sent', 'uncertain')) left_by
  GROUP BY GROUPING SETS (${groups})`

/** Whoever ended did so after what it is credited to, which bounds the leads that are looked at. */
const ENDED = `FROM campaign_leads l ${creditedToAnyChannel()}
  WHERE l.workspace_id = $1 AND l.last_event_at >= $2 AND l.status IN ('replied', 'bounced', 'unsubscribed')
    AND a.performed_at >= $2 AND a.performed_at < $3`
const endedSql = (groups: string) => `
  SELECT ${kindFor(groups)} AS kind, ${keysFor(groups)},
    (count(*) FILTER (WHERE status = 'replied'))::int AS replied,
    (count(*) FILTER (WHERE status = 'bounced'))::int AS bounced,
    (count(*) FILTER (WHERE status = 'unsubscribed'))::int AS unsubscribed,
    (count(*) FILTER (WHERE refused))::int AS refused
  FROM (SELECT ${LOCAL}, l.campaign_id, a.mailbox_id, a.connected_account_id, l.status, a.status = 'failed' AS refused
    ${ENDED}) ended
  GROUP BY GROUPING SETS (${groups})`

type Sent = TallyKey & Pick<Tally, 'sent' | 'contacted' | 'mailed'>
type Ended = TallyKey & Pick<Tally, 'replied' | 'bounced' | 'unsubscribed' | 'refused'>

const NOTHING = { sent: 0, contacted: 0, mailed: 0, replied: 0, bounced: 0, unsubscribed: 0, refused: 0 }

async function readTally(client: PoolClient, groups: string, span: unknown[]): Promise<Tally[]> {
  const { rows: sent } = await client.query<Sent>(sentSql(groups), span)
  const { rows: ended } = await client.query<Ended>(endedSql(groups), span)
  const tallies = new Map<string, Tally>()
  for (const row of [...sent, ...ended]) {
    const { kind, date, weekday, hour, campaign_id, mailbox_id, connected_account_id } = row
    const key = [kind, date, weekday, hour, campaign_id, mailbox_id, connected_account_id].join(' ')
    tallies.set(key, { ...NOTHING, ...tallies.get(key), ...row })
  }
  return [...tallies.values()]
}

async function readReplyHours(client: PoolClient, span: unknown[]) {
  const { rows } = await client.query<{ median: number | null; p90: number | null }>(
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY hours) AS median, percentile_cont(0.9) WITHIN GROUP (ORDER BY hours) AS p90
     FROM (SELECT extract(epoch FROM l.last_event_at - a.performed_at)::float8 / 3600 AS hours ${ENDED}
       AND l.status = 'replied') took`,
    span.slice(0, 3),
  )
  return rows[0] ?? { median: null, p90: null }
}

/** How the groups are called: few, however much was sent. */
async function readNames(client: PoolClient, workspaceId: string) {
  const { rows: campaigns } = await client.query<{
    campaign_id: string
    name: string
    dataset_id: string
    dataset_name: string
    user_id: string | null
    user_name: string | null
  }>(
    `SELECT c.campaign_id, c.name, c.dataset_id, d.dataset_name, c.user_id, u.name AS user_name
     FROM campaigns c JOIN datasets d USING (dataset_id) LEFT JOIN users u ON u.user_id = c.user_id
     WHERE c.workspace_id = $1 AND c.launched_at IS NOT NULL`,
    [workspaceId],
  )
  const { rows: senders } = await client.query<{
    sender_id: string
    kind: 'mailbox' | 'account'
    name: string
  }>(
    `SELECT mailbox_id AS sender_id, 'mailbox' AS kind, address AS name FROM mailboxes WHERE workspace_id = $1
     UNION ALL SELECT account_id, 'account', name FROM connected_accounts WHERE workspace_id = $1`,
    [workspaceId],
  )
  return { campaigns, senders }
}
