import type { Reader } from '#lib/db/client'
import { db } from '#lib/db/client'
import {
  type Beside,
  type Forecast,
  type ForecastInput,
  forecast,
  forecastBeside,
} from '#lib/domain/forecast/forecast'
import type { CampaignPeople } from '#lib/domain/forecast/shared-people'
import { forecastable } from '#lib/services/forecast/campaign'
import { heldLeadsElsewhere, latest, readHoldingPolicy } from '#lib/services/forecast/contact-held'
import { type Forecastable, inputFromState } from '#lib/services/forecast/input'
import { findNear, type Near } from '#lib/services/forecast/near'
import { loadPeople } from '#lib/services/forecast/people'
import { runInSlices } from '#lib/services/forecast/run-in-slices'

/**
 * If the campaigns that share something with this one have more open leads than this, it is forecast alone,
 * with each lead's earliest date.
 */
const MOST_LEADS = 300_000
/**
 * The same limit for the number of turns; this many take the process a second or two if it has nothing else
 * to do.
 */
const MOST_TURNS = 3_000_000

type Walked = {
  campaign: Forecastable
  input: ForecastInput
  /** False: its people are the rows of its dataset. */
  is_launched: boolean
}

async function loadBeside(
  reader: Reader,
  { campaign, input, is_launched }: Walked,
  { rules, owner_timezone, neighbours }: Near,
  now: Date,
): Promise<Beside | null> {
  const rows = await db.campaign.findMany({
    where: {
      workspace_id: campaign.workspace_id,
      campaign_id: { in: neighbours.map((one) => one.campaign_id) },
    },
  })
  const near = neighbours.flatMap(({ campaign_id }) => {
    const row = rows.find((one) => one.campaign_id === campaign_id)
    return row ? [forecastable(row, owner_timezone)] : []
  })
  const walked = [campaign, ...near]
  const dataset_id = is_launched ? null : campaign.dataset_id
  // The database reads the people while the process loads the campaigns one after the other.
  const [{ people, of }, others] = await Promise.all([
    loadPeople(reader, rules, walked, { startsAt: now, dataset_id }),
    loadInputs(reader, near, now),
  ])
  const follow = [input, ...others]
  const all = of.map((one, index): CampaignPeople => ({ ...one, asleep: findAsleep(follow[index]) }))
  const [mine, ...theirs] = all
  return mine ? { others, people, of: { asked: mine, others: theirs } } : null
}

async function loadInputs(reader: Reader, near: Forecastable[], now: Date): Promise<ForecastInput[]> {
  const inputs: ForecastInput[] = []
  for (const campaign of near) inputs.push(await inputFromState(reader, campaign, now, now))
  return inputs
}

const findAsleep = (input: ForecastInput | undefined): CampaignPeople['asleep'] =>
  new Map(
    (input?.follow_ups ?? []).flatMap(({ lead_index, asleep }) =>
      asleep ? [[lead_index, asleep] as const] : [],
    ),
  )

/**
 * Forecasts a campaign together with all campaigns that share something with it. If those are too many, it is
 * forecast alone: leads whose person is in another campaign get their earliest possible date, and a warning
 * says so.
 */
export async function forecastWithOthers(
  reader: Reader,
  asked: Walked,
  /** The earliest instant at which other campaigns may be done with each person, by lead_index. */
  elsewhere: () => Promise<ReadonlyMap<number, number>>,
  now: Date,
  near: Near | null | Promise<Near | null> = findNear(reader, asked.campaign, asked.is_launched),
): Promise<Forecast> {
  const { input } = asked
  const neighbours = await near
  if (!neighbours) return runInSlices(forecast(input))
  const isTooMany = neighbours.leads + input.new_leads.length > MOST_LEADS
  const beside = isTooMany ? null : await loadBeside(reader, asked, neighbours, now)
  const together = beside && (await runInSlices(forecastBeside(input, beside, MOST_TURNS)))
  if (together) return together
  const alone: ForecastInput = {
    ...input,
    follow_ups: input.follow_ups.map(({ asleep, ...lead }) =>
      asleep ? { ...lead, due_at: input.starts_at } : lead,
    ),
    away: latest(input.away ?? new Map(), await elsewhere()),
  }
  const planned = await runInSlices(forecast(alone))
  return { ...planned, warnings: [EARLIEST, ...planned.warnings] }
}

/**
 * Forecasts a launched campaign from its current state. A paused one is assumed to be resumed at `startsAt`.
 */
export async function forecastFromState(
  reader: Reader,
  campaign: Forecastable,
  startsAt: Date,
  now: Date,
  /** The campaign as saved, if `campaign` is an unsaved edit of it. */
  before: Forecastable = campaign,
): Promise<Forecast> {
  const elsewhere = { campaign, after: startsAt, people: null }
  const [held, near, input] = await Promise.all([
    // The slowest of these reads, and needed only if the campaigns are too many to be simulated together.
    readHoldingPolicy(reader, elsewhere).then((policy) =>
      policy && policy.open_leads > MOST_LEADS ? heldLeadsElsewhere(reader, elsewhere, policy) : null,
    ),
    findNear(reader, campaign, true),
    inputFromState(reader, campaign, startsAt, now, before),
  ])
  return playFromState(reader, campaign, input, now, near, held)
}

/** Like `forecastFromState`, but with an input that the caller has changed. */
export const playFromState = (
  reader: Reader,
  campaign: Forecastable,
  input: ForecastInput,
  now: Date,
  near: Near | null | Promise<Near | null> = findNear(reader, campaign, true),
  held: ReadonlyMap<number, number> | null = null,
) =>
  forecastWithOthers(
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
    'Too many leads share people, companies or senders with this campaign to forecast them together. Leads waiting for another campaign show their earliest date. Other sends from the same senders and the per-company limit are left out.',
}
