import { PageBody } from '../layout/page-header.tsx'
import { Panel } from '../layout/panel.tsx'
import { Late } from './late.tsx'
import { Skeleton, TableSkeleton } from './skeleton.tsx'

/** Hidden for the first 200 ms: fast content needs no placeholder. */
const LATE = 'animate-[enter_1ms_200ms_backwards]'

/** A page with title and table; `filters` adds a row of chips and a search field. */
export function ListSkeleton({ filters, rows }: { filters?: boolean; rows?: number }) {
  return (
    <Late>
      <div
        className={`flex min-h-14 items-center justify-between border-b border-border px-4 py-3 sm:px-6 ${LATE}`}
      >
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-8 w-32" />
      </div>
      <PageBody>
        {filters && <FilterSkeleton />}
        <Panel flush>
          <TableSkeleton rows={rows} />
        </Panel>
      </PageBody>
    </Late>
  )
}

/** Chips and a search field. */
export function FilterSkeleton() {
  return (
    <div className={`flex flex-wrap items-center justify-between gap-3 ${LATE}`}>
      <div className="flex gap-1 overflow-hidden p-0.5">
        {['w-12', 'w-20', 'w-24', 'w-20', 'w-20', 'w-24'].map((width, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity and never move
          <Skeleton key={place} className={`h-7 shrink-0 rounded-full ${width}`} />
        ))}
      </div>
      <Skeleton className="h-9 w-full sm:h-8 sm:w-64" />
    </div>
  )
}

/** A detail page: back link, title, and panels. */
export function DetailSkeleton({ panels = 2 }: { panels?: number }) {
  return (
    <Late>
      <div
        className={`grid grid-cols-[minmax(0,1fr)] gap-2 border-b border-border px-4 pt-3 pb-3 sm:px-6 ${LATE}`}
      >
        <Skeleton className="h-4 w-24" />
        <Skeleton className="h-7 w-64" />
      </div>
      <PageBody>
        <div role="status" className={`grid gap-4 ${LATE}`}>
          <span className="sr-only">Loading</span>
          {Array.from({ length: panels }, (_, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity and never move
            <Panel key={place}>
              <Skeleton className="mb-4 h-5 w-40" />
              <Skeleton className="h-28" />
            </Panel>
          ))}
        </div>
      </PageBody>
    </Late>
  )
}
