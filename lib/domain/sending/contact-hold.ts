import { DAY_MS } from '#lib/domain/calendar/zoned-time'

/** What a workspace allows all of its campaigns together to do to a person and a company. */
export type ContactRules = {
  one_campaign_at_a_time: boolean
  /** People of one company that campaigns may be writing to at once; null: any number. */
  company_max_active: number | null
  /** Between the last step of one campaign and the first step of the next. */
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

export const CONTACT_HOLDS = [
  'person_busy',
  'company_busy',
  'resting',
  'colleague_replied',
  'provider_paused',
] as const
export type ContactHold = {
  code: (typeof CONTACT_HOLDS)[number]
  /** Not before then, as far as is known now. */
  until: number
  /** When it is asked again, unless the end of what it waits for wakes it. */
  ask_again_at: number
  /** Whom the person waits for; null where it is several. */
  campaign_id: string | null
  /** Who of their company replied, where that is what they wait for. */
  colleague?: string | null
}

/** Who of a campaign may begin, by lead_index, as far as other campaigns of the workspace decide that. */
export interface ContactGate {
  /** Why a lead whose turn has come must wait; null: it need not, or it has begun. */
  hold(lead_index: number, at: number): ContactHold | null
  /** A lead's turn has come, and no step was taken: it was passed over, or its person is away. */
  passed(lead_index: number, at: number): void
  /** A step was taken for a lead. */
  acted(lead_index: number, at: number): void
  /** A lead has no step left, or none that it will get. */
  over(lead_index: number, at: number): void
}

/** Ends wake those who wait. Should a wake-up be lost, they ask for it then. */
export const LOST_WAKE_MS = 7 * DAY_MS

export const hasContactRules = ({ one_campaign_at_a_time, company_max_active, rest_days }: ContactRules) =>
  one_campaign_at_a_time || company_max_active !== null || rest_days > 0

/** When a person whose last step elsewhere was at an instant may begin: the end of that step is not known before. */
export const restedAt = ({ rest_days }: Pick<ContactRules, 'rest_days'>, last_action_at: number) =>
  last_action_at + rest_days * DAY_MS + 1

/** Why a person who has got nothing from a campaign yet must wait for others of the workspace; null where they need not. */
export function holdOfPerson(
  rules: ContactRules,
  elsewhere: readonly Elsewhere[],
  now: number,
): ContactHold | null {
  if (!rules.one_campaign_at_a_time && rules.rest_days === 0) return null
  const busy = rules.one_campaign_at_a_time ? elsewhere.filter((one) => one.is_under_way) : []
  const last = busy.toSorted((a, b) => b.free_at - a.free_at)[0]
  if (last) {
    const until = Math.max(restedAt(rules, last.free_at), now)
    return { code: 'person_busy', until, ask_again_at: now + LOST_WAKE_MS, campaign_id: last.campaign_id }
  }
  const latest = elsewhere.toSorted((a, b) => b.last_action_at - a.last_action_at)[0]
  const until = latest ? restedAt(rules, latest.last_action_at) : now
  if (!latest || until <= now) return null
  return { code: 'resting', until, ask_again_at: until, campaign_id: latest.campaign_id }
}

export const holdOfCompany = (now: number): ContactHold => ({
  code: 'company_busy',
  until: now,
  ask_again_at: now + LOST_WAKE_MS,
  campaign_id: null,
})

/** Somebody of a company replied: nobody else there gets anything for so many days. */
export function holdAfterReply(replied_at: number, days: number, colleague: string | null): ContactHold {
  const until = replied_at + days * DAY_MS
  return { code: 'colleague_replied', until, ask_again_at: until, campaign_id: null, colleague }
}
