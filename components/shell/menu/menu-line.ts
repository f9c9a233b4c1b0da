import type { LucideIcon } from 'lucide-react'
import type { Act } from '#components/ui/use-action'

/** A line of the menu. */
export type MenuLine = {
  /** Tells it apart from what has the same words. */
  value: string
  label: string
  icon: LucideIcon
  /** Other words under which it is looked for. */
  keywords?: string[]
  keys?: string[]
  /** At the end of the line, in place of keys. */
  detail?: string
  act: () => void
}

/** `id` tells it apart from one of the same words: a campaign may be called as any of ours. */
export type MenuGroup = { id: string; heading: string; lines: MenuLine[] }

/** What a line has done, once the menu has closed. */
export type Hands = {
  go: (href: string) => void
  choose: (act: () => void) => void
  run: (act: Act) => void
  help: () => void
}
