import { Suspense } from 'react'
import { z } from 'zod'
import { PROVIDER_SORTS, ProviderTable } from '#components/analytics/provider-table'
import { Skeleton } from '#components/ui/feedback/skeleton'
import type { Query } from '#components/ui/query-href'
import { ReadProviderAnalytics } from '#lib/contracts/campaigns/provider-analytics'
import type { AnalyticsFilters } from '#lib/contracts/campaigns/workspace-analytics'
import { sortBy } from '#lib/contracts/fields'
import { readProviderAnalytics } from '#lib/services/campaigns/providers/provider-results'

type Props = {
  workspace_id: string
  timezone: string
  query: AnalyticsFilters
  now: Date
  /** The order is the `providers` parameter of the URL. */
  sorting: { path: string; query: Query }
}

/** The sort order from a page's URL. */
export const ProvidersQuery = z.object({ providers: sortBy(PROVIDER_SORTS) })

/** Slower than the figures above it, which do not wait for it. */
export function Providers(props: Props) {
  return (
    <Suspense fallback={<Skeleton className="h-40 w-full" />}>
      <Loaded {...props} />
    </Suspense>
  )
}

async function Loaded({ workspace_id, timezone, query, now, sorting }: Props) {
  const analytics = await readProviderAnalytics(workspace_id, timezone, query, now)
  return <ProviderTable analytics={ReadProviderAnalytics.response.parse(analytics)} sorting={sorting} />
}
