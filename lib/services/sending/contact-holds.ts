import type { PoolClient } from 'pg'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { prepared } from '#lib/db/prepared'
import { DAY_MS } from '#lib/domain/calendar/zoned-time'
import {
  type ContactGate,
  type ContactRules,
  type Elsewhere,
  hasContactRules,
  holdOfCompany,
  holdOfPerson,
} from '#lib/domain/sending/contact-hold'
import { begunLeadsSql, HAS_BEGUN, mayHaveBegun } from '#lib/services/leads/begun'
import type { ClaimedCampaign, DueCampaign, WaitingLead } from '#lib/services/sending/load'

/** The gate of a claim. `soon`: leads it held only for colleagues whose last step ended at this very instant. */
type ClaimGate = ContactGate & { soon: ReadonlySet<number> }

/**
 * Which of the leads due for their first step must wait for other campaigns of the workspace; null if none. Locks their people
 * and companies, in one order and after the campaign, its senders and its leads, before it reads where they stand. So until the
 * transaction ends no other campaign can start with them.
 */
export async function contactGate(
  client: PoolClient,
  campaign: ClaimedCampaign,
  waiting: readonly WaitingLead[],
  now: Date,
): Promise<ClaimGate | null> {
  if (campaign.contact_policy_override !== null) return null
  const rules: ContactRules = campaign
  if (!hasContactRules(rules)) return null
  const firsts = dueForFirst(waiting, now)
  if (firsts.length === 0) return null
  await lockForContact(client, rules, firsts)
  const people = await loadElsewhere(client, campaign, firsts, now)
  const free = firsts.filter((one) => !holdOfPerson(rules, people.get(one.person_id) ?? [], now.getTime()))
  const colleagues = await underWay(client, campaign, rules, free, now)
  const byIndex = new Map(firsts.map((one) => [one.lead_index, one]))
  const findCrowd = (one: First) =>
    one.company_id === null ? null : (colleagues.get(one.company_id) ?? null)
  const max = rules.company_max_active ?? Number.POSITIVE_INFINITY
  const soon = new Set<number>()
  return {
    soon,
    hold(lead_index, at) {
      const first = byIndex.get(lead_index)
      if (!first) return null
      const held = holdOfPerson(rules, people.get(first.person_id) ?? [], at)
      if (held) return held
      const crowd = findCrowd(first)
      if (!crowd || crowd.people.has(first.person_id) || crowd.people.size < max) return null
      if (crowd.is_over_for_some) soon.add(lead_index)
      return holdOfCompany(at)
    },
    acted(lead_index) {
      const first = byIndex.get(lead_index)
      if (first) findCrowd(first)?.people.add(first.person_id)
    },
    passed() {},
    over() {},
  }
}

type First = { lead_index: number; person_id: string; company_id: string | null }

/** Due leads without a performed step. Failed and skipped steps do not count as performed. */
function dueForFirst(waiting: readonly WaitingLead[], now: Date): First[] {
  // New leads go in campaign order, whatever due date an edit left them with.
  return waiting.flatMap(({ lead_index, person_id, company_id, is_new, due_at, has_begun }) =>
    person_id !== null && !has_begun && (is_new || due_at <= now)
      ? [{ lead_index, person_id, company_id }]
      : [],
  )
}

async function lockForContact(client: PoolClient, rules: ContactRules, firsts: readonly First[]) {
  const companies = rules.company_max_active === null ? [] : firsts.flatMap((one) => one.company_id ?? [])
  const ids = [...new Set([...firsts.map((one) => one.person_id), ...companies])].toSorted()
  await client.query(
    prepared(
      `SELECT count(pg_advisory_xact_lock(hashtextextended('contact:' || id, 0)))
       FROM (SELECT unnest($1::text[]) AS id) named`,
      [ids],
    ),
  )
}

type Lead = {
  person_id: string
  campaign_id: string
  is_active: boolean
  next_step: number | null
  next_action_at: Date | null
  last_action_at: Date
}

async function loadElsewhere(
  client: PoolClient,
  { workspace_id, campaign_id }: DueCampaign,
  firsts: readonly First[],
  now: Date,
): Promise<Map<string, Elsewhere[]>> {
  const { rows: leads } = await client.query<Lead>(
    prepared(
      `SELECT l.person_id, l.campaign_id, l.status = 'active' AS is_active, l.next_step, l.next_action_at, l.last_action_at
       FROM unnest($2::uuid[]) asked (person_id) CROSS JOIN ${begunLeadsSql('asked.person_id')}
       WHERE l.workspace_id = $1 AND l.campaign_id <> $3`,
      [workspace_id, [...new Set(firsts.map((one) => one.person_id))], campaign_id],
    ),
  )
  if (leads.length === 0) return new Map()
  const { rows: campaigns } = await client.query<{ campaign_id: string; steps_config: StepConfig[] }>(
    prepared(
      'SELECT campaign_id, steps_config FROM campaigns WHERE workspace_id = $1 AND campaign_id = ANY ($2)',
      [workspace_id, [...new Set(leads.map((lead) => lead.campaign_id))]],
    ),
  )
  const steps = new Map(campaigns.map((one) => [one.campaign_id, one.steps_config]))
  return Map.groupBy(
    leads.map((lead) => ({ ...lead, ...toElsewhere(lead, steps.get(lead.campaign_id) ?? [], now) })),
    (lead) => lead.person_id,
  )
}

/** The delays still ahead of the lead, starting with its next step, which may already be under way. */
function toElsewhere(lead: Lead, steps: readonly StepConfig[], now: Date): Elsewhere {
  const next = lead.next_action_at ?? lead.last_action_at
  const days = steps.slice(lead.next_step ?? steps.length).reduce((sum, step) => sum + step.delay_days, 0)
  return {
    campaign_id: lead.campaign_id,
    is_under_way: lead.is_active,
    free_at: Math.max(next.getTime(), now.getTime()) + days * DAY_MS,
    last_action_at: lead.last_action_at.getTime(),
  }
}

type Crowd = { people: Set<string>; is_over_for_some: boolean }

/**
 * SQL: the people of companies $2 for whom a campaign has begun and not ended, or ended at this very instant
 * ($3). An end that another worker's clock dated later counts as ended. Uses one index scan for all
 * companies: looking up each person takes three times as long. The ledger is read only if so many may have
 * begun that the $5 people asked about could exceed the limit $4. The full join keeps its plan even while
 * statistics do not know a campaign that has just started.
 */
const CROWDS = `WITH known AS MATERIALIZED (
    SELECT p.person_id, p.company_id FROM unnest($2::uuid[]) asked (id) JOIN people p ON p.company_id = asked.id AND p.workspace_id = $1
    WHERE $4::int < (SELECT count(*) FROM (SELECT 1 FROM people k WHERE k.company_id = asked.id LIMIT $4::int + 1) k)),
  begun AS (
    SELECT k.company_id, person_id, l.campaign_lead_id, l.is_over, count(l.campaign_lead_id) OVER (PARTITION BY k.company_id) AS most
    FROM known k FULL JOIN (SELECT l.person_id, l.campaign_lead_id, l.status <> 'active' AS is_over FROM campaign_leads l
      WHERE l.workspace_id = $1 AND l.person_id = ANY (ARRAY(SELECT person_id FROM known)) AND ${mayHaveBegun('l')}
        AND (l.status = 'active' OR l.last_event_at >= $3 AND l.last_event_at < $3::timestamptz + interval '1 millisecond') OFFSET 0) l USING (person_id) OFFSET 0)
  SELECT l.company_id, string_agg(l.person_id::text, ',') AS people, NOT bool_and(l.is_under_way) AS is_over_for_some FROM (
    SELECT l.company_id, l.person_id, bool_or(NOT l.is_over) AS is_under_way FROM begun l
    WHERE l.campaign_lead_id IS NOT NULL AND l.most > $4::int - $5::int AND ${HAS_BEGUN} GROUP BY 1, 2) l GROUP BY 1`

/**
 * Which people of these companies are in progress; empty if their number is not limited. A company with no
 * more known people than the limit is not looked up, since nobody there ever has to wait.
 */
async function underWay(
  client: PoolClient,
  { workspace_id }: DueCampaign,
  { company_max_active }: ContactRules,
  firsts: readonly First[],
  now: Date,
): Promise<Map<string, Crowd>> {
  const asking = Map.groupBy(
    firsts.flatMap((one) => one.company_id ?? []),
    (id) => id,
  )
  if (company_max_active === null || asking.size === 0) return new Map()
  const most = Math.max(...Array.from(asking.values(), (same) => same.length))
  const { rows } = await client.query<{ company_id: string; people: string; is_over_for_some: boolean }>(
    prepared(CROWDS, [workspace_id, [...asking.keys()], now, company_max_active, most]),
  )
  const crowds = new Map(
    rows.map(({ company_id, people, is_over_for_some }) => [
      company_id,
      { people: new Set(people.split(',')), is_over_for_some },
    ]),
  )
  return new Map(
    Array.from(asking.keys(), (id) => [id, crowds.get(id) ?? { people: new Set(), is_over_for_some: false }]),
  )
}
