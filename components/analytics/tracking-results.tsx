import { Panel } from '#components/ui/layout/panel'
import type { CampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'

const count = (value: number) => value.toLocaleString('en')

/** How many opens and clicks came from machines; renders nothing if nothing is tracked. */
export function TrackingResults({ tracking }: Pick<CampaignAnalytics, 'tracking'>) {
  const rows = [
    ['Opens', tracking.opens],
    ['Clicks', tracking.clicks],
  ] as const
  const isTracked = rows.some(([, sums]) => sums && sums.tracked + sums.hits.proxy + sums.hits.scanner > 0)
  if (!isTracked) return null
  return (
    <Panel
      title="People and bots"
      description="Mail proxies load images and security scanners follow links without anyone reading. Only people count above."
    >
      <dl className="grid gap-2 text-sm">
        {rows.map(([label, sums]) =>
          sums ? (
            <div key={label} className="grid gap-x-3 sm:grid-cols-[6rem_minmax(0,1fr)]">
              <dt className="font-medium">{label}</dt>
              <dd className="text-muted">
                {count(sums.people)} of {count(sums.tracked)} tracked leads by a person,{' '}
                {count(sums.machines_only)} by machines only · every hit: {count(sums.hits.human)} by people,{' '}
                {count(sums.hits.proxy)} by mail proxies, {count(sums.hits.scanner)} by scanners
              </dd>
            </div>
          ) : null,
        )}
      </dl>
    </Panel>
  )
}
