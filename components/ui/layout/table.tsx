import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { ScrollArea } from './scroll-area.tsx'

type Props = {
  /** Describes the rows to screen readers; not visible. */
  caption: string
  /** `stack`: one card per row on phones; scrolls sideways on larger screens if too wide. `scroll`: keeps the columns everywhere. */
  narrow?: 'stack' | 'scroll'
  children: ReactNode
  className?: string
}

export function Table({ caption, narrow = 'stack', className, children }: Props) {
  const table = (
    <table className={clsx('w-full text-sm', narrow === 'stack' && 'stack-table', className)}>
      <caption className="sr-only">{caption}</caption>
      {children}
    </table>
  )
  if (narrow === 'stack') return <div className="relative sm:overflow-x-auto">{table}</div>
  return <ScrollArea label={caption}>{table}</ScrollArea>
}

export function Th({ className, numeric, ...rest }: ComponentProps<'th'> & { numeric?: boolean }) {
  return (
    <th
      scope="col"
      className={clsx(
        'h-8 border-b border-border px-3 text-xs font-medium whitespace-nowrap text-muted first:pl-4 last:pr-4',
        numeric ? 'text-right' : 'text-left',
        className,
      )}
      {...rest}
    />
  )
}

export function Tr({ className, ...rest }: ComponentProps<'tr'>) {
  return (
    <tr
      className={clsx(
        'relative border-b border-border last:border-0 hover:bg-hover has-[[type=checkbox]:checked]:bg-accent-subtle',
        className,
      )}
      {...rest}
    />
  )
}

type TdProps = Omit<ComponentProps<'td'>, 'data-label'> & {
  label?: string
  lead?: boolean
  numeric?: boolean
  plain?: boolean | undefined
}

/**
 * On cards, `label` is shown before the value and values of "–" are omitted; `lead` is the card's title;
 * `plain` omits the label.
 */
export function Td({ className, label, lead, numeric, plain, ...rest }: TdProps) {
  return (
    <td
      data-label={label}
      data-empty={rest.children === '–' || undefined}
      data-lead={lead || undefined}
      data-numeric={numeric || undefined}
      data-plain={plain || undefined}
      className={clsx('h-11 px-3 py-1.5 first:pl-4 last:pr-4', numeric && 'text-right', className)}
      {...rest}
    />
  )
}
