import type { Pool, PoolClient } from 'pg'
import { prepared } from '#lib/db/prepared'
import { inTransaction } from '#lib/db/transaction'
import type { Plan } from '#lib/domain/sending/dispatch-policy'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { wakeCampaigns } from '#lib/services/campaigns/state'
import { wakePutOff } from '#lib/services/leads/state/put-off'
import type { DueCampaign, WaitingLead } from '#lib/services/sending/load'

/** Ends that are looked at in one transaction. */
const AT_ONCE = 500

/**
 * Leads that waited for another campaign have their turn from the instant at which it ended for their person, or for somebody of
 * their company. An end only leaves a row, since it may not lock other campaigns; whoever dispatches next reads it here, and
 * locks the campaigns of those who wait, in their order, before anything else. So at most one of the workers is at it.
 */
export async function wakeWaiting(pool: Pool, now: Date): Promise<void> {
  for (;;) {
    const { rows } = await pool.query(prepared('SELECT 1 FROM contact_wakes LIMIT 1', []))
    if (rows.length === 0) return
    const read = await inTransaction(pool, (client) => wakeSome(client, now))
    if (read < AT_ONCE) return
  }
}

type Wake = {
  wake_id: string
  workspace_id: string
  campaign_id: string | null
  person_id: string | null
  at: Date | null
}
type Woken = { campaign_lead_id: string; campaign_id: string; at: Date }

async function wakeSome(client: PoolClient, now: Date): Promise<number> {
  const { rows: wakes } = await client.query<Wake>(
    prepared(
      `SELECT wake_id, workspace_id, campaign_id, person_id, at FROM contact_wakes
       ORDER BY wake_id LIMIT $1 FOR UPDATE SKIP LOCKED`,
      [AT_ONCE],
    ),
  )
  if (wakes.length === 0) return 0
  // Who waits is looked at once more when their campaigns are locked: a claim may have put somebody off meanwhile.
  const before = await whoWakes(client, wakes, now)
  await lockCampaigns(client, [...new Set(before.map((lead) => lead.campaign_id))])
  const locked = new Set(before.map((lead) => lead.campaign_id))
  const woken = (before.length > 0 ? await whoWakes(client, wakes, now) : []).filter((lead) =>
    locked.has(lead.campaign_id),
  )
  await wakePutOff(client, woken)
  for (const [campaign_id, leads] of Map.groupBy(woken, (lead) => lead.campaign_id)) {
    const first = Math.min(...leads.map((lead) => lead.at.getTime()))
    await wakeCampaigns(client, [campaign_id], new Date(first))
  }
  await client.query(
    prepared('DELETE FROM contact_wakes WHERE wake_id = ANY ($1)', [wakes.map((wake) => wake.wake_id)]),
  )
  return wakes.length
}

const WAITS = `l.status = 'active' AND l.next_action_at = l.put_off_until`

/** A person may begin a millisecond after what they waited for: nobody does in the instant of an end, whoever is first. */
const AFTER = `date_trunc('milliseconds', w.at) + interval '1 millisecond'`

const WOKEN_PEOPLE = `SELECT l.campaign_lead_id, l.campaign_id,
    greatest(${AFTER}, stand.last_at + interval '24 hours' * s.rest_days + interval '1 millisecond') AS at
  FROM unnest($1::uuid[], $2::timestamptz[]) w (person_id, at)
    JOIN campaign_leads l ON l.person_id = w.person_id
    JOIN workspaces s ON s.workspace_id = l.workspace_id
    CROSS JOIN LATERAL (SELECT max(taken.at) AS last_at, bool_or(o.status = 'active') AS is_busy
      FROM campaign_leads o CROSS JOIN LATERAL (SELECT max(a.performed_at) AS at FROM actions a
        WHERE a.campaign_lead_id = o.campaign_lead_id AND a.status IN ('sending', 'retry', 'sent', 'uncertain')) taken
      WHERE o.person_id = l.person_id AND o.workspace_id = l.workspace_id AND o.campaign_id <> l.campaign_id
        AND taken.at IS NOT NULL) stand
  WHERE l.reason IN ('person_busy', 'resting') AND ${WAITS}
    AND NOT (s.one_campaign_at_a_time AND coalesce(stand.is_busy, false))`

/**
 * Of each campaign as many as their company has room for, by their places; whoever was woken before and had no turn yet counts.
 * Whoever does not take the room passes it on.
 */
const WOKEN_COLLEAGUES = `WITH w AS MATERIALIZED (
    SELECT p.company_id, p.workspace_id, max(w.at) AS at FROM unnest($1::uuid[], $2::timestamptz[]) w (person_id, at)
      JOIN people p ON p.person_id = w.person_id
      JOIN workspaces s ON s.workspace_id = p.workspace_id AND s.company_max_active IS NOT NULL
    WHERE p.company_id IS NOT NULL GROUP BY 1, 2),
  colleagues AS MATERIALIZED (
    SELECT w.company_id, w.workspace_id, w.at, l.campaign_lead_id, l.campaign_id, l.lead_index, l.person_id,
      l.reason = 'company_busy' AS waits, l.reason = 'company_busy' AND ${WAITS} AS is_asleep
    FROM w JOIN people p ON p.workspace_id = w.workspace_id AND p.company_id = w.company_id
      JOIN campaign_leads l ON l.person_id = p.person_id AND l.workspace_id = p.workspace_id AND l.status = 'active'),
  rooms AS (
    SELECT w.company_id, s.company_max_active - count(DISTINCT c.person_id) FILTER (WHERE EXISTS (
        SELECT 1 FROM actions a WHERE a.campaign_lead_id = c.campaign_lead_id
          AND a.status IN ('sending', 'retry', 'sent', 'uncertain'))) AS room
    FROM w JOIN workspaces s USING (workspace_id) LEFT JOIN colleagues c USING (company_id)
    GROUP BY w.company_id, s.company_max_active),
  queues AS (
    SELECT c.*, row_number() OVER (PARTITION BY c.company_id, c.campaign_id, c.is_asleep ORDER BY c.lead_index) AS place,
      count(*) FILTER (WHERE NOT c.is_asleep) OVER (PARTITION BY c.company_id, c.campaign_id) AS awake
    FROM colleagues c WHERE c.waits)
  SELECT w.campaign_lead_id, w.campaign_id, ${AFTER} AS at
  FROM queues w JOIN rooms r USING (company_id) WHERE w.is_asleep AND w.place <= r.room - w.awake`

const WOKEN_ALL = `SELECT l.campaign_lead_id, l.campaign_id, $3::timestamptz AS at
  FROM unnest($1::uuid[], $2::uuid[]) w (workspace_id, campaign_id)
    JOIN campaigns c ON c.workspace_id = w.workspace_id AND (w.campaign_id IS NULL OR c.campaign_id = w.campaign_id)
    JOIN campaign_leads l ON l.campaign_id = c.campaign_id
  WHERE l.reason IN ('person_busy', 'company_busy', 'resting') AND ${WAITS}`

async function whoWakes(client: PoolClient, wakes: Wake[], now: Date): Promise<Woken[]> {
  const ends = new Map<string, Date>()
  for (const { person_id, at } of wakes) {
    if (person_id === null) continue
    const end = at && at < now ? at : now
    const known = ends.get(person_id)
    if (!known || known < end) ends.set(person_id, end)
  }
  const woken = new Map<string, Woken>()
  const add = (rows: Woken[]) => {
    for (const row of rows) woken.set(row.campaign_lead_id, row)
  }
  const everywhere = wakes.filter((wake) => wake.person_id === null)
  if (everywhere.length > 0)
    add(
      (
        await client.query<Woken>(WOKEN_ALL, [
          everywhere.map((wake) => wake.workspace_id),
          everywhere.map((wake) => wake.campaign_id),
          now,
        ])
      ).rows,
    )
  if (ends.size > 0) {
    const values = [[...ends.keys()], [...ends.values()]]
    add((await client.query<Woken>(prepared(WOKEN_PEOPLE, values))).rows)
    add((await client.query<Woken>(prepared(WOKEN_COLLEAGUES, values))).rows)
  }
  return [...woken.values()]
}

/** Whoever was woken since their company had room, and did not take it at their turn, leaves it to the next. */
export async function passOnRoom(
  client: PoolClient,
  campaign: DueCampaign,
  plan: Plan,
  waiting: WaitingLead[],
  now: Date,
): Promise<void> {
  const others = [...plan.put_off.filter(({ hold }) => hold?.code !== 'company_busy'), ...plan.skips]
  const left = new Set(others.map((one) => one.lead_index))
  const ids = waiting.flatMap(({ campaign_lead_id, lead_index, reason }) =>
    reason === 'company_busy' && left.has(lead_index) ? [campaign_lead_id] : [],
  )
  if (ids.length === 0) return
  await client.query(
    `INSERT INTO contact_wakes (workspace_id, person_id, at)
     SELECT DISTINCT workspace_id, person_id, $3::timestamptz FROM campaign_leads
     WHERE campaign_lead_id = ANY ($1) AND campaign_id = $2 AND person_id IS NOT NULL`,
    [ids, campaign.campaign_id, now],
  )
}
