import { MAX_HEAD, MAX_HEADER } from '#lib/domain/inbox/bounds'

export type Header = { name: string; value: string }

/** Parses a header block up to its first empty line: in order, unfolded, names in lower case. */
export function readHeaders(text: string): Header[] {
  const block = text.slice(0, MAX_HEAD).replace(/\r\n?/g, '\n').replace(/^\n+/, '').split('\n\n', 1)[0] ?? ''
  return block
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const colon = line.indexOf(':')
      if (colon < 1) return []
      const value = line.slice(colon + 1, colon + 1 + MAX_HEADER).trim()
      return [{ name: line.slice(0, colon).trim().toLowerCase().slice(0, 200), value }]
    })
}

/** The first value of a header, or "". */
export function readHeader({ headers }: { headers: readonly Header[] }, name: string): string {
  return headers.find((header) => header.name === name)?.value.trim() ?? ''
}

/** Every `<…@…>` in a header; some programs omit the brackets. */
export function messageIds(value: string): string[] {
  const text = value.slice(0, 10_000)
  const bracketed = text.match(/<[^<>\s]{1,500}>/g)
  if (bracketed) return bracketed
  // Without an "@", each position of a long word would start 250 useless steps.
  if (!text.includes('@')) return []
  return (text.match(/[^\s<>"',;]{1,250}@[^\s<>"',;]{1,250}/g) ?? []).map((id) => `<${id}>`)
}

/**
 * Splits a mail into its bounded header block and its body. Works on bytes without decoding; only what is too
 * long is left out.
 */
export function boundedHead(raw: Uint8Array): { head: Uint8Array; body: Uint8Array; isCut: boolean } {
  const { end, body } = endOfHead(raw)
  const whole = raw.subarray(0, end)
  const rest = raw.subarray(body)
  const kept: Uint8Array[] = []
  let room = MAX_HEAD - 1_024
  for (const line of foldedLines(whole)) {
    room -= Math.max(Math.min(line.bytes.length, MAX_HEADER), line.lines * LEAST_LINE)
    if (room < 0) break
    if (line.bytes.length <= MAX_HEADER) kept.push(line.bytes)
    else kept.push(line.bytes.subarray(0, MAX_HEADER - 1), NEWLINE)
  }
  const length = kept.reduce((sum, piece) => sum + piece.length, 0)
  if (length === whole.length) return { head: whole, body: rest, isCut: false }
  return { head: joined(kept, length), body: rest, isCut: true }
}

/** The cost counted for a line at least: many short lines are as much work as a long one. */
const LEAST_LINE = 64
const LF = 10
const CR = 13
const NEWLINE = new Uint8Array([LF])

function endOfHead(raw: Uint8Array): { end: number; body: number } {
  for (let at = raw.indexOf(LF); at !== -1; at = raw.indexOf(LF, at + 1)) {
    if (raw[at + 1] === LF) return { end: at + 1, body: at + 2 }
    if (raw[at + 1] === CR && raw[at + 2] === LF) return { end: at + 1, body: at + 3 }
  }
  return { end: raw.length, body: raw.length }
}

/** The headers, each with its continuation lines. */
function foldedLines(head: Uint8Array): { bytes: Uint8Array; lines: number }[] {
  const parts: { bytes: Uint8Array; lines: number }[] = []
  let start = 0
  while (start < head.length) {
    let end = head.indexOf(LF, start)
    let lines = 1
    while (end !== -1 && (head[end + 1] === 32 || head[end + 1] === 9)) {
      end = head.indexOf(LF, end + 1)
      lines += 1
    }
    const next = end === -1 ? head.length : end + 1
    parts.push({ bytes: head.subarray(start, next), lines })
    start = next
  }
  return parts
}

function joined(pieces: Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
