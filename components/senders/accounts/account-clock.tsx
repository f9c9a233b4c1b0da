import type { ComponentProps } from 'react'
import { RampPlot } from '#components/senders/ramp-plot'
import { UsedBy } from '#components/senders/used-by'
import { Panel } from '#components/ui/layout/panel'
import { RelativeTime } from '#components/ui/relative-time'
import { ZonedTime } from '#components/ui/zoned-time'
import type { ConnectedAccount } from '#lib/contracts/senders/connected-accounts'
import { CapTable } from './cap-table.tsx'

type Props = { account: ConnectedAccount; past: ComponentProps<typeof RampPlot>['past']; now: string }

/** An account's limits: each cap, when it resets, who used it, and the coming days of the ramp-up. */
export function AccountClock({ account, past, now }: Props) {
  const { limits, ramp_up } = account
  const { timezone, resets_at, today } = limits
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
      <Panel
        title="Today"
        description={
          <>
            Resets <ZonedTime at={resets_at} zone={timezone} /> {timezone} (
            <RelativeTime at={resets_at} now={now} zone={timezone} />
            ); a week is any seven days in a row.
          </>
        }
        flush
      >
        <CapTable caps={limits.caps} name={account.name} />
      </Panel>
      <Panel title="Used today by">
        <UsedBy uses={limits.used_by} used_today={limits.used_today} />
      </Panel>
      {ramp_up && today !== null && (
        <Panel>
          <RampPlot
            ramp_up={ramp_up}
            past={past}
            today={today}
            used_today={limits.used_today}
            most={null}
            timezone={timezone}
            now={now}
          />
        </Panel>
      )}
    </div>
  )
}
