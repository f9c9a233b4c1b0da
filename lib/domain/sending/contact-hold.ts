import { DAY_MS } from '#lib/domain/calendar/zoned-time'

/** A workspace's limits on what all its campaigns together may do to one person and one company. */
export type ContactRules = {
  one_campaign_at_a_time: boolean
  /** People of one company that campaigns may be writing to at once; null: any number. */
  company_max_active: number | null
  /** Rest between the last step of one campaign and the first step of the next. */
  rest_days: number
}

/** Where a person stands in another campaign that has performed a step for them. */
export type Elsewhere = {
  campaign_id: string
  /** More steps are to come. */
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
  /** The earliest end of the wait, as far as is known. */
  until: number
  /** When to check again, unless the end of what it waits for wakes it first. */
  ask_again_at: number
  /** The campaign the person waits for; null if there are several. */
  campaign_id: string | null
  /** Who of their company replied, where that is what they wait for. */
  colleague?: string | null
}

/** Decides, by lead_index, which leads of a campaign may begin, considering the workspace's other campaigns. */
export interface ContactGate {
  /** Why a lead whose turn has come must wait; null if it need not, or has begun already. */
  hold(lead_index: number, at: number): ContactHold | null
  /** A lead's turn came without a step: it was skipped, or its person is away. */
  passed(lead_index: number, at: number): void
  /** A step was performed for a lead. */
  acted(lead_index: number, at: number): void
  /** A lead will get no further step. */
  over(lead_index: number, at: number): void
}

/**
 * The end of another campaign's steps wakes waiting leads. If that wake-up is lost, they check again after
 * this time.
 */
export const LOST_WAKE_MS = 7 * DAY_MS

export const hasContactRules = ({ one_campaign_at_a_time, company_max_active, rest_days }: ContactRules) =>
  one_campaign_at_a_time || company_max_active !== null || rest_days > 0

/** When a person may start a campaign, given the instant of their last step in another one. */
export const restedAt = ({ rest_days }: Pick<ContactRules, 'rest_days'>, last_action_at: number) =>
  last_action_at + rest_days * DAY_MS + 1

/**
 * Why a person without any step in this campaign must wait for the workspace's other campaigns; null if they
 * need not.
 */
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

/** After a reply from a company, nobody else there gets a step for `days` days. */
export function holdAfterReply(replied_at: number, days: number, colleague: string | null): ContactHold {
  const until = replied_at + days * DAY_MS
  return { code: 'colleague_replied', until, ask_again_at: until, campaign_id: null, colleague }
}
