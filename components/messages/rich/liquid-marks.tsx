import { liquidEnd } from '#lib/domain/messages/spintax'

export type Span = { text: string; isLiquid: boolean }

/** Splits a source at its Liquid, in order. */
export function splitLiquid(source: string): Span[] {
  const spans: Span[] = []
  const add = (from: number, to: number, isLiquid: boolean) => {
    if (to > from) spans.push({ text: source.slice(from, to), isLiquid })
  }
  let from = 0
  for (let at = source.indexOf('{'); at >= 0; at = source.indexOf('{', at)) {
    const end = liquidEnd(source, at)
    if (end > at) {
      add(from, at, false)
      add(at, end, true)
      from = end
    }
    at = Math.max(end, at + 1)
  }
  add(from, source.length, false)
  return spans
}

// Private-use characters stand for Liquid while an HTML parser processes the rest.
const OPEN = '\uE000'
const CLOSE = '\uE001'
export const MARK = /\uE000(\d+)\uE001/g

/** The source with a mark in place of each piece of Liquid, and the pieces. */
export function markLiquid(source: string): { marked: string; liquid: string[] } {
  const liquid: string[] = []
  const marked = splitLiquid(source.replace(/[\uE000\uE001]/g, ''))
    .map(({ text, isLiquid }) => (isLiquid ? `${OPEN}${liquid.push(text) - 1}${CLOSE}` : text))
    .join('')
  return { marked, liquid }
}

export const unmarkLiquid = (text: string, liquid: readonly string[]): string =>
  text.replace(MARK, (_, place: string) => liquid[Number(place)] ?? '')

/** The label of a field chip: its name and fallback. */
export function chipLabel(source: string): string {
  const field = /^\{\{-?\s*([\w.]+)\s*(?:\|\s*default:\s*(?:"([^"]*)"|'([^']*)')\s*)?-?\}\}$/.exec(source)
  if (!field) return source.slice(2, -2).replace(/^-|-$/g, '').trim()
  const fallback = field[2] ?? field[3]
  return fallback ? `${field[1]} or “${fallback}”` : (field[1] ?? source)
}
