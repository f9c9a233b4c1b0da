import { Late } from '#components/ui/feedback/late'
import { Skeleton } from '#components/ui/feedback/skeleton'
import { Panel } from '#components/ui/layout/panel'

/** Title, tabs and one panel, before the campaign is known. */
export default function Loading() {
  return (
    <Late>
      <div className="grid animate-[enter_1ms_200ms_backwards] grid-cols-[minmax(0,1fr)] gap-3 border-b border-border px-4 pt-3 pb-2 sm:px-6">
        <Skeleton className="h-4 w-24" />
        <Skeleton className="h-7 w-64" />
        <Skeleton className="h-6 w-96 max-w-full" />
      </div>
      <div className="grid animate-[enter_1ms_200ms_backwards] grid-cols-[minmax(0,1fr)] gap-4 px-4 py-5 sm:px-6">
        <Skeleton className="h-20" />
        <Panel>
          <Skeleton className="h-40" />
        </Panel>
      </div>
    </Late>
  )
}
