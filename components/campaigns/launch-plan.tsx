import type { ReactNode } from 'react'
import { ZonedTime } from '#components/ui/zoned-time'
import type { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import type { Output } from '#lib/contracts/contract'
import { LIMITS } from '../forecast/forecast-limits.ts'

export type Plan = Output<typeof ReadLaunchChecks>['plan']

/** How much is sent, from when to when, and what limits the pace. */
export function LaunchPlan({ plan, timezone }: { plan: Plan; timezone: string }) {
  const { total_actions: total, first_at, finish_at, limited_by } = plan
  if (total === 0 || finish_at === null) return null
  const facts: [string, ReactNode][] = [
    ['Sends', total.toLocaleString('en')],
    ['First', first_at ? <ZonedTime key="first" at={first_at} zone={timezone} /> : '–'],
    ['Finishes', <ZonedTime key="last" at={finish_at} zone={timezone} />],
    ['Limited by', LIMITS[limited_by]],
  ]
  return (
    <div className="rounded-sm bg-sunken px-3 py-2">
      <dl className="grid gap-1 text-sm">
        {facts.map(([label, value]) => (
          <div key={label} className="flex justify-between gap-3">
            <dt className="text-muted">{label}</dt>
            <dd className="text-right font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-1 text-xs text-muted">If nobody replies and no step fails. Times in {timezone}.</p>
    </div>
  )
}
