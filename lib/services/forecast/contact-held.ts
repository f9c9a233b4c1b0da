import type { Reader } from '#lib/db/client'
import { db } from '#lib/db/client'
import { CAMPAIGN_STATUSES, type CampaignStatus, mayDispatch } from '#lib/domain/campaigns/campaign-status'
import type { ContactHeld } from '#lib/domain/forecast/explain-wait'
import { type People, readAllBegun, readBegunPeople } from '#lib/services/forecast/begun-elsewhere'
import { unpackPlaces } from '#lib/services/forecast/leads'
import { numberPeople, UUID_BYTES } from '#lib/services/forecast/numbered-people'
import { begunLeadsSql, HAS_BEGUN, mayHaveBegun, moreBegunSql } from '#lib/services/leads/begun'

export type Holder = { campaign_id: string; name: string; status: CampaignStatus; people: number }

/**
 * The campaign's unfinished leads. Leads for which a step was performed are left out: their own campaign no
 * longer waits for others.
 */
const WAITING = `SELECT l.lead_index, l.person_id FROM campaign_leads l
  WHERE l.workspace_id = $1 AND l.campaign_id = $2 AND l.status IN ('pending', 'active') AND l.person_id IS NOT NULL
    AND NOT (${mayHaveBegun('l')} AND ${HAS_BEGUN})`

/** The rows of a dataset whose address belongs to a known person. */
const KNOWN = `SELECT r.lead_index, coalesce(p.merged_into_id, p.person_id) AS person_id
  FROM dataset_rows r
    JOIN people p ON p.workspace_id = r.workspace_id AND p.email = r.email
  WHERE r.workspace_id = $1 AND r.dataset_id = $2`

type Campaign = { workspace_id: string; campaign_id: string; contact_policy_override: string | null }

type Asked = {
  campaign: Campaign
  after: Date
  /** How many people are asked about; null: all unfinished leads of the campaign. */
  people: number | null
}

/**
 * If more than this many times the people asked about may have begun other campaigns, they are looked up
 * person by person.
 */
const AT_ONCE = 10

async function heldUntil(
  reader: Reader,
  { campaign, after }: Asked,
  policy: HoldingPolicy | undefined,
  people: People,
): Promise<ReadonlyMap<number, number>> {
  const held = new Map<number, number>()
  if (!policy) return held
  const asked = { campaign, after, policy }
  const hold = (lead: number, until: number) => {
    if (until > Math.max(after.getTime(), held.get(lead) ?? 0)) held.set(lead, until)
  }
  if (policy.are_many) {
    const begun = await readBegunPeople(reader, asked, people)
    for (const { keys, untils } of begun)
      for (const [at, lead] of unpackPlaces(keys).entries()) hold(lead, untils[at] ?? 0)
    return held
  }
  const [waiting, begun] = await Promise.all([
    readPeople(reader, campaign.workspace_id, people),
    readAllBegun(reader, asked),
  ])
  const persons = numberPeople()
  const last: number[] = []
  for (const { keys, untils } of begun)
    for (const [at, until] of untils.entries()) {
      const person = persons.add(keys, at * UUID_BYTES)
      last[person] = Math.max(last[person] ?? 0, until)
    }
  for (const [at, lead] of waiting.leads.entries())
    hold(lead, last[persons.find(waiting.persons, at * UUID_BYTES)] ?? 0)
  return held
}

/** The lead indexes and person ids, in the same order. */
async function readPeople(reader: Reader, workspaceId: string, { sql, of }: People) {
  const { rows } = await reader.query<{ leads: Buffer | null; persons: Buffer | null }>(
    `SELECT string_agg(int4send(lead_index), '') AS leads, string_agg(uuid_send(person_id), '') AS persons FROM (${sql}) people`,
    [workspaceId, of],
  )
  const { leads = null, persons = null } = rows[0] ?? {}
  return { leads: unpackPlaces(leads), persons: persons ?? Buffer.alloc(0) }
}

export type HoldingPolicy = {
  one_campaign_at_a_time: boolean
  rest_days: number
  /** More people may have begun other campaigns than should be read at once; see AT_ONCE. */
  are_many: boolean
  /** Unfinished leads of all running campaigns. */
  open_leads: number
}

/**
 * The contact policy that makes people wait for other campaigns; undefined if there is none, or if this
 * campaign ignores it.
 */
export async function readHoldingPolicy(
  reader: Reader,
  { campaign, people }: Pick<Asked, 'campaign' | 'people'>,
) {
  if (campaign.contact_policy_override !== null) return undefined
  const open = 'greatest(0, c.total_leads - c.processed_leads)'
  const { rows } = await reader.query<HoldingPolicy>(
    `SELECT one_campaign_at_a_time, rest_days,
       (SELECT coalesce(sum(${open}), 0)::float8 FROM campaigns c WHERE c.workspace_id = $1 AND c.status::text = ANY ($4)) AS open_leads,
       ${moreBegunSql(`${AT_ONCE} * coalesce($2::int,
         (SELECT ${open} FROM campaigns c WHERE c.workspace_id = $1 AND c.campaign_id = $3), 0)`)} AS are_many
     FROM workspaces WHERE workspace_id = $1 AND (one_campaign_at_a_time OR rest_days > 0)`,
    [campaign.workspace_id, people, campaign.campaign_id, CAMPAIGN_STATUSES.filter(mayDispatch)],
  )
  return rows[0]
}

/**
 * By lead_index, the earliest instant at which other campaigns may be done with each person of a campaign.
 */
export async function heldLeadsElsewhere(reader: Reader, asked: Asked, policy?: HoldingPolicy) {
  return heldUntil(reader, asked, policy ?? (await readHoldingPolicy(reader, asked)), {
    sql: WAITING,
    of: asked.campaign.campaign_id,
  })
}

/** The same for the rows of a dataset before they are enrolled. */
export async function heldRowsElsewhere(reader: Reader, asked: Asked, datasetId: string) {
  return heldUntil(reader, asked, await readHoldingPolicy(reader, asked), {
    sql: KNOWN,
    of: datasetId,
  })
}

/** Which campaigns are in progress for people of a dataset, and for how many of them; most people first. */
export async function holdersOfRows(
  reader: Reader,
  campaign: Campaign,
  datasetId: string,
  now: Date,
): Promise<Holder[]> {
  const policy = await readHoldingPolicy(reader, { campaign, people: 0 })
  if (!policy) return []
  const asked = { campaign, after: now, policy }
  const begun = await readBegunPeople(reader, asked, { sql: KNOWN, of: datasetId })
  const leadsOf = new Map<string, Set<number>>()
  for (const { campaign_id, is_busy, keys, untils } of begun) {
    const leads = leadsOf.get(campaign_id) ?? new Set()
    for (const [at, lead] of unpackPlaces(keys).entries())
      if (is_busy || (untils[at] ?? 0) > now.getTime()) leads.add(lead)
    if (leads.size > 0) leadsOf.set(campaign_id, leads)
  }
  const campaigns = await db.campaign.findMany({
    where: { workspace_id: campaign.workspace_id, campaign_id: { in: [...leadsOf.keys()] } },
    select: { campaign_id: true, name: true, status: true },
  })
  return campaigns
    .map((one) => ({ ...one, people: leadsOf.get(one.campaign_id)?.size ?? 0 }))
    .toSorted((a, b) => b.people - a.people || a.name.localeCompare(b.name))
}

/**
 * How many people of a dataset would wait for colleagues because the policy limits how many people of one
 * company may be contacted at once; null if it does not.
 */
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
       JOIN people p ON p.company_id = c.company_id AND p.workspace_id = $1 CROSS JOIN ${begunLeadsSql('p.person_id')}
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

/** For each lead the later of its two instants. */
export function latest(
  one: ReadonlyMap<number, number>,
  other: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  if (one.size === 0) return other
  const both = new Map(one)
  for (const [lead, until] of other) both.set(lead, Math.max(both.get(lead) ?? 0, until))
  return both
}

/**
 * For each campaign: how many people the contact policy put off, and the earliest end of the wait of the
 * person put off last.
 */
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
