import type { Metadata } from 'next'
import { ReferralPanel } from '#components/billing/referral-panel'
import { SubscriptionPanel } from '#components/billing/subscription-panel'
import { ReadReferral, ReadSubscription } from '#lib/contracts/billing'
import { requireUser } from '#lib/http/session'
import { readSubscription } from '#lib/services/billing'
import { readReferral } from '#lib/services/referrals'
import { timezoneOf } from '#lib/services/users'
import { applyReferral, buyTier, openPortal } from './actions.ts'

export const metadata: Metadata = { title: 'Billing' }

export default async function BillingPage() {
  const user = await requireUser()
  const [subscription, referral, timezone] = await Promise.all([
    readSubscription(user.user_id),
    readReferral(user.user_id),
    timezoneOf(user.user_id),
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
