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
import type { DueCampaign, WaitingLead } from '#lib/services/sending/load'

/** SQL: that a step was taken for a lead `l`, so that its person is, or was, under way. */
const HAS_BEGUN = `EXISTS (SELECT 1 FROM actions a WHERE a.campaign_lead_id = l.campaign_lead_id
  AND a.status IN ('sending', 'retry', 'sent', 'uncertain'))`

/**
 * Who of the leads that are due for their first step must wait for other campaigns of the workspace; null: nobody. From here to
 * the end of the transaction nobody else begins with these people, or with anybody of their companies: it takes their
 * locks in one order, after those of the campaign, its senders and its leads, and only then looks at where they stand.
 */
export async function contactGate(
  client: PoolClient,
  campaign: DueCampaign,
  waiting: readonly WaitingLead[],
  now: Date,
): Promise<ContactGate | null> {
  if (campaign.contact_policy_override !== null) return null
  const { rows: policies } = await client.query<ContactRules>(
    prepared(
      'SELECT one_campaign_at_a_time, company_max_active, rest_days FROM workspaces WHERE workspace_id = $1',
      [campaign.workspace_id],
    ),
  )
  const [rules] = policies
  if (!rules || !hasContactRules(rules)) return null
  const firsts = await dueForFirst(client, waiting, now)
  if (firsts.length === 0) return null
  await lockForContact(client, rules, firsts)
  const people = await standElsewhere(client, campaign, firsts, now)
  const colleagues = await underWay(client, campaign, rules, firsts, now)
  const byIndex = new Map(firsts.map((one) => [one.lead_index, one]))
  const room = (company_id: string | null) =>
    company_id === null ? null : (colleagues.get(company_id) ?? null)
  return {
    hold(lead_index, at) {
      const first = byIndex.get(lead_index)
      if (!first) return null
      const held = holdOfPerson(rules, people.get(first.person_id) ?? [], at)
      if (held) return held
      const busy = room(first.company_id)
      const max = rules.company_max_active ?? Number.POSITIVE_INFINITY
      return busy && !busy.has(first.person_id) && busy.size >= max ? holdOfCompany(at) : null
    },
    acted(lead_index) {
      const first = byIndex.get(lead_index)
      if (first) room(first.company_id)?.add(first.person_id)
    },
    passed() {},
    over() {},
  }
}

type First = { lead_index: number; person_id: string; company_id: string | null }

/** Leads whose turn may come now, and for whom no step was taken: one that failed or was passed over is none. */
async function dueForFirst(client: PoolClient, waiting: readonly WaitingLead[], now: Date): Promise<First[]> {
  // New leads come in the order of the campaign, whatever date an edit left them.
  const due = waiting.filter((lead) => lead.is_new || lead.due_at <= now)
  if (due.length === 0) return []
  const { rows } = await client.query<First>(
    prepared(
      `SELECT l.lead_index, l.person_id, p.company_id
       FROM unnest($1::uuid[]) asked (campaign_lead_id)
       JOIN campaign_leads l USING (campaign_lead_id)
       JOIN people p ON p.person_id = l.person_id AND p.workspace_id = l.workspace_id
       WHERE l.status = 'pending' OR NOT ${HAS_BEGUN}`,
      [due.map((lead) => lead.campaign_lead_id)],
    ),
  )
  return rows
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

async function standElsewhere(
  client: PoolClient,
  { workspace_id, campaign_id }: DueCampaign,
  firsts: readonly First[],
  now: Date,
): Promise<Map<string, Elsewhere[]>> {
  const { rows: leads } = await client.query<Lead>(
    prepared(
      `SELECT l.person_id, l.campaign_id, l.status = 'active' AS is_active, l.next_step, l.next_action_at,
         taken.at AS last_action_at
       FROM unnest($1::uuid[]) asked (person_id) JOIN campaign_leads l ON l.person_id = asked.person_id
         CROSS JOIN LATERAL (SELECT max(a.performed_at) AS at FROM actions a
           WHERE a.campaign_lead_id = l.campaign_lead_id AND a.status IN ('sending', 'retry', 'sent', 'uncertain')) taken
       WHERE l.workspace_id = $2 AND l.campaign_id <> $3 AND taken.at IS NOT NULL`,
      [[...new Set(firsts.map((one) => one.person_id))], workspace_id, campaign_id],
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

/** The delays that are still before the lead, from its next step on; that step itself may be under way. */
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

/**
 * The people of the companies asked for whom some campaign has begun and not ended, or not before this instant; none where there
 * may be any number.
 */
async function underWay(
  client: PoolClient,
  { workspace_id }: DueCampaign,
  { company_max_active }: ContactRules,
  firsts: readonly First[],
  now: Date,
): Promise<Map<string, Set<string>>> {
  const ids = [...new Set(firsts.flatMap((one) => one.company_id ?? []))]
  if (company_max_active === null || ids.length === 0) return new Map()
  const { rows } = await client.query<{ company_id: string; people: string[] }>(
    prepared(
      `SELECT p.company_id, array_agg(DISTINCT p.person_id) AS people FROM people p
         JOIN campaign_leads l ON l.person_id = p.person_id AND l.workspace_id = p.workspace_id
       WHERE p.workspace_id = $1 AND p.company_id = ANY ($2) AND (l.status = 'active' AND ${HAS_BEGUN}
           OR EXISTS (SELECT 1 FROM actions a WHERE a.campaign_lead_id = l.campaign_lead_id AND a.performed_at >= $3
             AND a.status IN ('sending', 'retry', 'sent', 'uncertain'))) GROUP BY 1`,
      [workspace_id, ids, now],
    ),
  )
  const people = new Map(rows.map((row) => [row.company_id, new Set(row.people)]))
  return new Map(ids.map((id) => [id, people.get(id) ?? new Set()]))
}
