import type { Reader } from '#lib/db/client'
import { db } from '#lib/db/client'
import { CAMPAIGN_STATUSES, mayDispatch } from '#lib/domain/campaigns/campaign-status'
import {
  type Beside,
  type Forecast,
  type ForecastInput,
  forecast,
  forecastBeside,
} from '#lib/domain/forecast/forecast'
import type { CampaignPeople } from '#lib/domain/forecast/shared-people'
import type { ContactRules } from '#lib/domain/sending/contact-hold'
import { forecastable } from '#lib/services/forecast/campaign'
import { heldLeadsElsewhere, latest, readHoldingPolicy } from '#lib/services/forecast/contact-held'
import { type Forecastable, inputFromState } from '#lib/services/forecast/input'
import { loadPeople } from '#lib/services/forecast/people'

/** Beyond so many open leads of all campaigns that share with one, it is forecast alone, with the earliest dates. */
const MOST_LEADS = 300_000
/** The same where their walk takes more turns: a second or two, in which the process answers nobody else. */
const MOST_TURNS = 3_000_000

type Walked = {
  campaign: Forecastable
  input: ForecastInput
  /** False: its people are the rows of its dataset. */
  is_launched: boolean
}

type Near = { rules: ContactRules; candidates: Candidate[]; leads: number }

/**
 * The campaigns under way whose sends decide on those of one: that have its senders, its people or their companies, or those of
 * such a campaign. Null: nobody else was ever launched, and a company's people need not wait for each other.
 */
async function findNear(reader: Reader, campaign: Forecastable, isLaunched: boolean): Promise<Near | null> {
  const { workspace_id, campaign_id } = campaign
  const elsewhere = { workspace_id, campaign_id: { not: campaign_id } }
  const [workspace, launched, running] = await Promise.all([
    db.workspace.findUniqueOrThrow({
      where: { workspace_id },
      select: { timezone: true, one_campaign_at_a_time: true, company_max_active: true, rest_days: true },
    }),
    db.campaign.findFirst({
      where: { ...elsewhere, launched_at: { not: null } },
      select: { campaign_id: true },
    }),
    db.campaign.findMany({ where: { ...elsewhere, status: { in: CAMPAIGN_STATUSES.filter(mayDispatch) } } }),
  ])
  const rules: ContactRules = workspace
  if (!launched && rules.company_max_active === null) return null
  const candidates = running.map((row) => ({
    campaign: forecastable(row, workspace.timezone),
    leads: Math.max(0, (row.total_leads ?? 0) - row.processed_leads),
  }))
  const near = await closure(reader, campaign, candidates, rules, isLaunched)
  return { rules, candidates: near, leads: near.reduce((sum, one) => sum + one.leads, 0) }
}

async function loadBeside(
  reader: Reader,
  { campaign, input, is_launched }: Walked,
  { rules, candidates }: Near,
  now: Date,
): Promise<Beside | null> {
  const walked = [campaign, ...candidates.map((one) => one.campaign)]
  const dataset_id = is_launched ? null : campaign.dataset_id
  // The database reads the people while the campaigns are taken in, one after the other.
  const [{ people, of }, others] = await Promise.all([
    loadPeople(reader, rules, walked, { startsAt: now, dataset_id }),
    loadInputs(reader, candidates, now),
  ])
  const follow = [input, ...others]
  const all = of.map((one, index): CampaignPeople => ({ ...one, asleep: findAsleep(follow[index]) }))
  const [mine, ...theirs] = all
  return mine ? { others, people, of: { asked: mine, others: theirs } } : null
}

async function loadInputs(reader: Reader, near: Candidate[], now: Date): Promise<ForecastInput[]> {
  const inputs: ForecastInput[] = []
  for (const { campaign } of near) inputs.push(await inputFromState(reader, campaign, now, now))
  return inputs
}

const findAsleep = (input: ForecastInput | undefined): CampaignPeople['asleep'] =>
  new Map(
    (input?.follow_ups ?? []).flatMap(({ lead_index, asleep }) =>
      asleep ? [[lead_index, asleep] as const] : [],
    ),
  )

/**
 * The forecast of one campaign beside all that share with it. Where they are too many, it is played alone, with the earliest dates
 * of those whom others have, and says so.
 */
export async function playBeside(
  reader: Reader,
  asked: Walked,
  /** Until when others have its people at least. */
  elsewhere: () => Promise<ReadonlyMap<number, number>>,
  now: Date,
  near: Near | null | Promise<Near | null> = findNear(reader, asked.campaign, asked.is_launched),
): Promise<Forecast> {
  const { input } = asked
  const neighbours = await near
  if (!neighbours) return forecast(input)
  const isTooMany = neighbours.leads + input.new_leads.length > MOST_LEADS
  const beside = isTooMany ? null : await loadBeside(reader, asked, neighbours, now)
  const together = beside && forecastBeside(input, beside, MOST_TURNS)
  if (together) return together
  const planned = forecast({
    ...input,
    follow_ups: input.follow_ups.map(({ asleep, ...lead }) =>
      asleep ? { ...lead, due_at: input.starts_at } : lead,
    ),
    away: latest(input.away ?? new Map(), await elsewhere()),
  })
  return { ...planned, warnings: [EARLIEST, ...planned.warnings] }
}

/** A launched campaign, from where it stands. One that is paused is taken to be resumed at `startsAt`. */
export async function forecastFromState(
  reader: Reader,
  campaign: Forecastable,
  startsAt: Date,
  now: Date,
  /** The campaign before an edit that is not saved. */
  before: Forecastable = campaign,
): Promise<Forecast> {
  const elsewhere = { campaign, after: startsAt, people: null }
  const policy = await readHoldingPolicy(reader, elsewhere)
  const [held, near, input] = await Promise.all([
    // It takes longest, and is needed only where the campaigns are too many to be walked together.
    policy && policy.open_leads > MOST_LEADS ? heldLeadsElsewhere(reader, elsewhere, policy) : null,
    findNear(reader, campaign, true),
    inputFromState(reader, campaign, startsAt, now, before),
  ])
  return playFromState(reader, campaign, input, now, near, held)
}

/** The same from an input that was changed. */
export const playFromState = (
  reader: Reader,
  campaign: Forecastable,
  input: ForecastInput,
  now: Date,
  near: Near | null | Promise<Near | null> = findNear(reader, campaign, true),
  held: ReadonlyMap<number, number> | null = null,
) =>
  playBeside(
    reader,
    { campaign, input, is_launched: true },
    async () =>
      held ?? heldLeadsElsewhere(reader, { campaign, after: new Date(input.starts_at), people: null }),
    now,
    near,
  )

const EARLIEST = {
  code: 'earliest_dates',
  message:
    'More leads share people, companies or senders with this campaign than are reckoned together. Leads that wait for another campaign have the earliest date here; what others send from the same senders, and how many of a company may be written to at once, is left out.',
}

type Candidate = { campaign: Forecastable; leads: number }

/** All that are reached from one by what they share. */
async function closure(
  reader: Reader,
  asked: Forecastable,
  candidates: Candidate[],
  rules: ContactRules,
  isLaunched: boolean,
): Promise<Candidate[]> {
  const near: Candidate[] = []
  let rest = candidates
  let from: Forecastable[] = [asked]
  while (from.length > 0 && rest.length > 0) {
    const bySenders = rest.filter((one) => from.some((other) => shareSenders(one.campaign, other)))
    const others = rest.filter((one) => !bySenders.includes(one))
    const withPeople = await sharePeople(reader, from, others, rules, isLaunched ? null : asked)
    const walked = [...bySenders, ...others.filter((one) => withPeople.has(one.campaign.campaign_id))]
    near.push(...walked)
    rest = rest.filter((one) => !walked.includes(one))
    from = walked.map((one) => one.campaign)
  }
  return near
}

function shareSenders(one: Forecastable, other: Forecastable): boolean {
  const uses = (campaign: Forecastable, channel: string) =>
    campaign.steps_config.some((step) => step.channel === channel)
  const mail =
    uses(one, 'email') &&
    uses(other, 'email') &&
    (one.alias_ids === null ||
      other.alias_ids === null ||
      one.alias_ids.some((id) => other.alias_ids?.includes(id)))
  const social =
    uses(one, 'social') &&
    uses(other, 'social') &&
    (one.connected_account_id === null ||
      other.connected_account_id === null ||
      one.connected_account_id === other.connected_account_id)
  return mail || social
}

/** Which of the campaigns have people, or companies, of those that are known to be near. */
async function sharePeople(
  reader: Reader,
  from: Forecastable[],
  others: Candidate[],
  rules: ContactRules,
  draft: Forecastable | null,
): Promise<Set<string>> {
  if (
    others.length === 0 ||
    (!rules.one_campaign_at_a_time && rules.company_max_active === null && rules.rest_days === 0)
  )
    return new Set()
  const isSame =
    rules.company_max_active === null
      ? 'mine.person_id = theirs.person_id'
      : '(mine.person_id = theirs.person_id OR mine.company_id = theirs.company_id)'
  const open = `SELECT l.person_id, p.company_id FROM campaign_leads l JOIN people p USING (person_id)
    WHERE l.status IN ('pending', 'active') AND l.workspace_id = $1`
  const drafted = `SELECT coalesce(p.merged_into_id, p.person_id), p.company_id FROM dataset_rows r
    JOIN people p ON p.workspace_id = r.workspace_id AND p.email = r.email
    WHERE r.workspace_id = $1 AND r.dataset_id = $4`
  const { rows } = await reader.query<{ campaign_id: string }>(
    `WITH mine AS MATERIALIZED (${open} AND l.campaign_id = ANY ($2) UNION ${drafted})
     SELECT c.campaign_id FROM unnest($3::uuid[]) c (campaign_id) WHERE EXISTS (
       SELECT 1 FROM (${open} AND l.campaign_id = c.campaign_id) theirs JOIN mine ON ${isSame})`,
    [
      from[0]?.workspace_id,
      from.map((one) => one.campaign_id),
      others.map((one) => one.campaign.campaign_id),
      draft?.dataset_id ?? null,
    ],
  )
  return new Set(rows.map((row) => row.campaign_id))
}
