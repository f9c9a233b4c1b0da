import { DAY_MS } from '#lib/domain/calendar/zoned-time'

/** What a workspace allows all of its campaigns together to do to a person and a company. */
export type ContactRules = {
  one_campaign_at_a_time: boolean
  /** People of one company that campaigns may be writing to at once; null: any number. */
  company_max_active: number | null
  /** Between the last step of one campaign and the first of another. */
  rest_days: number
}

/** A person in another campaign that has taken a step for them. */
export type Elsewhere = {
  campaign_id: string
  /** Steps are still to come. */
  is_under_way: boolean
  /** The first instant at which its last step could be over. */
  free_at: number
  last_action_at: number
}

export const CONTACT_HOLDS = ['person_busy', 'company_busy', 'resting'] as const
export type ContactHold = {
  code: (typeof CONTACT_HOLDS)[number]
  /** Not before then, as far as is known now. */
  until: number
  /** When it is asked again: an end may come sooner or later than planned. */
  ask_again_at: number
  /** Whom the person waits for; null where it is several. */
  campaign_id: string | null
}

/** By campaign_lead_id. */
export type ContactHolds = ReadonlyMap<string, ContactHold>

const HOUR_MS = 3_600_000
/** An end that nobody planned (a stop, a deletion) is noticed after at most so long. */
const LONGEST_WAIT_MS = 6 * HOUR_MS

export const hasContactRules = ({ one_campaign_at_a_time, company_max_active, rest_days }: ContactRules) =>
  one_campaign_at_a_time || company_max_active !== null || rest_days > 0

const hold = (code: ContactHold['code'], until: number, campaign_id: string | null, now: number) => ({
  code,
  until: Math.max(until, now),
  ask_again_at: Math.min(Math.max(until, now + HOUR_MS), now + LONGEST_WAIT_MS),
  campaign_id,
})

/** Why a person who has got nothing from a campaign yet must wait for others of the workspace; null where they need not. */
export function holdOfPerson(
  rules: ContactRules,
  elsewhere: readonly Elsewhere[],
  now: number,
): ContactHold | null {
  const rest = rules.rest_days * DAY_MS
  const busy = rules.one_campaign_at_a_time ? elsewhere.filter((one) => one.is_under_way) : []
  const last = busy.toSorted((a, b) => b.free_at - a.free_at)[0]
  if (last) return hold('person_busy', last.free_at + rest, last.campaign_id, now)
  const latest = elsewhere.toSorted((a, b) => b.last_action_at - a.last_action_at)[0]
  if (!latest || latest.last_action_at + rest <= now) return null
  return hold('resting', latest.last_action_at + rest, latest.campaign_id, now)
}

export const holdOfCompany = (now: number): ContactHold => hold('company_busy', now, null, now)
