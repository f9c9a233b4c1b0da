import type { Metadata } from 'next'
import { AiBudgetPanel } from '#components/workspaces/ai-budget-panel'
import { PayerPanels } from '#components/workspaces/payer-panels'
import { ReferralPanel } from '#components/workspaces/referral-panel'
import { SubscriptionPanel } from '#components/workspaces/subscription-panel'
import { ReadReferral, ReadSubscription } from '#lib/contracts/billing/billing'
import { ReadPayer } from '#lib/contracts/billing/payer'
import { ReadAccountSettings } from '#lib/contracts/workspaces/account-settings'
import { ReadAgency } from '#lib/contracts/workspaces/agency'
import { requireUser } from '#lib/http/session'
import { readPayer } from '#lib/services/billing/payer'
import { readSubscription } from '#lib/services/billing/subscriptions'
import { configuredWriter } from '#lib/services/personalize/writer'
import { getAccountSettings } from '#lib/services/workspaces/account-settings'
import { readAgency } from '#lib/services/workspaces/joining/parent'
import { readReferral } from '#lib/services/workspaces/referrals'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { applyReferral, buyTier, endPaying, letParentPay, openPortal, saveAiBudget } from './actions.ts'

export const metadata: Metadata = { title: 'Billing' }

export default async function BillingPage() {
  const user = await requireUser(ReadSubscription)
  const now = new Date()
  const [subscription, payer, agency, referral, settings, timezone] = await Promise.all([
    readSubscription(user.workspace_id, now),
    readPayer(user, user.workspace_id, now),
    readAgency(user, user.workspace_id),
    readReferral(user),
    getAccountSettings(user, now),
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
      <PayerPanels
        payer={ReadPayer.response.parse(payer)}
        below={ReadAgency.response.parse(agency).children}
        role={user.role}
        letPay={letParentPay}
        endPaying={endPaying}
      />
      <AiBudgetPanel
        settings={ReadAccountSettings.response.parse(settings)}
        isOffline={configuredWriter().offline}
        role={user.role}
        save={saveAiBudget}
      />
      <ReferralPanel referral={ReadReferral.response.parse(referral)} apply={applyReferral} />
    </>
  )
}
