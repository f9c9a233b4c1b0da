import { PageBody } from './page-header.tsx'
import { Panel } from './panel.tsx'
import { Skeleton, TableSkeleton } from './skeleton.tsx'

/** A page with a title and a table, before either is known. */
export function ListSkeleton() {
  return (
    <>
      <div className="flex min-h-14 items-center justify-between border-b border-border px-4 py-3 sm:px-6">
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-8 w-32" />
      </div>
      <PageBody>
        <Panel flush>
          <TableSkeleton />
        </Panel>
      </PageBody>
    </>
  )
}
