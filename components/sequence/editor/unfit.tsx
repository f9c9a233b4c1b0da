import { Button } from '#components/ui/controls/button'
import { Callout } from '#components/ui/feedback/callout'
import type { CampaignType } from '#lib/domain/campaigns/campaign-type'

/** Steps that this campaign type does not allow, counted from 0. */
export function Unfit({ type, steps, onMix }: { type: CampaignType; steps: number[]; onMix: () => void }) {
  return (
    <Callout tone="warning" role="status" action={<Button onClick={onMix}>Make it mixed</Button>}>
      This campaign has {type === 'email' ? 'emails' : 'social steps'} only. With step{' '}
      {steps.map((index) => index + 1).join(', ')} it must be mixed.
    </Callout>
  )
}
