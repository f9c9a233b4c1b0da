import { clsx } from 'clsx'

/** Give it the size of the expected content to avoid layout shifts. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={clsx('block animate-pulse-soft rounded-xs bg-hover', className)} />
}

/** A table's placeholder while its rows load. */
export function TableSkeleton({ rows = 8, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <div role="status" className="animate-[enter_1ms_200ms_backwards]">
      <span className="sr-only">{label}</span>
      <div className="h-8 border-b border-border" />
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity and never move
        <div key={index} className="flex h-11 items-center gap-6 border-b border-border px-4 last:border-0">
          <Skeleton className="h-3.5 w-2/5" />
          <Skeleton className="h-3.5 w-16" />
          <Skeleton className="ml-auto h-3.5 w-24" />
        </div>
      ))}
    </div>
  )
}
