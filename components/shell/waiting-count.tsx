import { clsx } from 'clsx'

/** By page, the number of items that need attention. */
export type Waiting = Partial<Record<string, number>>

const MOST = 99

/** A number beside a page's name; renders nothing for zero. */
export function WaitingCount({ count = 0, className }: { count?: number; className: string }) {
  if (count === 0) return null
  return (
    <span
      className={clsx(
        'min-w-4 rounded-full bg-accent px-1 text-center text-2xs font-medium text-on-accent tabular-nums',
        className,
      )}
    >
      <span aria-hidden>{count > MOST ? `${MOST}+` : count}</span>
      <span className="sr-only">{`, ${count.toLocaleString('en')} unread`}</span>
    </span>
  )
}
