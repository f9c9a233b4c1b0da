import { ROW_CODES } from '#lib/domain/datasets/given-rows'
import { type LeadReason, leadReasonText } from '#lib/domain/leads/lead-reasons'

/** Why a given row does not become a lead of a campaign. */
export const ADDED_LEAD_CODES = [
  ...ROW_CODES,
  'already_in_campaign',
  'suppressed',
  'missing_profile',
  'replied_elsewhere',
  'has_left',
  'company_replied',
  'undeliverable',
  'risky_address',
] as const
export type AddedLeadCode = (typeof ADDED_LEAD_CODES)[number]

/** The code for each reason with which enrolment skips a row. */
const CODES = {
  no_address: 'missing_email',
  no_address_or_profile: 'missing_email',
  no_profile: 'missing_profile',
  suppressed: 'suppressed',
  suppressed_domain: 'suppressed',
  replied_elsewhere: 'replied_elsewhere',
  has_left: 'has_left',
  company_replied: 'company_replied',
  undeliverable: 'undeliverable',
  risky_address: 'risky_address',
  duplicate_address: 'already_in_campaign',
  duplicate_profile: 'duplicate_profile',
} as const satisfies Partial<Record<LeadReason, AddedLeadCode>>
export type PassedOver = keyof typeof CODES

/** For the caller: a code and a message. */
export const refusedLead = (reason: PassedOver): { code: AddedLeadCode; message: string } => ({
  code: CODES[reason],
  message: leadReasonText({ reason, reason_detail: null }) ?? reason,
})
