const QUOTE = 0x22
const LINE_FEED = 0x0a
const RETURN = 0x0d

/** Why a text is not a table: a record exceeds the limit, or a quotation mark is never closed. */
export class CsvTrouble extends Error {
  readonly code: 'too_long' | 'not_closed'
  /** The number of the record, from 1. */
  readonly record: number

  constructor(code: CsvTrouble['code'], record: number) {
    super(`${code}: record ${record}`)
    this.code = code
    this.record = record
  }
}

/**
 * Parses the records of a delimited text that arrives in pieces. Lines may end in any of the three ways. A field that begins
 * with a quotation mark ends at the next one that is not doubled; if something else follows that, the marks are ordinary
 * characters, as they are in the middle of a field. Throws CsvTrouble.
 */
export function* csvRecords(
  pieces: Iterable<string>,
  delimiter: string,
  maxChars: number,
): Generator<string[]> {
  let count = 0
  let held: string[] = []
  let heldChars = 0
  /** An unfinished record is parsed again only once the text is twice as long. */
  let due = 0
  for (const piece of pieces) {
    held.push(piece)
    heldChars += piece.length
    if (heldChars < due) continue
    const text = held.join('')
    const cutter = recordCutter(text, delimiter, false)
    let from = 0
    for (let record = cutter.next(); record; record = cutter.next()) {
      count++
      if (cutter.at() - from > maxChars) throw new CsvTrouble('too_long', count)
      from = cutter.at()
      yield record
    }
    held = [text.slice(from)]
    heldChars = text.length - from
    due = heldChars * 2
    if (heldChars > maxChars) throw new CsvTrouble('too_long', count + 1)
  }
  const text = held.join('')
  const cutter = recordCutter(text, delimiter, true)
  for (let record = cutter.next(); record; record = cutter.next()) {
    count++
    yield record
  }
  if (cutter.at() < text.length) throw new CsvTrouble('not_closed', count + 1)
}

/** Cuts one record after another off a text; returns none if the record may continue after the text, unless `isEnd`. */
function recordCutter(text: string, delimiter: string, isEnd: boolean) {
  const separator = delimiter.charCodeAt(0)
  const feeds = placeFinder(text, '\n')
  const returns = placeFinder(text, '\r')
  const quotes = placeFinder(text, '"')
  let at = 0

  /** A line without quotation marks, as most are, is split as a whole. */
  function next(): string[] | null {
    const feed = feeds(at)
    const back = returns(at)
    if (feed === text.length || back < feed - 1 || quotes(at) < feed) return nextByField()
    const line = text.slice(at, Math.min(back, feed))
    at = feed + 1
    return line.split(delimiter)
  }

  function nextByField(): string[] | null {
    if (at === text.length) return null
    const cells: string[] = []
    for (let from = at; ; from++) {
      const field = text.charCodeAt(from) === QUOTE ? quotedField(from) : null
      const end = field?.end ?? fieldEnd(from)
      if (end === -1 || (end === text.length && !isEnd)) return null
      cells.push(field ? field.value : text.slice(from, end))
      from = end
      const code = text.charCodeAt(end)
      if (code === separator) continue
      const hasFeed = code === RETURN && text.charCodeAt(end + 1) === LINE_FEED
      if (code === RETURN && end + 1 === text.length && !isEnd) return null
      at = Math.min(text.length, end + (hasFeed ? 2 : 1))
      return cells
    }
  }

  /** The end of an unquoted field. */
  function fieldEnd(from: number): number {
    let end = from
    while (end < text.length && !isFieldEnd(text.charCodeAt(end))) end++
    return end
  }

  const isFieldEnd = (code: number) => code === separator || code === LINE_FEED || code === RETURN

  /** A field that begins with a quotation mark; its end is -1 if it is not in the text. */
  function quotedField(from: number): { value: string; end: number } {
    const parts: string[] = []
    let open = from + 1
    let close = text.indexOf('"', open)
    while (close !== -1 && text.charCodeAt(close + 1) === QUOTE) {
      parts.push(text.slice(open, close + 1))
      open = close + 2
      close = text.indexOf('"', open)
    }
    if (close === -1 || (close + 1 === text.length && !isEnd)) return { value: '', end: -1 }
    parts.push(text.slice(open, close))
    if (close + 1 === text.length || isFieldEnd(text.charCodeAt(close + 1)))
      return { value: parts.join(''), end: close + 1 }
    const end = fieldEnd(close + 1)
    return { value: `"${parts.join('')}${text.slice(close, end)}`, end }
  }

  return { next, at: () => at }
}

/** Finds the next position of a character, for positions that only grow; the text's length if there is none. */
function placeFinder(text: string, char: string): (from: number) => number {
  let place = -1
  return (from) => {
    if (place < from) {
      place = text.indexOf(char, from)
      if (place === -1) place = text.length
    }
    return place
  }
}
