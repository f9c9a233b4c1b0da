import { isRecord } from '#lib/domain/text/record'

/** Stands before each key while JSON is read: with it none is a whole number. */
const MARK = '.'

/**
 * JSON whose objects answer their keys in the order that the text has them (RFC 8259 leaves it to the reader). JavaScript's
 * own objects put keys that are whole numbers first, by size. To be read and written as JSON again; a copy forgets it.
 * Throws as `JSON.parse` does.
 */
export const parseOrdered = (json: string): unknown => withoutMarks(JSON.parse(withMarks(json)))

/** A text with a colon behind it is a key. */
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

/** Where the text's closing quote stands, or the end of what breaks off. */
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
