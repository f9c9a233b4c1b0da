import { ActionButton } from '#components/ui/controls/action-button'
import type { ButtonLook } from '#components/ui/controls/button'
import type { Act } from '#components/ui/use-action'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { Explanation } from '#lib/contracts/campaigns/explanations'

type Paced = { timezone: string; daily_limit: number; min_interval_seconds: number }

/**
 * Whether only the campaign's hours or days prevent sending. Not offered if leads follow their own clocks.
 */
export const isClosed = (
  { schedule_timezone }: Pick<Campaign, 'schedule_timezone'>,
  why: Pick<Explanation, 'code'> | undefined,
): boolean =>
  schedule_timezone === 'campaign' &&
  (why?.code === 'window' || why?.code === 'send_days' || why?.code === 'holiday')

const interval = (seconds: number) => (seconds > 0 ? `, ${seconds} seconds apart` : '')

/** Opens the campaign for the rest of the day, after a confirmation. */
export function SendNow({ campaign, act, ...look }: ButtonLook & { campaign: Paced; act: Act }) {
  const { timezone, daily_limit, min_interval_seconds } = campaign
  return (
    <ActionButton
      {...look}
      act={act}
      confirm={{
        title: 'Send now, outside the sending hours?',
        description: `It sends for the rest of today in ${timezone}, just this once. Its limits still apply: at most ${daily_limit.toLocaleString('en')} a day${interval(min_interval_seconds)}. The activity log records who did this.`,
        label: 'Send now',
      }}
    >
      Send now, just this once
    </ActionButton>
  )
}
