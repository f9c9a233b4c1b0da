import type { LeadEvent } from '#lib/domain/leads/lead-moves'
import { typedKeys } from '#lib/domain/text/record'

/** Every reason for a lead's state, with its text for people. Details from elsewhere are stored beside it. */
const LEAD_REASONS = {
  no_address: 'The row has no address.',
  no_profile: 'The row has no profile.',
  no_address_or_profile: 'The row has neither an address nor a profile.',
  duplicate_address: 'An earlier row has the same address.',
  duplicate_profile: 'An earlier row has the same profile.',
  undeliverable: 'Verification found that email to this address bounces.',
  risky_address: 'Verification rated the address risky, and the campaign skips risky addresses.',
  company_replied: 'Somebody from the same company replied.',
  replied_elsewhere: 'The person replied in another campaign.',
  has_left: 'The person has left, or nobody reads the mailbox.',
  person_busy: 'The person is in another campaign. This one waits until that ends.',
  company_busy: 'Waiting: the limit of people per company is reached.',
  resting: 'The person is in the rest period between two campaigns.',
  colleague_replied: 'Somebody at the company replied, so nobody else there is contacted for now.',
  provider_paused: 'Its mailbox has paused sending to this email provider.',
  stopped: 'It was stopped manually.',
  written_by_hand: 'Somebody messaged the person manually.',
  step_removed: 'The step it waited for was removed.',
  row_removed: 'Its row was removed from the list.',
  suppressed: 'The address is on the suppression list.',
  suppressed_domain: 'The domain is on the suppression list.',
  unsubscribe: 'The person asked for no more emails.',
  hard_bounce: 'The address does not exist or refuses email.',
  complaint: 'The person marked it as spam.',
  held: 'Its text is waiting for approval.',
  retry: 'A step was refused for now.',
  failed: 'A step failed.',
  uncertain: 'It is unknown whether a step was sent.',
  skipped: 'A step was skipped.',
  bounced: 'Its email bounced.',
  other: 'Another event.',
} as const
export type LeadReason = keyof typeof LEAD_REASONS
export const LEAD_REASON_NAMES = typedKeys(LEAD_REASONS)

/** These reasons are the event itself; its details are a server's or a network's own words. */
export const TOLD_REASONS = [
  'held',
  'retry',
  'failed',
  'uncertain',
  'skipped',
  'bounced',
  'suppressed',
] as const satisfies (LeadReason & LeadEvent)[]

/** These carry why the address is on the list: `suppressed: asked by telephone`. */
export const LISTED_REASONS = ['suppressed', 'suppressed_domain'] as const satisfies LeadReason[]

export type Reasoned = { reason: LeadReason | null; reason_detail: string | null }

const isListed = (reason: LeadReason) => LISTED_REASONS.some((one) => one === reason)

/** The text for people: ours, or the more specific detail. Null if there is nothing to say. */
export function leadReasonText({ reason, reason_detail }: Reasoned): string | null {
  if (reason === null) return null
  if (reason_detail === null) return LEAD_REASONS[reason]
  return isListed(reason) ? `${LEAD_REASONS[reason].slice(0, -1)}: ${reason_detail}` : reason_detail
}

/** For timelines and webhooks, in one text: the detail, otherwise the reason's name. */
export function oneLineReason({ reason, reason_detail }: Reasoned): string | null {
  if (reason === null || reason_detail === null) return reason
  return isListed(reason) ? `${reason}: ${reason_detail}` : reason_detail
}
