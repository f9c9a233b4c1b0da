import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Callout } from '#components/ui/feedback/callout'
import { Stat, StatRow } from '#components/ui/feedback/stat'
import { Panel } from '#components/ui/layout/panel'
import { ZonedTime } from '#components/ui/zoned-time'
import type { Subscription } from '#lib/contracts/billing/billing'
import { TierForm, tierLabel } from './tier-form.tsx'

const STATUS = { active: 'Paid', trialing: 'On trial', past_due: 'The last payment failed' }

type Props = { subscription: Subscription; timezone: string; manage: FormAction; buy: FormAction }

export function SubscriptionPanel({ subscription, timezone, manage, buy }: Props) {
  const { tier, tier_limit, active_keys, payer, provider, status, current_period_end, cancels } = subscription
  return (
    <>
      {provider === 'sandbox' && (
        <Callout title="Billing is a sandbox">Nobody is charged here. Changes apply immediately.</Callout>
      )}
      {status === 'past_due' && (
        <Callout tone="warning" title="The last payment failed">
          Update the payment method in the portal to keep your tier.
        </Callout>
      )}
      {active_keys > tier_limit && (
        <Callout
          tone="warning"
          title={`${active_keys} API keys are active, and the plan allows ${tier_limit}`}
        >
          All of them keep working. Revoke {active_keys - tier_limit + 1} before you create another.
        </Callout>
      )}
      <StatRow>
        <Stat
          label="Tier"
          value={tierLabel(tier)}
          detail={payer ? `${payer.name} pays` : status ? STATUS[status] : 'Nothing to pay'}
        />
        <Stat
          label="API keys"
          value={`${active_keys} of ${tier_limit}`}
          detail={payer ? `together with ${payer.name}` : 'active at once'}
        />
        {current_period_end && (
          <Stat
            label={cancels ? 'Ends' : 'Renews'}
            value={<ZonedTime at={current_period_end} zone={timezone} />}
          />
        )}
      </StatRow>
      {!payer && <OwnSubscription provider={provider} status={status} manage={manage} buy={buy} />}
    </>
  )
}

type Own = Pick<Subscription, 'provider' | 'status'> & Pick<Props, 'manage' | 'buy'>

function OwnSubscription({ provider, status, manage, buy }: Own) {
  return (
    <Panel title="Subscription">
      {provider === 'none' ? (
        <p className="text-sm text-muted">
          Billing is not set up on this instance. Its operator sets the tiers.
        </p>
      ) : (
        <div className="grid gap-4">
          {provider === 'stripe' && status === null && (
            <TierForm tiers={['starter', 'growth', 'scale']} label="Subscribe" choose={buy} />
          )}
          <ActionForm action={manage} className="grid justify-items-start gap-2">
            <SubmitButton>Manage subscription</SubmitButton>
            <p className="text-sm text-muted">
              Change the tier or the payment method, see invoices, or cancel. After a downgrade, existing API
              keys keep working, but you cannot create more.
            </p>
          </ActionForm>
        </div>
      )}
    </Panel>
  )
}
