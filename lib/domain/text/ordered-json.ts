import { isRecord } from '#lib/domain/text/record'

/** Prefixed to each key while JSON is parsed, so that no key is an integer. */
const MARK = '.'

/**
 * Parses JSON into objects that keep the order of keys in the text (RFC 8259 leaves it to the reader). Ordinary objects in
 * JavaScript put integer keys first, by size. The result can be serialized in that order; a copy loses it. Throws as
 * `JSON.parse` does.
 */
export const parseOrdered = (json: string): unknown => withoutMarks(JSON.parse(withMarks(json)))

/** A string followed by a colon is a key. */
function withMarks(json: string): string {
  const parts: string[] = []
  let written = 0
  for (let at = json.indexOf('"'); at >= 0; at = json.indexOf('"', at)) {
    const start = at + 1
    at = textEnd(json, start) + 1
    if (!isBeforeColon(json, at)) continue
    parts.push(json.slice(written, start), MARK)
    written = start
  }
  return parts.join('') + json.slice(written)
}

/** The position of the string's closing quote, or the end of a truncated text. */
function textEnd(json: string, start: number): number {
  let at = start
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at
}

function isBeforeColon(json: string, after: number): boolean {
  let at = after
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\t' || json[at] === '\r') at += 1
  return json[at] === ':'
}

function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks)
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(
    ([key, marked]) => [key.slice(MARK.length), withoutMarks(marked)] as const,
  )
  const keys = entries.map(([key]) => key)
  const object = Object.fromEntries(entries)
  const isInOrder = Object.keys(object).every((key, at) => key === keys[at])
  return isInOrder ? object : new Proxy(object, { ownKeys: () => keys })
}
