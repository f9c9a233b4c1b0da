import { clsx } from 'clsx'
import { Command } from 'cmdk'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Kbd } from '#components/ui/kbd'

type Props = {
  label: string
  icon: LucideIcon
  /** Tells apart what has the same words; the words themselves unless said. */
  value?: string
  /** Other words under which it is looked for. */
  keywords?: string[]
  keys?: string[]
  /** At the end of the line, in place of keys. */
  detail?: ReactNode
  /** Shown whatever was typed. */
  always?: boolean
  act: () => void
}

export function CommandItem({ label, icon: Icon, value, keywords, keys, detail, always, act }: Props) {
  return (
    <Command.Item
      value={value ?? label}
      keywords={value ? [label, ...(keywords ?? [])] : keywords}
      forceMount={always}
      onSelect={act}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2 py-1 text-sm data-[selected=true]:bg-hover"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {detail && <span className="max-w-[45%] shrink-0 truncate text-xs text-muted">{detail}</span>}
      {keys && (
        <span aria-hidden className="flex shrink-0 gap-1">
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </span>
      )}
    </Command.Item>
  )
}

type GroupProps = { heading: string; always?: boolean; isLast?: boolean | undefined; children: ReactNode }

export function CommandGroup({ heading, always, isLast, children }: GroupProps) {
  return (
    <Command.Group
      heading={heading}
      forceMount={always}
      className={clsx(
        '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted',
        isLast && 'order-last',
      )}
    >
      {children}
    </Command.Group>
  )
}
