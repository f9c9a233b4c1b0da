import type { Offer } from './offered.tsx'

const MAX_TYPED = 60
const MOST_OFFERED = 6

/** What stands behind a / at the beginning of a word, and may be some of a template's name; null: no such. */
export function typedTemplate(before: string): string | null {
  const at = before.lastIndexOf('/')
  const typed = before.slice(at + 1)
  const isWord = at === 0 || (at > 0 && /\s/.test(before[at - 1] ?? ''))
  return isWord && typed.length <= MAX_TYPED && !/\n|^\s/.test(typed) ? typed : null
}

/** Those that have it anywhere in their names. */
export function fittingTemplates(templates: readonly Offer[], typed: string): Offer[] {
  const wanted = typed.toLowerCase()
  return templates.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, MOST_OFFERED)
}
