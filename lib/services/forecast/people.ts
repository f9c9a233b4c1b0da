import type { Reader } from '#lib/db/client'
import { DAY_MS } from '#lib/domain/calendar/zoned-time'
import type { CampaignPeople, SharedPeople } from '#lib/domain/forecast/shared-people'
import { type ContactRules, hasContactRules } from '#lib/domain/sending/contact-hold'
import type { Forecastable } from '#lib/services/forecast/input'
import { unpackPlaces } from '#lib/services/forecast/leads'
import { type NumberedPeople, numberPeople, UUID_BYTES } from '#lib/services/forecast/numbered-people'
import { begunLeadsSql, HAS_BEGUN, IS_TAKEN, mayHaveBegun, moreBegunSql } from '#lib/services/leads/begun'

type Asked = {
  startsAt: Date
  /** The rows of the first campaign if it is not enrolled; null if all campaigns are enrolled. */
  dataset_id: string | null
}
type Numbered = Omit<CampaignPeople, 'asleep' | 'begun'> & { begun: Set<number> }
type Loaded = { people: SharedPeople; of: Numbered[] }

/**
 * Numbers the people of campaigns that are simulated together, and reads their state in all campaigns of the
 * workspace.
 */
export async function loadPeople(
  reader: Reader,
  rules: ContactRules,
  campaigns: Forecastable[],
  { startsAt, dataset_id }: Asked,
): Promise<Loaded> {
  const numbers = numberPeople()
  const ids = campaigns.map((campaign) => campaign.campaign_id)
  const place = new Map(ids.map((id, index) => [id, index]))
  const of = campaigns.map(
    ({ contact_policy_override }): Numbered => ({
      person_of: new Int32Array(0),
      begun: new Set(),
      is_free: contact_policy_override !== null,
    }),
  )
  const workspaceId = campaigns[0]?.workspace_id
  const [mine] = ids
  if (hasContactRules(rules)) {
    // Packed per campaign, because a million rows would be a million objects.
    const { rows } = await reader.query<{ campaign_id: string; leads: Buffer; people: Buffer }>(
      `SELECT campaign_id, string_agg(int4send(lead_index), '') AS leads, string_agg(uuid_send(person_id), '') AS people FROM (
         SELECT campaign_id, lead_index, person_id FROM campaign_leads
         WHERE workspace_id = $1 AND campaign_id = ANY ($2) AND status IN ('pending', 'active') AND person_id IS NOT NULL
         UNION ALL
         SELECT $3::uuid, r.lead_index, coalesce(p.merged_into_id, p.person_id) FROM dataset_rows r
           JOIN people p ON p.workspace_id = r.workspace_id AND p.email = r.email
         WHERE r.workspace_id = $1 AND r.dataset_id = $4) open GROUP BY 1`,
      [workspaceId, ids, mine, dataset_id],
    )
    for (const { campaign_id, leads, people } of rows) {
      const one = of[place.get(campaign_id) ?? -1]
      if (one) one.person_of = numbered(leads, people, numbers)
    }
  }
  const people: SharedPeople = {
    rules,
    busy: new Int16Array(numbers.size),
    last_at: new Float64Array(numbers.size).fill(Number.NEGATIVE_INFINITY),
    company_of: new Int32Array(numbers.size).fill(-1),
    company_busy: new Int32Array(0),
  }
  if (numbers.size === 0) return { people, of }
  await stand(reader, { people, of, numbers, place, startsAt, workspaceId })
  if (rules.company_max_active !== null) await companies(reader, { people, of, numbers, place, workspaceId })
  return { people, of }
}

function numbered(leads: Buffer, people: Buffer, numbers: NumberedPeople): Int32Array {
  const indexes = unpackPlaces(leads)
  const most = indexes.reduce((last, lead) => Math.max(last, lead), -1)
  const person_of = new Int32Array(most + 1).fill(-1)
  for (const [at, lead] of indexes.entries()) person_of[lead] = numbers.add(people, at * UUID_BYTES)
  return person_of
}

type Standing = Loaded & {
  numbers: NumberedPeople
  place: Map<string, number>
  workspaceId: string | undefined
}

/** The last step of lead `l` is in progress; a forecast assumes it is accepted and so ends the lead. */
const IS_LAST = `l.next_action_at IS NULL AND l.next_step >= jsonb_array_length(c.steps_config)
  AND EXISTS (SELECT 1 FROM actions a WHERE a.campaign_lead_id = l.campaign_lead_id AND a.status = 'sending')`

/** SQL: lead `l` is not finished, or was not before $2. */
const IS_RECENT = `(l.status = 'active' OR l.last_event_at >= $2)`

/**
 * SQL: per campaign, packed, the leads that have begun and were not finished before $2: their person, whether
 * they are in progress, and when their last step was performed. `begun` yields leads `l` of workspace $1 with
 * `last_action_at`.
 */
const byCampaign = (
  begun: string,
) => `SELECT l.campaign_id, string_agg(uuid_send(l.person_id), '') AS persons,
    string_agg(int4send(l.lead_index), '') AS leads, string_agg(boolsend(l.status = 'active' AND NOT (${IS_LAST})), '') AS under_way,
    string_agg(float8send(date_part('epoch', l.last_action_at) * 1000), '') AS last_at
  FROM ${begun} JOIN campaigns c ON c.campaign_id = l.campaign_id
  WHERE ${IS_RECENT} AND l.last_action_at IS NOT NULL GROUP BY 1`

/** For the people in $3 (comma-separated ids), looked up person by person. */
const OF_PEOPLE = byCampaign(
  `unnest(string_to_array($3, ',')::uuid[]) asked (person_id) CROSS JOIN ${begunLeadsSql('asked.person_id')}`,
)
const OF_ALL = byCampaign(`(SELECT l.*, (SELECT max(a.performed_at) FROM actions a
    WHERE a.campaign_lead_id = l.campaign_lead_id AND ${IS_TAKEN}) AS last_action_at
  FROM campaign_leads l WHERE l.workspace_id = $1 AND ${mayHaveBegun('l')} AND l.person_id IS NOT NULL AND ${IS_RECENT} OFFSET 0) l`)

/**
 * If more than this many times the people may have begun a campaign in the workspace, the people are looked
 * up one by one.
 */
const MOST_TIMES = 3

const ARE_MANY = `SELECT ${moreBegunSql(`${MOST_TIMES} * $2::int`)} AS are_many`

type Begun = Record<'persons' | 'leads' | 'under_way' | 'last_at', Buffer> & { campaign_id: string }

async function stand(
  reader: Reader,
  { people, of, numbers, place, startsAt, workspaceId }: Standing & { startsAt: Date },
) {
  const since = new Date(startsAt.getTime() - people.rules.rest_days * DAY_MS - DAY_MS)
  const many = await reader.query<{ are_many: boolean }>(ARE_MANY, [workspaceId, numbers.size])
  const { rows } = many.rows[0]?.are_many
    ? await reader.query<Begun>(OF_PEOPLE, [workspaceId, since, numbers.ids().join(',')])
    : await reader.query<Begun>(OF_ALL, [workspaceId, since])
  for (const { campaign_id, persons, leads, under_way, last_at } of rows) {
    const walked = of[place.get(campaign_id) ?? -1]
    for (let at = 0; at < under_way.length; at++) {
      const person = numbers.find(persons, at * UUID_BYTES)
      if (person < 0) continue
      const taken = last_at.readDoubleBE(at * 8)
      people.last_at[person] = Math.max(people.last_at[person] ?? Number.NEGATIVE_INFINITY, taken)
      if (under_way[at] !== 1) continue
      if (walked) walked.begun.add(leads.readInt32BE(at * 4))
      else people.busy[person] = (people.busy[person] ?? 0) + 1
    }
  }
}

/**
 * The people in numeric order ($2, comma-separated ids), each with the number of their company, and for each
 * company how many other people are in progress. Packed, because ten thousand rows would be ten thousand
 * objects. The people of the simulated campaigns are left out of the count, since their state is already
 * known.
 */
const COMPANIES = `WITH mine AS MATERIALIZED (
    SELECT named.person_id, named.number, p.company_id FROM unnest(string_to_array($2, ',')::uuid[]) WITH ORDINALITY named (person_id, number)
      LEFT JOIN people p ON p.person_id = named.person_id AND p.workspace_id = $1 OFFSET 0),
  companies AS MATERIALIZED (
    SELECT company_id, row_number() OVER () - 1 AS number FROM (SELECT DISTINCT company_id FROM mine WHERE company_id IS NOT NULL) c),
  others AS (
    SELECT p.company_id, p.person_id FROM people p WHERE p.workspace_id = $1 AND p.company_id IN (SELECT company_id FROM companies)
    EXCEPT SELECT company_id, person_id FROM mine)
  SELECT (SELECT string_agg(int4send(coalesce(c.number, -1)::int), '' ORDER BY m.number) FROM mine m LEFT JOIN companies c USING (company_id)) AS company_of,
    (SELECT string_agg(int4send(coalesce(o.busy, 0)::int), '' ORDER BY c.number) FROM companies c LEFT JOIN (
      SELECT o.company_id, count(*) AS busy FROM others o WHERE EXISTS (SELECT 1 FROM campaign_leads l
        WHERE l.person_id = o.person_id AND l.workspace_id = $1 AND l.status = 'active' AND ${mayHaveBegun('l')} AND ${HAS_BEGUN})
      GROUP BY 1) o USING (company_id)) AS company_busy`

/** Reads the companies of the people, and how many other people of each company are in progress. */
async function companies(reader: Reader, { people, numbers, workspaceId }: Standing) {
  const { rows } = await reader.query<{ company_of: Buffer; company_busy: Buffer | null }>(COMPANIES, [
    workspaceId,
    numbers.ids().join(','),
  ])
  people.company_of = Int32Array.from(unpackPlaces(rows[0]?.company_of ?? null))
  people.company_busy = Int32Array.from(unpackPlaces(rows[0]?.company_busy ?? null))
  // A person in progress in a campaign that is not simulated stays so for the whole forecast.
  for (const [person, count] of people.busy.entries()) {
    const company = people.company_of[person] ?? -1
    if (count > 0 && company >= 0) people.company_busy[company] = (people.company_busy[company] ?? 0) + 1
  }
}
