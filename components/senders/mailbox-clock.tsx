import type { ComponentProps } from 'react'
import { ProgressLine } from '#components/ui/feedback/progress'
import { Panel } from '#components/ui/layout/panel'
import { RelativeTime, ZonedTime } from '#components/ui/zoned-time'
import type { Mailbox } from '#lib/contracts/senders/mailboxes'
import { RampPlot } from './ramp-plot.tsx'
import { UsedBy } from './used-by.tsx'

type Props = { mailbox: Mailbox; past: ComponentProps<typeof RampPlot>['past']; now: string }

/** The one clock of a mailbox: what may leave today, when that begins anew, who used it, and the days to come. */
export function MailboxClock({ mailbox, past, now }: Props) {
  const { address, limits } = mailbox
  const { today, used_today, timezone, resets_at, ramp_up, daily_limit } = limits
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
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
          {used_today.toLocaleString('en')} of {today.toLocaleString('en')} sent
        </p>
        <ProgressLine
          label={`Sent today by ${address}`}
          value={today === 0 ? 0 : Math.min(100, (100 * used_today) / today)}
        />
      </Panel>
      <Panel title="Used today by">
        <UsedBy uses={limits.used_by} used_today={used_today} />
      </Panel>
      {ramp_up && (
        <Panel className="lg:col-span-2">
          <RampPlot
            ramp_up={ramp_up}
            past={past}
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
