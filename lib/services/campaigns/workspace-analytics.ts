import type { Pool, PoolClient } from 'pg'
import type { AnalyticsFilters } from '#lib/contracts/campaigns/workspace-analytics'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { REPLY_BUCKETS } from '#lib/domain/analytics/reply-time'
import { everyDay, groupTotals, tallyTotals } from '#lib/domain/analytics/workspace-analytics'
import { formatDay, loadZone, parseDay, startOfDay, toDay } from '#lib/domain/calendar/zoned-time'
import { readCampaignTally, readTally } from '#lib/services/campaigns/workspace-tally'

const USUAL_DAYS = 30
const MOST_DAYS = 366
/** The earliest day that can be requested. */
const FIRST_DAY = parseDay('0000-01-01')

type Days = { first: number; last: number }

/** What all campaigns of a workspace sent on some days of its time zone, and the results, all from one snapshot. */
export async function readWorkspaceAnalytics(workspaceId: string, query: AnalyticsFilters, now: Date) {
  return inTransaction(pool(), async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    // Read within the snapshot, because the maintained counts are by day of the workspace's current zone.
    const timezone = await readTimezone(client, workspaceId)
    const zone = loadZone(timezone)
    const days = chosenDays(query, toDay(zone, now.getTime()))
    const count = days.last - days.first + 1
    const at = (day: number) => new Date(startOfDay(zone, day))
    const { tally, took } = await readTally(
      client,
      [workspaceId, at(days.first), at(days.last + 1)],
      query,
      timezone,
    )
    const before = await readCampaignTally(
      client,
      [workspaceId, at(days.first - count), at(days.first)],
      query,
      timezone,
    )
    const names = await readNames(client, workspaceId)
    return {
      timezone,
      from: formatDay(days.first),
      to: formatDay(days.last),
      // Summed over campaigns, since a lead belongs to exactly one.
      totals: tallyTotals(tally.filter(({ kind }) => kind === 'campaign')),
      previous: tallyTotals(before.filter(({ kind }) => kind === 'campaign')),
      reply_hours: replyHours(took ?? { quantiles: null, bucket_counts: [] }),
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

async function readTimezone(client: PoolClient, workspaceId: string): Promise<string> {
  const { rows } = await client.query<{ timezone: string }>(
    'SELECT timezone FROM workspaces WHERE workspace_id = $1',
    [workspaceId],
  )
  return rows[0]?.timezone ?? 'UTC'
}

/** The requested days, by default the last 30; at most the last year of them. */
export function chosenDays({ from, to }: AnalyticsFilters, today: number): Days {
  const first = from ? parseDay(from) : null
  const last = to ? parseDay(to) : Math.max(today, first ?? today)
  return { first: Math.max(first ?? last - USUAL_DAYS + 1, last - MOST_DAYS + 1, FIRST_DAY), last }
}

/** Hours until a reply: the median, the 75th and 90th percentile, and replies by bucket. */
function replyHours({ quantiles, bucket_counts }: { quantiles: number[] | null; bucket_counts: number[] }) {
  const [median = null, p75 = null, p90 = null] = quantiles ?? []
  const buckets = REPLY_BUCKETS.map((bucket, index) => ({ ...bucket, replies: bucket_counts[index] ?? 0 }))
  return { median, p75, p90, buckets }
}

const MOST_CHOICES = 200

/** The values that the analytics can be filtered by; if there are many campaigns, those launched last. */
export async function analyticsChoices(workspaceId: string) {
  const { campaigns, senders } = await readNames(pool(), workspaceId)
  const distinct = (pairs: (readonly [string | null, string | null])[]) =>
    [...new Map(pairs)]
      .flatMap(([value, label]) => (value === null || label === null ? [] : [{ value, label }]))
      .slice(0, MOST_CHOICES)
  return {
    campaign_id: distinct(campaigns.map((one) => [one.campaign_id, one.name])),
    dataset_id: distinct(campaigns.map((one) => [one.dataset_id, one.dataset_name])),
    sender_id: distinct(senders.map((one) => [one.sender_id, one.name])),
    user_id: distinct(campaigns.map((one) => [one.user_id, one.user_name])),
  }
}

/** The names of campaigns and senders. These are few, however much was sent. */
async function readNames(client: Pool | PoolClient, workspaceId: string) {
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
     WHERE c.workspace_id = $1 AND c.launched_at IS NOT NULL ORDER BY c.launched_at DESC, c.campaign_id`,
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
