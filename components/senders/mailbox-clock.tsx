import type { ComponentProps } from 'react'
import { Callout } from '#components/ui/feedback/callout'
import { ProgressLine } from '#components/ui/feedback/progress'
import { Panel } from '#components/ui/layout/panel'
import { RelativeTime } from '#components/ui/relative-time'
import { ZonedTime } from '#components/ui/zoned-time'
import type { Mailbox } from '#lib/contracts/senders/mailbox'
import { shortDay } from '../ui/plots/short-day.ts'
import { RampPlot } from './ramp-plot.tsx'
import { UsedBy } from './used-by.tsx'

type Props = { mailbox: Mailbox; past: ComponentProps<typeof RampPlot>['past']; now: string }

/** A mailbox's limits: today's limit, when it resets, who used it, and the coming days. */
export function MailboxClock({ mailbox, past, now }: Props) {
  const { address, limits } = mailbox
  const { today, used_today, timezone, resets_at, ramp_up, daily_limit } = limits
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
      <Panel
        title="Today"
        description={
          <>
            Resets <ZonedTime at={resets_at} zone={timezone} /> {timezone} (
            <RelativeTime at={resets_at} now={now} zone={timezone} />
            ), for all campaigns together.
          </>
        }
      >
        <p className="mb-1.5 text-sm">
          {used_today.toLocaleString('en')} of {today.toLocaleString('en')} used
        </p>
        <ProgressLine
          label={`Limit used today by ${address}`}
          value={today === 0 ? 0 : Math.min(100, (100 * used_today) / today)}
        />
      </Panel>
      <Panel title="Used today by">
        <UsedBy uses={limits.used_by} used_today={used_today} />
      </Panel>
      {ramp_up && (
        <Panel className="lg:col-span-2">
          <RampState limits={limits} />
          <RampPlot
            ramp_up={ramp_up}
            past={past}
            held_days={heldDays(limits.ramp_health)}
            today={today}
            used_today={used_today}
            most={daily_limit}
            timezone={timezone}
            now={now}
          />
        </Panel>
      )}
    </div>
  )
}

type Limits = Mailbox['limits']

const heldDays = (health: Limits['ramp_health']): number =>
  health ? Math.round((Date.parse(health.rises_after) - Date.parse(health.date)) / 86_400_000) : 0

/** Why the limit does not rise today, if the mailbox's health is the reason. */
function RampState({ limits: { ramp_up, ramp_health, today, daily_limit } }: { limits: Limits }) {
  if (!ramp_health) return null
  const { verdict, reason, rises_after } = ramp_health
  if (verdict === 'rise')
    return today < daily_limit ? (
      <p className="mb-3 text-sm text-muted">Healthy: the limit rises as planned.</p>
    ) : null
  const limit = `${today.toLocaleString('en')} a day`
  return (
    <Callout
      tone={verdict === 'fall' ? 'danger' : 'warning'}
      title={verdict === 'fall' ? `Lowered to ${limit}` : `Held at ${limit}`}
      className="mb-4"
    >
      Because {reason}. If all goes well, it rises by {ramp_up?.increase_per_day.toLocaleString('en')} a day
      after {shortDay(rises_after)}.
    </Callout>
  )
}
