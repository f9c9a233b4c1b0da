import type { Statements } from '#lib/db/statements'
import { formatDay, loadZone, parseDay, startOfDay, toDay } from '#lib/domain/calendar/zoned-time'
import { IS_COUNTED } from '#lib/services/campaigns/days/counted-days'
import { wakeCampaigns } from '#lib/services/campaigns/state'

type Day = { sender_id: string; action_type: string; date: string; used: number }
type Change = { workspace_id: string; from: string; to: string }

const dayKey = ({ sender_id, action_type, date }: Omit<Day, 'used'>) => `${sender_id} ${action_type} ${date}`

/** Limits look back seven dates, and a date of one zone overlaps two dates of another. */
const KEPT_DAYS = 9

/** No zone's date begins within a quarter hour, so a sender's actions in one quarter can be read as one row. */
const QUARTER_SECONDS = 900

/**
 * Locks everything that counts sends of a workspace's senders, in the order that claims use: campaigns (paused ones too), then mailboxes
 * and accounts.
 */
export async function lockCounting(client: Statements, workspaceId: string): Promise<void> {
  for (const [table, key] of [
    ['campaigns', 'campaign_id'],
    ['mailboxes', 'mailbox_id'],
    ['connected_accounts', 'account_id'],
  ])
    await client.query(
      `SELECT 1 FROM ${table} WHERE workspace_id = $1::uuid ORDER BY ${key} FOR NO KEY UPDATE`,
      [workspaceId],
    )
}

/**
 * Recounts what each sender did on the last days by the dates of another zone. Otherwise a date that has just begun in the new zone would
 * count as empty, and the sender could do a full day's amount again. The caller must hold `lockCounting`; all campaigns are woken to look
 * again at once.
 */
export async function redateSenders(client: Statements, change: Change, now: Date): Promise<void> {
  const { workspace_id } = change
  const [from, to] = [loadZone(change.from), loadZone(change.to)]
  const first = toDay(from, now.getTime()) - KEPT_DAYS
  const counts = new Map<string, Day>()
  const add = ({ sender_id, action_type }: Day, at: number, used: number) => {
    const day = { sender_id, action_type, date: formatDay(toDay(to, at)) }
    const key = dayKey(day)
    counts.set(key, { ...day, used: used + (counts.get(key)?.used ?? 0) })
  }
  const { rows: kept } = await client.query<Day>(
    `DELETE FROM sender_days d WHERE d.local_date >= $2::date AND d.sender_id IN (
       SELECT mailbox_id FROM mailboxes WHERE workspace_id = $1::uuid
       UNION ALL SELECT account_id FROM connected_accounts WHERE workspace_id = $1::uuid)
     RETURNING d.sender_id, d.action_type, to_char(d.local_date, 'YYYY-MM-DD') AS date, d.used`,
    [workspace_id, formatDay(first)],
  )
  const left = await inLedger(client, workspace_id, new Date(startOfDay(from, first)))
  const byDate = Map.groupBy(left, (one) => dayKey({ ...one, date: formatDay(toDay(from, one.at)) }))
  for (const day of kept) {
    const known = byDate.get(dayKey(day)) ?? []
    for (const { at, used } of known) add(day, at, used)
    // What the ledger does not show: messages written by hand, sends of a campaign deleted since, and earlier tries of a retried action.
    // They are counted at the end of their date, where they hold the limit the longest.
    const rest = day.used - known.reduce((sum, { used }) => sum + used, 0)
    if (rest > 0) add(day, Math.min(startOfDay(from, parseDay(day.date) + 1) - 1, now.getTime()), rest)
  }
  const days = [...counts.values()]
  await client.query(
    `INSERT INTO sender_days AS d (sender_id, action_type, local_date, used)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::date[], $4::int[])
     ON CONFLICT (sender_id, local_date, action_type) DO UPDATE SET used = d.used + excluded.used`,
    [
      days.map((day) => day.sender_id),
      days.map((day) => day.action_type),
      days.map((day) => day.date),
      days.map((day) => day.used),
    ],
  )
  const { rows: campaigns } = await client.query<{ campaign_id: string }>(
    'SELECT campaign_id FROM campaigns WHERE workspace_id = $1::uuid',
    [workspace_id],
  )
  await wakeCampaigns(
    client,
    campaigns.map(({ campaign_id }) => campaign_id),
    now,
  )
}

async function inLedger(client: Statements, workspaceId: string, since: Date) {
  const { rows } = await client.query<Omit<Day, 'date'> & { at: number }>(
    `SELECT coalesce(a.mailbox_id, a.connected_account_id) AS sender_id, a.action_type, count(*)::int AS used,
       (floor(extract(epoch FROM a.performed_at) / ${QUARTER_SECONDS}) * ${QUARTER_SECONDS * 1_000})::float8 AS at
     FROM campaigns c JOIN actions a USING (campaign_id)
     WHERE c.workspace_id = $1::uuid AND a.performed_at >= $2 AND ${IS_COUNTED} GROUP BY 1, 2, 4`,
    [workspaceId, since],
  )
  return rows
}
