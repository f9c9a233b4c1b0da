import { type ColumnChoice, ColumnChooser } from '#components/lists/column-chooser'
import { FilterChips } from '#components/ui/controls/filter-chips'
import { SearchInput } from '#components/ui/controls/search-input'
import { type Query, queryHref } from '#components/ui/query-href'
import { CAMPAIGN_STATUSES } from '#lib/domain/campaigns/campaign-status'
import { statusLabel } from './campaign-status.tsx'

type Props = {
  query: Query
  /** Number of campaigns per status under the other filters; never zero. */
  counts: Record<string, number>
  owners?: { user_id: string; name: string }[]
  me?: string
  choice?: ColumnChoice
}

export function CampaignFilters({ query, counts, owners = [], me, choice }: Props) {
  const chips = [undefined, ...CAMPAIGN_STATUSES].map((status) => ({
    href: queryHref('/campaigns', query, { status_filter: status }),
    label: status ? statusLabel(status) : 'All',
    count: status ? (counts[status] ?? 0) : Object.values(counts).reduce((sum, one) => sum + one, 0),
    current: (query.status_filter || undefined) === status,
  }))
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <FilterChips label="Status" chips={chips} />
      <div className="flex w-full gap-2 sm:w-auto">
        <SearchInput path="/campaigns" query={query} label="Search campaigns" className="grow sm:w-64" />
        {choice && <ColumnChooser choice={choice} />}
      </div>
      {(owners.length > 1 || query.owner) && (
        <FilterChips label="Owner" chips={ownerChips(query, owners, me)} />
      )}
    </div>
  )
}

/** Filter by owner; one's own campaigns first. */
function ownerChips(query: Query, owners: { user_id: string; name: string }[], me: string | undefined) {
  const chip = (owner: string | undefined, label: string) => ({
    href: queryHref('/campaigns', query, { owner }),
    label,
    current: (query.owner || undefined) === owner || (owner === 'me' && query.owner === me),
  })
  return [
    chip(undefined, 'Everybody'),
    chip('me', 'Mine'),
    ...owners.filter(({ user_id }) => user_id !== me).map(({ user_id, name }) => chip(user_id, name)),
  ]
}
