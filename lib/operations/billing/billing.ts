import {
  ApplyReferral,
  ChooseSandboxTier,
  CreateCheckoutSession,
  CreatePortalSession,
  ReadReferral,
  ReadSubscription,
} from '#lib/contracts/billing/billing'
import { operation } from '#lib/operations/operation'
import * as billing from '#lib/services/billing/subscriptions'
import * as referrals from '#lib/services/workspaces/referrals'

export const createPortalSession = operation(CreatePortalSession, ({ user }) =>
  billing.createPortalSession(user.workspace_id),
)
export const createCheckoutSession = operation(CreateCheckoutSession, ({ user, body }) =>
  billing.createCheckoutSession(user.workspace_id, body.tier),
)
export const readSubscription = operation(ReadSubscription, ({ user, now }) =>
  billing.readSubscription(user.workspace_id, now),
)
export const applyReferral = operation(ApplyReferral, ({ user, body }) =>
  referrals.applyReferral(user, body.referral_code),
)
export const readReferral = operation(ReadReferral, ({ user }) => referrals.readReferral(user))
export const chooseSandboxTier = operation(ChooseSandboxTier, async ({ user, body, now }) => {
  await billing.chooseSandboxTier(user.workspace_id, body.tier, now)
  return billing.readSubscription(user.workspace_id, now)
})
