import { Command } from 'cmdk'
import { memo } from 'react'
import { Kbd } from '#components/ui/kbd'
import type { MenuGroup, MenuLine } from './menu-line.ts'

const CommandItem = memo(({ value, label, icon: Icon, keys, detail, act }: MenuLine) => (
  <Command.Item
    value={value}
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
))

export function CommandGroup({ heading, lines }: MenuGroup) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
    >
      {lines.map((line) => (
        <CommandItem key={line.value} {...line} />
      ))}
    </Command.Group>
  )
}
