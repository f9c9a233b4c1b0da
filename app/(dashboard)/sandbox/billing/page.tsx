import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Callout } from '#components/ui/feedback/callout'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { TierForm } from '#components/workspaces/tier-form'
import { ReadSubscription } from '#lib/contracts/billing/billing'
import { TIERS } from '#lib/contracts/workspaces/auth'
import { requireUser } from '#lib/http/session'
import { readSubscription } from '#lib/services/billing/subscriptions'
import { chooseTier } from './actions.ts'

export const metadata: Metadata = { title: 'Sandbox billing portal' }

export default async function SandboxBillingPage() {
  const user = await requireUser(ReadSubscription)
  const { tier, provider } = await readSubscription(user.workspace_id, new Date())
  if (provider !== 'sandbox') notFound()
  return (
    <>
      <PageHeader title="Billing portal" description="A simulation for trying things out." />
      <PageBody>
        <Callout title="This is a sandbox">
          Nobody is charged. The tier you choose applies immediately.
        </Callout>
        <Panel title="Your tier">
          <TierForm tiers={[...TIERS]} current={tier} label="Use this tier" choose={chooseTier} />
        </Panel>
      </PageBody>
    </>
  )
}
