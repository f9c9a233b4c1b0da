import type { PoolClient } from 'pg'
import type { AnalyticsFilters } from '#lib/contracts/campaigns/workspace-analytics'
import { REPLY_BUCKETS } from '#lib/domain/analytics/reply-time'
import type { Tally, TallyKey } from '#lib/domain/analytics/workspace-analytics'
import { type Narrowed, narrowed } from '#lib/services/campaigns/analytics-filters'

/** The workspace, and the instants from which and before which what it sent counts. */
export type TallySpan = [workspaceId: string, from: Date, before: Date]

type Row = Pick<TallyKey, 'kind'> & Partial<Tally>
type Took = { quantiles: number[] | null; bucket_counts: number[] }

/** By day and hour of `timezone`, by campaign and by sender; and how long those took who replied. */
export async function readTally(
  client: PoolClient,
  span: TallySpan,
  filters: AnalyticsFilters,
  timezone: string,
) {
  const only = narrowed(filters, span.length)
  const values = [...span, ...only.values]
  const zone = `$${values.length + 1}`
  const leads = await client.query<Row>(byLeadSql(only), values)
  const times = await client.query<Row>(byTimeSql(only, zone), [...values, timezone])
  const ended = await client.query<Row & Took>(byEndingSql(only, zone), [...values, timezone])
  const [took] = ended.rows.filter(({ kind }) => kind === 'all')
  return { tally: merged([...leads.rows, ...times.rows, ...ended.rows]), took }
}

/** By campaign and sender alone. */
export async function readCampaignTally(client: PoolClient, span: TallySpan, filters: AnalyticsFilters) {
  const only = narrowed(filters, span.length)
  const values = [...span, ...only.values]
  const leads = await client.query<Row>(byLeadSql(only), values)
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
 * Leads are counted in two steps, by lead and then by what they belong to: distinct ones would be sorted once for each group.
 * A lead belongs to one campaign, but may have had several senders.
 */
const byLeadSql = (only: Narrowed) => `
  WITH leads AS MATERIALIZED (
    SELECT a.campaign_id, a.campaign_lead_id, a.mailbox_id, a.connected_account_id,
      count(*) FILTER (WHERE a.status = 'sent') AS sent, bool_or(a.channel = 'email') AS mailed
    ${leftSql(only)} GROUP BY 1, 2, 3, 4)
  SELECT 'sender' AS kind, NULL::uuid AS campaign_id, mailbox_id, connected_account_id,
    sum(sent)::int AS sent, count(*)::int AS contacted, (count(*) FILTER (WHERE mailed))::int AS mailed
  FROM leads GROUP BY mailbox_id, connected_account_id
  UNION ALL
  SELECT 'campaign', campaign_id, NULL, NULL, sum(sent)::int, count(*)::int, (count(*) FILTER (WHERE mailed))::int
  FROM (SELECT campaign_id, campaign_lead_id, sum(sent) AS sent, bool_or(mailed) AS mailed FROM leads GROUP BY 1, 2) own
  GROUP BY campaign_id`

const localSql = (at: string, zone: string) => `(${at} AT TIME ZONE ${zone})::date AS date,
  extract(isodow FROM ${at} AT TIME ZONE ${zone})::int AS weekday,
  extract(hour FROM ${at} AT TIME ZONE ${zone})::int AS hour`

/** Days begin at a quarter of an hour in every zone: where no sender is asked for, the kept counts know all that there is. */
function byTimeSql(only: Narrowed, zone: string) {
  const counts = only.actions
    ? `SELECT ${localSql('a.performed_at', zone)}, 1 AS count ${leftSql(only)} AND a.status = 'sent'`
    : `SELECT ${localSql('k.at', zone)}, k.count FROM action_counts k
       WHERE k.workspace_id = $1 AND k.quarter >= $2 AND k.quarter < $3 AND k.status = 'sent' ${only.campaigns('k')}`
  return `SELECT CASE WHEN grouping(date) = 0 THEN 'day' ELSE 'hour' END AS kind, date::text AS date, weekday, hour,
      sum(count)::int AS sent
    FROM (${counts}) counted GROUP BY GROUPING SETS ((date), (weekday, hour))`
}

/** Leads that ended, by what each is credited to. */
export const endedSql = (only: Narrowed) => `FROM lead_endings a
  WHERE a.workspace_id = $1 AND a.performed_at >= $2 AND a.performed_at < $3 ${only.campaigns('a')} ${only.actions}`

const ENDINGS = [
  `(count(*) FILTER (WHERE a.ending = 'replied'))::int AS replied`,
  `(count(*) FILTER (WHERE a.ending = 'bounced'))::int AS bounced`,
  `(count(*) FILTER (WHERE a.ending = 'unsubscribed'))::int AS unsubscribed`,
  `(count(*) FILTER (WHERE a.refused))::int AS refused`,
]
const KIND = `CASE WHEN grouping(date) = 0 THEN 'day' WHEN grouping(weekday) = 0 THEN 'hour'
  WHEN grouping(campaign_id) = 0 THEN 'campaign' WHEN grouping(mailbox_id) = 0 THEN 'sender' ELSE 'all' END`
const BUCKET_COUNTS = REPLY_BUCKETS.map(
  ({ from, to }) =>
    `count(*) FILTER (WHERE replied = 1 AND hours >= ${from}${to === null ? '' : ` AND hours < ${to}`})`,
)

/** Each reply is the first of its lead; its time counts from the message that it is credited to. */
const byEndingSql = (only: Narrowed, zone: string) => `
  SELECT ${KIND} AS kind, date::text AS date, weekday, hour, campaign_id, mailbox_id, connected_account_id,
    sum(replied)::int AS replied, sum(bounced)::int AS bounced, sum(unsubscribed)::int AS unsubscribed, sum(refused)::int AS refused,
    percentile_cont(ARRAY[0.5, 0.75, 0.9]) WITHIN GROUP (ORDER BY hours) FILTER (WHERE replied = 1) AS quantiles,
    ARRAY[${BUCKET_COUNTS.join(', ')}]::int[] AS bucket_counts
  FROM (SELECT ${localSql('a.performed_at', zone)}, a.campaign_id, a.mailbox_id, a.connected_account_id,
      (a.ending = 'replied')::int AS replied, (a.ending = 'bounced')::int AS bounced,
      (a.ending = 'unsubscribed')::int AS unsubscribed, a.refused::int AS refused,
      extract(epoch FROM a.ended_at - a.performed_at)::float8 / 3600 AS hours
    ${endedSql(only)}) ended
  GROUP BY GROUPING SETS ((), (date), (weekday, hour), (campaign_id), (mailbox_id, connected_account_id))`

const NO_KEYS = {
  date: null,
  weekday: null,
  hour: null,
  campaign_id: null,
  mailbox_id: null,
  connected_account_id: null,
}
const NO_COUNTS = { sent: 0, contacted: 0, mailed: 0, replied: 0, bounced: 0, unsubscribed: 0, refused: 0 }

/** What was sent and what came of it, of the same day, hour, campaign or sender. */
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
