import type { PoolClient } from 'pg'
import { prepared } from '#lib/db/prepared'
import { countingSchedule, windowAt } from '#lib/domain/calendar/schedule'
import { formatDay, loadZone, toDay } from '#lib/domain/calendar/zoned-time'
import type { Recorded } from '#lib/services/senders/recorded-action'

/** Returns the slots of actions that never left, so that they do not count against the day's limits. */
export async function giveBackSlots(client: PoolClient, recorded: Recorded[]): Promise<void> {
  const unused = recorded.filter(({ action, means }) => means.give_back && action.status === 'sending')
  if (unused.length === 0) return
  const windowDays = unused.map(({ action, campaign }) => {
    const window = windowAt(countingSchedule(campaign), action.performed_at.getTime())
    return window && formatDay(window.day)
  })
  await client.query(
    prepared(
      `UPDATE campaign_days d SET used = greatest(0, d.used - u.count)
     FROM (SELECT campaign_id, window_day, count(*)::int AS count
       FROM unnest($1::uuid[], $2::date[]) u (campaign_id, window_day) GROUP BY 1, 2) u
     WHERE d.campaign_id = u.campaign_id AND d.window_day = u.window_day`,
      [unused.map(({ action }) => action.campaign_id), windowDays],
    ),
  )
  const { rows: workspaces } = await client.query<{ workspace_id: string; timezone: string }>(
    // Read under the campaigns' locks, because the zone decides which date a slot counts for.
    prepared('SELECT workspace_id, timezone FROM workspaces WHERE workspace_id = ANY ($1)', [
      [...new Set(unused.map(({ action }) => action.workspace_id))],
    ]),
  )
  const zones = new Map(workspaces.map((row) => [row.workspace_id, loadZone(row.timezone)]))
  await client.query(
    prepared(
      // Campaigns share mailboxes, so their counters are locked in one order, here and at the claim.
      `WITH u AS (
       SELECT sender_id, local_date, action_type, count(*)::int AS count
       FROM unnest($1::uuid[], $2::date[], $3::text[]) u (sender_id, local_date, action_type) GROUP BY 1, 2, 3
     ), locked AS (
       SELECT u.* FROM sender_days d JOIN u USING (sender_id, local_date, action_type)
       ORDER BY 1, 2, 3 FOR NO KEY UPDATE OF d
     )
     UPDATE sender_days d SET used = greatest(0, d.used - locked.count) FROM locked
     WHERE d.sender_id = locked.sender_id AND d.local_date = locked.local_date AND d.action_type = locked.action_type`,
      [
        unused.map(({ action }) => action.sender_id),
        unused.map(({ action }) => {
          const zone = zones.get(action.workspace_id)
          return zone ? formatDay(toDay(zone, action.performed_at.getTime())) : null
        }),
        unused.map(({ action }) => action.action_type),
      ],
    ),
  )
}
