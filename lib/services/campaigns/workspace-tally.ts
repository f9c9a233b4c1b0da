import type { PoolClient } from 'pg'
import type { AnalyticsFilters } from '#lib/contracts/campaigns/workspace-analytics'
import { REPLY_BUCKETS } from '#lib/domain/analytics/reply-time'
import type { Tally, TallyKey } from '#lib/domain/analytics/workspace-analytics'
import { type Narrowed, narrowed } from '#lib/services/campaigns/analytics-filters'

/** The workspace, and the span of instants whose sends count. */
export type TallySpan = [workspaceId: string, from: Date, before: Date]

type Row = Pick<TallyKey, 'kind'> & Partial<Tally>
type Took = { quantiles: number[] | null; bucket_counts: number[] }

/** Sends and results by day and hour of `timezone`, by campaign and by sender, and the times until a reply. */
export async function readTally(
  client: PoolClient,
  span: TallySpan,
  filters: AnalyticsFilters,
  timezone: string,
) {
  const only = narrowed(filters, span.length)
  const values = [...span, ...only.values]
  const zone = `$${values.length + 1}`
  const local = [...values, timezone]
  const leads = await client.query<Row>(byLeadSql(only, zone), local)
  const times = await client.query<Row>(byTimeSql(only, zone), local)
  const ended = await client.query<Row>(byEndingSql(only, zone), local)
  const took = await client.query<Took>(tookSql(only), values)
  return { tally: merged([...leads.rows, ...times.rows, ...ended.rows]), took: took.rows[0] }
}

/** Sends and results by campaign and sender only. */
export async function readCampaignTally(
  client: PoolClient,
  span: TallySpan,
  filters: AnalyticsFilters,
  timezone: string,
) {
  const only = narrowed(filters, span.length)
  const values = [...span, ...only.values]
  const leads = await client.query<Row>(byLeadSql(only, `$${values.length + 1}`), [...values, timezone])
  const ended = await client.query<Row>(
    `SELECT 'campaign' AS kind, a.campaign_id, ${ENDINGS.join(', ')} ${endedSql(only)} GROUP BY a.campaign_id`,
    values,
  )
  return merged([...leads.rows, ...ended.rows])
}

export const leftSql = (only: Narrowed) => `FROM campaigns c JOIN actions a ON a.campaign_id = c.campaign_id
  WHERE c.workspace_id = $1 AND a.performed_at >= $2 AND a.performed_at < $3 AND a.status IN ('sent', 'uncertain')
    ${only.campaigns('c')} ${only.actions}`

/**
 * From the maintained counts: each lead of the span once, with its first message in the span. A lead belongs to one campaign but may have
 * had several senders.
 */
function byLeadSql(only: Narrowed, zone: string) {
  const day = (at: string) => `(${at}::timestamptz AT TIME ZONE ${zone})::date`
  const first = `k.last_day < ${day('$2')}`
  const sum = (column: string, filter: string) =>
    `coalesce(sum(k.${column}) FILTER (WHERE ${filter}), 0)::int`
  const from = `FROM contact_counts k
    WHERE k.workspace_id = $1 AND k.day >= ${day('$2')} AND k.day < ${day('$3')} ${only.campaigns('k')}`
  const sent = `k.kind IN ('mailbox', 'account')${only.sender ? ` AND k.sender_id = ${only.sender}` : ''}`
  const [lead, mail] = only.sender
    ? [sent, `${sent} AND k.kind = 'mailbox'`]
    : [`k.kind = 'lead'`, `k.kind = 'mail'`]
  return `
    SELECT 'sender' AS kind, NULL::uuid AS campaign_id, CASE WHEN k.kind = 'mailbox' THEN k.sender_id END AS mailbox_id,
      CASE WHEN k.kind = 'account' THEN k.sender_id END AS connected_account_id, sum(k.sent)::int AS sent,
      ${sum('count', first)} AS contacted, ${sum('count', `${first} AND k.kind = 'mailbox'`)} AS mailed
    ${from} AND ${sent} GROUP BY k.kind, k.sender_id HAVING sum(k.count) > 0
    UNION ALL
    SELECT 'campaign', k.campaign_id, NULL, NULL, ${sum('sent', lead)}, ${sum('count', `${first} AND ${lead}`)},
      ${sum('count', `${first} AND ${mail}`)}
    ${from} GROUP BY k.campaign_id HAVING ${sum('count', lead)} > 0`
}

const localSql = (at: string, zone: string) => `(${at} AT TIME ZONE ${zone})::date AS date,
  extract(isodow FROM ${at} AT TIME ZONE ${zone})::int AS weekday,
  extract(hour FROM ${at} AT TIME ZONE ${zone})::int AS hour`

/** Days begin on a quarter hour in every zone, so the maintained counts suffice unless the result is filtered by sender. */
function byTimeSql(only: Narrowed, zone: string) {
  const counts = only.actions
    ? `SELECT ${localSql('a.performed_at', zone)}, 1 AS count ${leftSql(only)} AND a.status = 'sent'`
    : `SELECT ${localSql('k.at', zone)}, k.count FROM action_counts k
       WHERE k.workspace_id = $1 AND k.quarter >= $2 AND k.quarter < $3 AND k.status = 'sent' ${only.campaigns('k')}`
  return `SELECT CASE WHEN grouping(date) = 0 THEN 'day' ELSE 'hour' END AS kind, date::text AS date, weekday, hour,
      sum(count)::int AS sent
    FROM (${counts}) counted GROUP BY GROUPING SETS ((date), (weekday, hour))`
}

/** Ended leads, by the action each is credited to. */
export const endedSql = (only: Narrowed) => `FROM lead_endings a
  WHERE a.workspace_id = $1 AND a.performed_at >= $2 AND a.performed_at < $3 ${only.campaigns('a')} ${only.actions}`

const ENDINGS = [
  `(count(*) FILTER (WHERE a.ending = 'replied'))::int AS replied`,
  `(count(*) FILTER (WHERE a.ending = 'bounced'))::int AS bounced`,
  `(count(*) FILTER (WHERE a.ending = 'unsubscribed'))::int AS unsubscribed`,
  `(count(*) FILTER (WHERE a.refused))::int AS refused`,
]
const KIND = `CASE WHEN grouping(date) = 0 THEN 'day' WHEN grouping(weekday) = 0 THEN 'hour'
  WHEN grouping(campaign_id) = 0 THEN 'campaign' ELSE 'sender' END`

/** Grouped by quarter hour first, so that few rows need a conversion to the time zone. */
const byEndingSql = (only: Narrowed, zone: string) => `
  SELECT ${KIND} AS kind, date::text AS date, weekday, hour, campaign_id, mailbox_id, connected_account_id,
    sum(replied)::int AS replied, sum(bounced)::int AS bounced, sum(unsubscribed)::int AS unsubscribed, sum(refused)::int AS refused
  FROM (SELECT ${localSql('min(a.performed_at)', zone)}, a.campaign_id, a.mailbox_id, a.connected_account_id, ${ENDINGS.join(', ')}
    ${endedSql(only)} GROUP BY a.campaign_id, a.mailbox_id, a.connected_account_id, date_bin('15 minutes', a.performed_at, 'epoch')) ended
  GROUP BY GROUPING SETS ((date), (weekday, hour), (campaign_id), (mailbox_id, connected_account_id))`

const BUCKET_COUNTS = REPLY_BUCKETS.map(
  ({ from, to }) => `count(*) FILTER (WHERE hours >= ${from}${to === null ? '' : ` AND hours < ${to}`})`,
)

/**
 * A lead's first reply; its time counts from the message it is credited to. OFFSET 0 keeps the subquery from being pulled up, which would
 * compute the time of each reply again for every bucket.
 */
const tookSql = (only: Narrowed) => `
  SELECT percentile_cont(ARRAY[0.5, 0.75, 0.9]) WITHIN GROUP (ORDER BY hours) AS quantiles, ARRAY[${BUCKET_COUNTS.join(', ')}]::int[] AS bucket_counts
  FROM (SELECT date_part('epoch', a.ended_at - a.performed_at) / 3600 AS hours ${endedSql(only)} AND a.ending = 'replied' OFFSET 0) replies`

const NO_KEYS = {
  date: null,
  weekday: null,
  hour: null,
  campaign_id: null,
  mailbox_id: null,
  connected_account_id: null,
}
const NO_COUNTS = { sent: 0, contacted: 0, mailed: 0, replied: 0, bounced: 0, unsubscribed: 0, refused: 0 }

/** Merges sends and results that share a day, hour, campaign or sender. */
function merged(rows: Row[]): Tally[] {
  const tallies = new Map<string, Tally>()
  for (const row of rows) {
    const { kind, date, weekday, hour, campaign_id, mailbox_id, connected_account_id } = {
      ...NO_KEYS,
      ...row,
    }
    const key = [kind, date, weekday, hour, campaign_id, mailbox_id, connected_account_id].join(' ')
    tallies.set(key, { ...NO_KEYS, ...NO_COUNTS, ...tallies.get(key), ...row })
  }
  return [...tallies.values()]
}
