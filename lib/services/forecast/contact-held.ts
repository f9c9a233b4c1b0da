import type { Reader } from '#lib/db/client'
import { DAY_MS } from '#lib/domain/calendar/zoned-time'
import { CAMPAIGN_STATUSES, type CampaignStatus, mayDispatch } from '#lib/domain/campaigns/campaign-status'
import type { ContactHeld } from '#lib/domain/forecast/explain-wait'
import { begunOfPerson, HAS_BEGUN, haveMoreBegun, IS_TAKEN, mayHaveBegun } from '#lib/services/leads/begun'

export type Holder = { campaign_id: string; name: string; status: CampaignStatus; people: number }

const PAIR = `asked.lead_index, l.campaign_id, l.status, l.next_step, l.next_action_at, l.last_action_at`

/** SQL of the leads of others that may have begun with the people in `asked` (lead_index, person_id), looked up person by person. */
const byPerson = (asked: string) =>
  `SELECT ${PAIR} FROM (${asked}) asked CROSS JOIN ${begunOfPerson('asked.person_id')}`

/** SQL: that a step was taken for a lead `l` whose next is still to come, as far as it says so itself. */
const IS_UNDER_WAY = `l.status = 'active' AND (l.current_step > 0 OR l.next_action_at IS NULL AND l.last_event IS DISTINCT FROM 'held')`

/**
 * The same from all that may have begun in the workspace at once, which costs a tenth of it where these are about as many as are
 * asked about. When the last step was does not matter while another is to come: the ledger is asked of the others only. A full
 * join is one of two sets, whatever statistics say of a campaign that has just begun.
 */
const atOnce = (asked: string) => `SELECT ${PAIR} FROM (${asked}) asked FULL JOIN (
    SELECT l.person_id, l.campaign_id, l.status, l.next_step, l.next_action_at, CASE WHEN $4::boolean AND ${IS_UNDER_WAY} THEN '-infinity'
      ELSE (SELECT max(a.performed_at) FROM actions a WHERE a.campaign_lead_id = l.campaign_lead_id AND ${IS_TAKEN}) END AS last_action_at
    FROM campaign_leads l
    WHERE l.workspace_id = $1 AND l.campaign_id <> $2 AND ${mayHaveBegun('l')} AND (l.status = 'active'
      OR l.last_event_at >= to_timestamp($3::float8 / 1000) - interval '24 hours' * ($5::int + 1)) OFFSET 0) l USING (person_id) OFFSET 0`

/** SQL of an instant in milliseconds: adding intervals to ten thousand instants takes longer than finding them. */
const ms = (instant: string) => `date_part('epoch', ${instant}) * 1000`

/**
 * SQL of (lead_index, until, campaign_id) of `pairs`: people whom other campaigns of workspace $1 than $2 have at $3, each with the
 * first instant at which that could be over, both in milliseconds. $4 and $5: `one_campaign_at_a_time` and `rest_days` of the workspace.
 */
const elsewhere = (pairs: string) => `
  SELECT l.lead_index, l.campaign_id, $4::boolean AND l.status = 'active' AS is_busy, $5::int * ${DAY_MS}::float8 + greatest(
      CASE WHEN $4::boolean AND l.status = 'active'
        THEN greatest(${ms('greatest(l.next_action_at, l.last_action_at)')}, $3::float8) + coalesce(left_over.delays, 0) END,
      ${ms('l.last_action_at')}) AS until
  FROM (${pairs}) l
    LEFT JOIN (SELECT c.campaign_id, s.place AS step, ${DAY_MS} * sum((s.step ->> 'delay_days')::int)
        OVER (PARTITION BY c.campaign_id ORDER BY s.place DESC ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) AS delays
      FROM campaigns c CROSS JOIN jsonb_array_elements(c.steps_config) WITH ORDINALITY s (step, place)
      WHERE c.workspace_id = $1 AND c.launched_at IS NOT NULL OFFSET 0) left_over
      ON left_over.campaign_id = l.campaign_id AND left_over.step = l.next_step
  WHERE l.campaign_id <> $2 AND l.lead_index IS NOT NULL AND l.last_action_at IS NOT NULL OFFSET 0`

/** The leads of a campaign that are not over. For whom a step was taken is nobody's but their own campaign's. */
const WAITING = `SELECT l.lead_index, l.person_id FROM campaign_leads l
  WHERE l.campaign_id = $2 AND l.workspace_id = $1 AND l.status IN ('pending', 'active') AND l.person_id IS NOT NULL
    AND NOT (${mayHaveBegun('l')} AND ${HAS_BEGUN})`

/** The rows of dataset $6 whose address is that of somebody known. */
const KNOWN = `SELECT r.lead_index, coalesce(p.merged_into_id, p.person_id) AS person_id
  FROM dataset_rows r
    JOIN people p ON p.workspace_id = r.workspace_id AND p.email = r.email
  WHERE r.workspace_id = $1 AND r.dataset_id = $6`

type Campaign = { workspace_id: string; campaign_id: string; contact_policy_override: string | null }

type Asked = {
  campaign: Campaign
  after: Date
  /** How many people are asked about; null: all for whom the campaign is not over. */
  people: number | null
}

/** Beyond so many times the people asked about, those who may have begun are looked up person by person. */
const AT_ONCE = 10

async function heldUntil(
  reader: Reader,
  { campaign, after }: Asked,
  policy: HoldingPolicy | undefined,
  asked: string,
  more: string[] = [],
) {
  const held = new Map<number, number>()
  if (!policy) return held
  const pairs = policy.are_many ? byPerson(asked) : atOnce(asked)
  // As two texts: ten thousand people would be as many objects.
  const { rows } = await reader.query<{ leads: string | null; untils: string | null }>(
    `SELECT string_agg(lead_index::text, ',') AS leads, string_agg(until::int8::text, ',') AS untils
     FROM (${elsewhere(pairs)}) held WHERE until > $3::float8`,
    [...asks(campaign, after, policy), ...more],
  )
  const untils = rows[0]?.untils?.split(',').map(Number) ?? []
  for (const [at, lead] of rows[0]?.leads?.split(',').map(Number).entries() ?? [])
    held.set(lead, Math.max(held.get(lead) ?? 0, untils[at] ?? 0))
  return held
}

export type HoldingPolicy = {
  one_campaign_at_a_time: boolean
  rest_days: number
  /** More may have begun than are read at once for so many. */
  are_many: boolean
  /** Leads of all campaigns under way that are not over. */
  open_leads: number
}

/** What makes people wait for each other's campaigns; undefined: nothing does, or this campaign need not wait. */
export async function readHoldingPolicy(
  reader: Reader,
  { campaign, people }: Pick<Asked, 'campaign' | 'people'>,
) {
  if (campaign.contact_policy_override !== null) return undefined
  const open = 'greatest(0, c.total_leads - c.processed_leads)'
  const { rows } = await reader.query<HoldingPolicy>(
    `SELECT one_campaign_at_a_time, rest_days,
       (SELECT coalesce(sum(${open}), 0)::float8 FROM campaigns c WHERE c.workspace_id = $1 AND c.status::text = ANY ($4)) AS open_leads,
       ${haveMoreBegun(`${AT_ONCE} * coalesce($2::int,
         (SELECT ${open} FROM campaigns c WHERE c.workspace_id = $1 AND c.campaign_id = $3), 0)`)} AS are_many
     FROM workspaces WHERE workspace_id = $1 AND (one_campaign_at_a_time OR rest_days > 0)`,
    [campaign.workspace_id, people, campaign.campaign_id, CAMPAIGN_STATUSES.filter(mayDispatch)],
  )
  return rows[0]
}

/** $1 to $5 of what `elsewhere` asks. */
const asks = ({ workspace_id, campaign_id }: Campaign, at: Date, policy: HoldingPolicy) => [
  workspace_id,
  campaign_id,
  at.getTime(),
  policy.one_campaign_at_a_time,
  policy.rest_days,
]

/** Until when other campaigns have people of a campaign at least, by lead_index. */
export async function heldLeadsElsewhere(reader: Reader, asked: Asked, policy?: HoldingPolicy) {
  return heldUntil(reader, asked, policy ?? (await readHoldingPolicy(reader, asked)), WAITING)
}

/** The same for the rows of a dataset that is not enrolled. */
export async function heldRowsElsewhere(reader: Reader, asked: Asked, datasetId: string) {
  return heldUntil(reader, asked, await readHoldingPolicy(reader, asked), KNOWN, [datasetId])
}

/** Which campaigns have people of a dataset, and how many, most first. */
export async function holdersOfRows(
  reader: Reader,
  campaign: Campaign,
  datasetId: string,
  now: Date,
): Promise<Holder[]> {
  const policy = await readHoldingPolicy(reader, { campaign, people: 0 })
  if (!policy) return []
  const { rows } = await reader.query<Holder>(
    `SELECT held.campaign_id, c.name, c.status, count(DISTINCT held.lead_index)::int AS people
     FROM (${elsewhere(byPerson(KNOWN))}) held JOIN campaigns c ON c.campaign_id = held.campaign_id AND c.workspace_id = $1
     WHERE held.is_busy OR held.until > $3::float8 GROUP BY 1, 2, 3 ORDER BY 4 DESC, 2`,
    [...asks(campaign, now, policy), datasetId],
  )
  return rows
}

/** How many people of a dataset wait for colleagues, since campaigns write to so many of a company at once; null: to any number. */
export async function rowsBesideColleagues(
  reader: Reader,
  campaign: Campaign,
  datasetId: string,
): Promise<{ people: number; max: number } | null> {
  if (campaign.contact_policy_override !== null) return null
  const { rows } = await reader.query<{ people: number; max: number }>(
    `WITH asked AS MATERIALIZED (SELECT DISTINCT p.person_id, p.company_id
       FROM dataset_rows r JOIN people named ON named.workspace_id = r.workspace_id AND named.email = r.email
         JOIN people p ON p.person_id = coalesce(named.merged_into_id, named.person_id) AND p.workspace_id = r.workspace_id
       WHERE r.workspace_id = $1 AND r.dataset_id = $2 AND p.company_id IS NOT NULL),
     busy AS (SELECT DISTINCT p.person_id, p.company_id FROM (SELECT DISTINCT company_id FROM asked) c
       JOIN people p ON p.company_id = c.company_id AND p.workspace_id = $1 CROSS JOIN ${begunOfPerson('p.person_id')}
       WHERE l.workspace_id = $1 AND l.status = 'active'),
     crowds AS (SELECT company_id, count(DISTINCT person_id) AS people, count(DISTINCT person_id) FILTER (WHERE is_asked) AS asked
       FROM (SELECT person_id, company_id, true AS is_asked FROM asked UNION ALL SELECT *, false FROM busy) everybody GROUP BY 1)
     SELECT w.company_max_active AS max, coalesce(sum(least(c.asked, greatest(0, c.people - w.company_max_active))), 0)::int AS people
     FROM workspaces w LEFT JOIN crowds c ON true
     WHERE w.workspace_id = $1 AND w.company_max_active IS NOT NULL GROUP BY 1`,
    [campaign.workspace_id, datasetId],
  )
  return rows[0] ?? null
}

/** The later of two instants for each lead. */
export function latest(
  one: ReadonlyMap<number, number>,
  other: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  if (one.size === 0) return other
  const both = new Map(one)
  for (const [lead, until] of other) both.set(lead, Math.max(both.get(lead) ?? 0, until))
  return both
}

/** Of each campaign the people whom the contact policy put off, and when that could be over for the one who was put off last. */
export async function contactHeldCounts(
  reader: Reader,
  campaignIds: string[],
): Promise<Map<string, ContactHeld>> {
  if (campaignIds.length === 0) return new Map()
  const { rows } = await reader.query<ContactHeld & { of: string }>(
    `SELECT DISTINCT ON (l.campaign_id) l.campaign_id AS of, l.reason AS code, count(*)::int AS people,
       (extract(epoch FROM CASE WHEN l.reason IN ('colleague_replied', 'provider_paused') THEN min(l.put_off_until)
         ELSE (last.detail ->> 'until')::timestamptz END) * 1000)::float8 AS until,
       last.detail ->> 'campaign_id' AS campaign_id, last.detail ->> 'colleague' AS colleague
     FROM campaign_leads l
       LEFT JOIN LATERAL (SELECT e.detail FROM campaign_events e WHERE e.campaign_id = l.campaign_id AND e.kind = 'put_off'
         ORDER BY e.event_id DESC LIMIT 1) last ON true
     WHERE l.campaign_id = ANY ($1) AND l.status = 'active' AND l.next_action_at = l.put_off_until
       AND l.reason IN ('person_busy', 'company_busy', 'resting', 'colleague_replied', 'provider_paused')
     GROUP BY l.campaign_id, l.reason, last.detail ORDER BY l.campaign_id, count(*) DESC`,
    [campaignIds],
  )
  return new Map(rows.map(({ of, ...held }) => [of, held]))
}
