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
  /** Their order is `providers` in the address. */
  sorting: { path: string; query: Query }
}

/** What the address of a page says of their order. */
export const ProvidersQuery = z.object({ providers: sortBy(PROVIDER_SORTS) })

/** Reads more than the figures above it, which do not wait for it. */
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
