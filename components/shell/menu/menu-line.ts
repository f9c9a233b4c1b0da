import type { LucideIcon } from 'lucide-react'
import type { Act } from '#components/ui/use-action'

/** A line of the menu. */
export type MenuLine = {
  /** Unique value, since several lines may have the same words. */
  value: string
  label: string
  icon: LucideIcon
  /** Additional words that find the line. */
  keywords?: string[]
  keys?: string[]
  /** Shown at the end of the line instead of keys. */
  detail?: string
  act: () => void
}

/** `id` is unique: a campaign may have the same name as a built-in group. */
export type MenuGroup = { id: string; heading: string; lines: MenuLine[] }

/** The effects of a line, run after the menu has closed. */
export type Hands = {
  go: (href: string) => void
  choose: (act: () => void) => void
  run: (act: Act) => void
  help: () => void
}
