import type { Metadata } from 'next'
import { ReferralPanel } from '#components/workspaces/referral-panel'
import { SubscriptionPanel } from '#components/workspaces/subscription-panel'
import { ReadReferral, ReadSubscription } from '#lib/contracts/billing/billing'
import { requireUser } from '#lib/http/session'
import { readSubscription } from '#lib/services/billing/subscriptions'
import { readReferral } from '#lib/services/workspaces/referrals'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { applyReferral, buyTier, openPortal } from './actions.ts'

export const metadata: Metadata = { title: 'Billing' }

export default async function BillingPage() {
  const user = await requireUser(ReadSubscription)
  const [subscription, referral, timezone] = await Promise.all([
    readSubscription(user.workspace_id),
    readReferral(user),
    workspaceTimezone(user.workspace_id),
  ])
  return (
    <>
      <SubscriptionPanel
        subscription={ReadSubscription.response.parse(subscription)}
        timezone={timezone}
        manage={openPortal}
        buy={buyTier}
      />
      <ReferralPanel referral={ReadReferral.response.parse(referral)} apply={applyReferral} />
    </>
  )
}
