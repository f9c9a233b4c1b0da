import { Late } from '#components/ui/feedback/late'
import { FilterSkeleton } from '#components/ui/feedback/list-skeleton'
import { Skeleton, TableSkeleton } from '#components/ui/feedback/skeleton'
import { PageBody } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'

/** Placeholder for header, filters and table. */
export default function Loading() {
  return (
    <Late>
      <div className="grid animate-[enter_1ms_200ms_backwards] grid-cols-[minmax(0,1fr)] gap-3 border-b border-border px-4 pt-3 pb-2 sm:px-6">
        <Skeleton className="h-4 w-24" />
        <Skeleton className="h-7 w-64" />
        <Skeleton className="h-6 w-96 max-w-full" />
      </div>
      <PageBody>
        <FilterSkeleton />
        <Panel flush>
          <TableSkeleton rows={10} />
        </Panel>
      </PageBody>
    </Late>
  )
}
