import type { LaunchCheck } from '#lib/contracts/campaigns/launch-checks'
import { pool } from '#lib/db/client'
import { timeInWords } from '#lib/domain/calendar/day-words'
import type { Forecast } from '#lib/domain/forecast/forecast'
import type { getCampaign } from '#lib/services/campaigns/campaigns'
import { holdersOfRows, rowsBesideColleagues } from '#lib/services/forecast/contact-held'
import { rowsAfterColleague } from '#lib/services/leads/colleagues'

type Campaign = Awaited<ReturnType<typeof getCampaign>>
type Found = Omit<LaunchCheck, 'fix'>

/** Leads that the contact policy makes wait: for other campaigns, after a reply from their company, or for colleagues. */
export async function contactWarnings(campaign: Campaign, planned: Forecast, now: Date): Promise<Found[]> {
  return [
    ...(await peopleElsewhere(campaign, planned, now)),
    ...(await colleaguesOfRepliers(campaign, now)),
    ...(await besideColleagues(campaign)),
  ]
}

const MOST_HOLDERS = 5

/** People who are in other campaigns now, or will be when their turn comes here. The contact policy makes them wait. */
async function peopleElsewhere(campaign: Campaign, planned: Forecast, now: Date): Promise<Found[]> {
  const holders = await holdersOfRows(pool(), campaign, campaign.dataset_id, now)
  const named = holders.slice(0, MOST_HOLDERS).map(({ name, status, people }) => ({
    people,
    where: `“${name}”${status === 'paused' ? ', which is paused,' : ''}`,
  }))
  const others = holders.slice(MOST_HOLDERS)
  const rest = { people: others.reduce((sum, one) => sum + one.people, 0), where: 'other campaigns' }
  const messages = [...named, ...(others.length > 0 ? [rest] : [])].map(
    ({ people, where }) =>
      `${people === 1 ? '1 person is' : `${people} people are`} in ${where} and will wait until they finish it.`,
  )
  const more = planned.waiting_for_person - holders.reduce((sum, { people }) => sum + people, 0)
  const further = holders.length > 0 ? 'more ' : ''
  if (more > 0)
    messages.push(
      `${more} ${further}${more === 1 ? 'person' : 'people'} will be in another campaign before this one reaches them, and will wait until they finish it.`,
    )
  return messages.map((message) => ({ code: 'people_in_other_campaign', message, step: null }))
}

/** The contact policy limits how many people of one company are contacted at once; the others wait. */
async function besideColleagues(campaign: Campaign): Promise<Found[]> {
  const waiting = await rowsBesideColleagues(pool(), campaign, campaign.dataset_id)
  if (!waiting || waiting.people === 0) return []
  const { people, max } = waiting
  const at_once = max === 1 ? '1 person' : `${max} people`
  return [
    {
      code: 'people_beside_colleagues',
      message: `${people === 1 ? '1 person' : `${people} people`} will wait for colleagues because campaigns contact at most ${at_once} per company at once.`,
      step: null,
    },
  ]
}

/** People at companies where somebody replied recently. The contact policy makes them wait as well. */
async function colleaguesOfRepliers(campaign: Campaign, now: Date): Promise<Found[]> {
  const held = await rowsAfterColleague(pool(), campaign, campaign.dataset_id, now)
  if (held.size === 0) return []
  const last = Math.max(...[...held.values()].map(({ until }) => until))
  const until = timeInWords(campaign.timezone, last)
  const who = held.size === 1 ? '1 person is' : `${held.size} people are`
  return [
    {
      code: 'colleagues_replied',
      message: `${who} at a company where somebody replied, and will wait until ${until} at the latest.`,
      step: null,
    },
  ]
}
