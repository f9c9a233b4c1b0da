import { type Chip, FilterChips } from '#components/ui/controls/filter-chips'
import { SearchInput } from '#components/ui/controls/search-input'
import { type Query, queryHref } from '#components/ui/query-href'
import { reasonWords } from './suppression-words.ts'

const PATH = '/suppressions'
const DAYS = [7, 30, 90]

type Props = {
  query: Query
  reasons: { reason: string; count: number }[]
  /** The parent workspace's name, whose list applies here too. */
  parent: string | null
}

/** Filters by reason, age and source, as chips. All filters are in the URL. */
export function SuppressionFilters({ query, reasons, parent }: Props) {
  const toChip = (label: string, change: Query, count?: number): Chip => ({
    label,
    href: queryHref(PATH, query, change),
    ...(count !== undefined && { count }),
    current: Object.entries(change).every(([key, value]) => String(query[key] ?? '') === String(value ?? '')),
  })
  const total = reasons.reduce((sum, { count }) => sum + count, 0)
  const known = reasons.some(({ reason }) => reason === query.reason)
  const asked =
    query.reason && !known ? [toChip(reasonWords(String(query.reason)), { reason: query.reason }, 0)] : []
  return (
    <>
      <FilterChips
        label="Reason"
        chips={[
          toChip('All', { reason: undefined }, total),
          ...reasons.map(({ reason, count }) => toChip(reasonWords(reason), { reason }, count)),
          ...asked,
        ]}
      />
      <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
        <SearchInput path={PATH} query={query} label="Search suppressions" className="w-full sm:w-64" />
        <FilterChips
          label="Added"
          chips={[
            toChip('Any time', { added_in_days: undefined }),
            ...DAYS.map((days) => toChip(`Last ${days} days`, { added_in_days: days })),
          ]}
        />
        {parent !== null && (
          <FilterChips
            label="List"
            chips={[
              toChip('Both lists', { from: undefined }),
              toChip('This workspace', { from: 'own' }),
              toChip(parent, { from: 'parent' }),
            ]}
          />
        )}
      </div>
    </>
  )
}
