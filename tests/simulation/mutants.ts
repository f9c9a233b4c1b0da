import { ABSENCE_MUTANTS } from '#tests/simulation/absence-mutants'
import { CLAIM_MUTANTS } from '#tests/simulation/claim-mutants'
import { CLOCK_MUTANTS } from '#tests/simulation/clock-mutants'
import { CONTACT_POLICY_MUTANTS } from '#tests/simulation/contact-policy-mutants'
import { MAIL_MUTANTS } from '#tests/simulation/mail-mutants'
import type { Mutant } from '#tests/simulation/mutant'
import { OUTCOME_MUTANTS } from '#tests/simulation/outcome-mutants'
import { ROW_MUTANTS } from '#tests/simulation/row-mutants'
import { SENDER_MUTANTS } from '#tests/simulation/sender-mutants'
import { SOCIAL_MUTANTS } from '#tests/simulation/social-mutants'
import { WORKSPACE_MUTANTS } from '#tests/simulation/workspace-mutants'

export const MUTANTS: Mutant[] = [
  ...CLAIM_MUTANTS,
  ...SENDER_MUTANTS,
  ...OUTCOME_MUTANTS,
  ...SOCIAL_MUTANTS,
  ...CLOCK_MUTANTS,
  ...ROW_MUTANTS,
  ...MAIL_MUTANTS,
  ...WORKSPACE_MUTANTS,
  ...ABSENCE_MUTANTS,
  ...CONTACT_POLICY_MUTANTS,
]
