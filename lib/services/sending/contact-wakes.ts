import type { Pool, PoolClient } from 'pg'
import { prepared } from '#lib/db/prepared'
import { inTransaction } from '#lib/db/transaction'
import { LOST_WAKE_MS } from '#lib/domain/sending/contact-hold'
import type { Plan } from '#lib/domain/sending/dispatch-policy'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { wakeCampaigns } from '#lib/services/campaigns/state'
import { IS_TAKEN, mayHaveBegun } from '#lib/services/leads/begun'
import { putOffLeads, wakePutOff } from '#lib/services/leads/state/put-off'
import type { DueCampaign, WaitingLead } from '#lib/services/sending/load'

/** Ended leads handled per transaction. */
const AT_ONCE = 500

/**
 * Wakes leads that waited for another campaign to end for their person or a colleague. The end itself only leaves a row, because
 * it must not lock other campaigns; the next dispatcher reads it here and locks the waiting campaigns, in order, before anything
 * else. So only one worker does this at a time. Ends at `now` are left until that instant has passed: more leads may start to wait
 * in it, and the freed room belongs to the first of them.
 */
export async function wakeWaiting(pool: Pool, now: Date): Promise<void> {
  for (;;) {
    const read = await inTransaction(pool, (client) => wakeBatch(client, now))
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

async function wakeBatch(client: PoolClient, now: Date): Promise<number> {
  const { rows: wakes } = await client.query<Wake>(
    prepared(
      `SELECT wake_id, workspace_id, campaign_id, person_id, at FROM contact_wakes
       WHERE at IS DISTINCT FROM $2 ORDER BY wake_id LIMIT $1 FOR UPDATE SKIP LOCKED`,
      [AT_ONCE, now],
    ),
  )
  if (wakes.length === 0) return 0
  // Read again under the locks of their campaigns: a claim may have put off more leads in the meantime.
  const before = await findWoken(client, wakes, now)
  await lockCampaigns(client, [...new Set(before.map((lead) => lead.campaign_id))])
  const locked = new Set(before.map((lead) => lead.campaign_id))
  const woken = (before.length > 0 ? await findWoken(client, wakes, now) : []).filter((lead) =>
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

/** A lead becomes due one millisecond after the end it waited for, so that nobody starts in the instant of an end. */
const AFTER = `date_trunc('milliseconds', w.at) + interval '1 millisecond'`

const WOKEN_PEOPLE = `SELECT l.campaign_lead_id, l.campaign_id,
    greatest(${AFTER}, stand.last_at + interval '24 hours' * s.rest_days + interval '1 millisecond') AS at
  FROM unnest($1::uuid[], $2::timestamptz[]) w (person_id, at)
    JOIN campaign_leads l ON l.person_id = w.person_id
    JOIN workspaces s ON s.workspace_id = l.workspace_id
    CROSS JOIN LATERAL (SELECT max(taken.at) AS last_at, bool_or(o.status = 'active') AS is_busy
      FROM campaign_leads o CROSS JOIN LATERAL (SELECT max(a.performed_at) AS at FROM actions a
        WHERE a.campaign_lead_id = o.campaign_lead_id AND ${IS_TAKEN}) taken
      WHERE o.person_id = l.person_id AND o.workspace_id = l.workspace_id AND o.campaign_id <> l.campaign_id
        AND ${mayHaveBegun('o')}
        AND taken.at IS NOT NULL) stand
  WHERE l.reason = 'person_busy' AND ${WAITS}
    AND NOT (s.one_campaign_at_a_time AND coalesce(stand.is_busy, false))`

/**
 * From each campaign as many leads as their company has room for, in list order. Leads woken earlier that had no turn yet count
 * against the room. A lead that does not use its room passes it on (`passOnRoom`).
 */
const WOKEN_COLLEAGUES = `WITH w AS MATERIALIZED (
    SELECT p.company_id, p.workspace_id, max(w.at) AS at FROM unnest($1::uuid[], $2::timestamptz[]) w (person_id, at)
      JOIN people p ON p.person_id = w.person_id
      JOIN workspaces s ON s.workspace_id = p.workspace_id AND s.company_max_active IS NOT NULL
    WHERE p.company_id IS NOT NULL GROUP BY 1, 2),
  colleagues AS MATERIALIZED (
    SELECT w.company_id, w.workspace_id, w.at, l.campaign_lead_id, l.campaign_id, l.lead_index, l.person_id,
      ${mayHaveBegun('l')} AS may_have_begun, l.reason = 'company_busy' AS waits, l.reason = 'company_busy' AND coalesce(${WAITS}, false) AS is_asleep
    FROM w JOIN people p ON p.workspace_id = w.workspace_id AND p.company_id = w.company_id
      JOIN campaign_leads l ON l.person_id = p.person_id AND l.workspace_id = p.workspace_id AND l.status = 'active'),
  rooms AS (
    SELECT w.company_id, s.company_max_active - count(DISTINCT c.person_id) FILTER (WHERE c.may_have_begun AND EXISTS (
        SELECT 1 FROM actions a WHERE a.campaign_lead_id = c.campaign_lead_id AND ${IS_TAKEN})) AS room
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
  WHERE l.reason IN ('person_busy', 'company_busy', 'resting', 'colleague_replied') AND ${WAITS}`

async function findWoken(client: PoolClient, wakes: Wake[], now: Date): Promise<Woken[]> {
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

/**
 * Offers a company's room to the next lead when the one woken for it did not use its turn. Leads held only for colleagues whose
 * last step ended at this very instant (`soon`) become due right after it.
 */
export async function passOnRoom(
  client: PoolClient,
  campaign: DueCampaign,
  plan: Plan,
  waiting: WaitingLead[],
  now: Date,
  soon: ReadonlySet<number> = new Set(),
): Promise<void> {
  const others = [...plan.put_off.filter(({ hold }) => hold?.code !== 'company_busy'), ...plan.skips]
  const left = new Set(others.map((one) => one.lead_index))
  const ids = waiting.flatMap(({ campaign_lead_id, lead_index, reason }) =>
    (reason === 'company_busy' && left.has(lead_index)) || soon.has(lead_index) ? [campaign_lead_id] : [],
  )
  if (ids.length === 0) return
  await client.query(
    `INSERT INTO contact_wakes (workspace_id, person_id, at)
     SELECT DISTINCT workspace_id, person_id, $3::timestamptz FROM campaign_leads
     WHERE campaign_lead_id = ANY ($1) AND campaign_id = $2 AND person_id IS NOT NULL`,
    [ids, campaign.campaign_id, now],
  )
}

/**
 * A safety net for lost wake-ups: leads that waited a week leave a row like that of an end, and keep waiting. They are not simply
 * started, because only `wakeWaiting` decides whose turn it is after an end. Returns whether there were any.
 */
export async function askForLostWakes(
  client: PoolClient,
  campaign: DueCampaign,
  waiting: readonly WaitingLead[],
  now: Date,
): Promise<boolean> {
  if (campaign.contact_policy_override !== null) return false
  const due = waiting.filter((lead) => lead.is_asleep && lead.due_at <= now)
  if (due.length === 0) return false
  // With the rules switched off there is nothing left to wait for: they have their turn like everybody.
  const { rows } = await client.query<{ campaign_lead_id: string; code: 'person_busy' | 'company_busy' }>(
    prepared(
      `WITH missed AS (SELECT l.campaign_lead_id, l.workspace_id, l.person_id, l.reason AS code
         FROM unnest($1::uuid[]) asked (campaign_lead_id) JOIN campaign_leads l USING (campaign_lead_id)
           JOIN workspaces s ON s.workspace_id = l.workspace_id
           JOIN people p ON p.person_id = l.person_id AND p.workspace_id = l.workspace_id
         WHERE l.reason = 'person_busy' AND s.one_campaign_at_a_time
           OR l.reason = 'company_busy' AND s.company_max_active IS NOT NULL AND p.company_id IS NOT NULL),
       left_rows AS (INSERT INTO contact_wakes (workspace_id, person_id, at)
         SELECT DISTINCT workspace_id, person_id, $2::timestamptz FROM missed)
       SELECT campaign_lead_id, code FROM missed`,
      [due.map((lead) => lead.campaign_lead_id), now],
    ),
  )
  const codes = new Map(rows.map((row) => [row.campaign_lead_id, row.code]))
  const until = new Date(now.getTime() + LOST_WAKE_MS)
  const again = due.flatMap(({ campaign_lead_id, next_step }) => {
    const code = codes.get(campaign_lead_id)
    const step = campaign.steps_config[next_step - 1]
    if (!code || !step) return []
    const hold = { code, until: now.getTime(), ask_again_at: until.getTime(), campaign_id: null }
    const { channel, action_type } = step
    return [{ campaign_lead_id, step: next_step, until, channel, action_type, hold, isNews: false }]
  })
  await putOffLeads(client, campaign, again, now)
  return again.length > 0
}
