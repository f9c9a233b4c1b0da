import { Suspense } from 'react'
import { ProviderTable } from '#components/analytics/provider-table'
import { Skeleton } from '#components/ui/feedback/skeleton'
import { ReadProviderAnalytics } from '#lib/contracts/campaigns/provider-analytics'
import type { AnalyticsFilters } from '#lib/contracts/campaigns/workspace-analytics'
import { readProviderAnalytics } from '#lib/services/campaigns/providers/provider-results'

type Props = { workspace_id: string; timezone: string; query: AnalyticsFilters; now: Date }

/** Reads more than the figures above it, which do not wait for it. */
export function Providers(props: Props) {
  return (
    <Suspense fallback={<Skeleton className="h-40 w-full" />}>
      <Loaded {...props} />
    </Suspense>
  )
}

async function Loaded({ workspace_id, timezone, query, now }: Props) {
  const analytics = await readProviderAnalytics(workspace_id, timezone, query, now)
  return <ProviderTable analytics={ReadProviderAnalytics.response.parse(analytics)} />
}
