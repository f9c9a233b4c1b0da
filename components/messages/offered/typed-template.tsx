import type { Offer } from './offered.tsx'

const MAX_TYPED = 60
const MOST_OFFERED = 6

/** The text after a "/" at the start of a word, if it may be part of a template name; else null. */
export function typedTemplate(before: string): string | null {
  const at = before.lastIndexOf('/')
  const typed = before.slice(at + 1)
  const isWord = at === 0 || (at > 0 && /\s/.test(before[at - 1] ?? ''))
  return isWord && typed.length <= MAX_TYPED && !/\n|^\s/.test(typed) ? typed : null
}

/** Templates whose name contains the text. */
export function fittingTemplates(templates: readonly Offer[], typed: string): Offer[] {
  const wanted = typed.toLowerCase()
  return templates.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, MOST_OFFERED)
}
