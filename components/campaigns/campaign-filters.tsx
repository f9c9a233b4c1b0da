import { FilterChips } from '#components/ui/controls/filter-chips'
import { SearchInput } from '#components/ui/controls/search-input'
import { type Query, queryHref } from '#components/ui/query-href'
import { CAMPAIGN_STATUSES } from '#lib/domain/campaigns/campaign-status'
import { statusLabel } from './campaign-status.tsx'

export function CampaignFilters({ query }: { query: Query }) {
  const chips = [undefined, ...CAMPAIGN_STATUSES].map((status) => ({
    href: queryHref('/campaigns', query, { status_filter: status }),
    label: status ? statusLabel(status) : 'All',
    current: (query.status_filter || undefined) === status,
  }))
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <FilterChips label="Status" chips={chips} />
      <SearchInput path="/campaigns" query={query} label="Search campaigns" className="w-full sm:w-64" />
    </div>
  )
}
