const MOST_OFFERED = 8

/** Fields that begin with the typed text first, then those that contain it. */
export function fittingFields(fields: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase()
  const begins = fields.filter((name) => name.toLowerCase().startsWith(wanted))
  const has = fields.filter((name) => !begins.includes(name) && name.toLowerCase().includes(wanted))
  const fitting = [...begins, ...has]
  return fitting.length === 1 && fitting[0] === typed ? [] : fitting.slice(0, MOST_OFFERED)
}

/**
 * The field name being typed before the caret, with the range it occupies including its braces; null outside
 * of `{{`.
 */
export function typedField(text: string, caret: number): { name: string; from: number; to: number } | null {
  const match = /\{\{-?[ \t]*([\w.]*)$/.exec(text.slice(0, caret))
  if (!match) return null
  const rest = /^[\w.]*[ \t]*-?\}{1,2}/.exec(text.slice(caret))?.[0] ?? ''
  return { name: match[1] ?? '', from: match.index, to: caret + rest.length }
}
