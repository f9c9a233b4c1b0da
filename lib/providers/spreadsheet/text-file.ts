import type { SheetFile } from '#lib/providers/spreadsheet/port'

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** What is known about a text after one pass; `pieces` reads it again. */
export type TextFile = {
  encoding: Encoding
  chars: number
  /** Its first MAX_HEAD_CHARS characters, and its last TAIL_CHARS. */
  head: string
  tail: string
  is_blank: boolean
  pieces(): Iterable<string>
}

export const MAX_HEAD_CHARS = 1_000_000
const TAIL_CHARS = 1_000
const NO_TEXT = 'ERR_ENCODING_INVALID_ENCODED_DATA'
/** A script, ASCII, and quotes and dashes. */
const MAX_BLOCKS = 4
/** Even, so that pieces of UTF-16 hold whole units. */
const PIECE_BYTES = 1 << 17

/**
 * The text of a csv-like file, or null if the bytes are no text. UTF-8 and UTF-16, with or without a byte order mark; anything
 * else is read as Windows-1252, which spreadsheet programs still write, unless it has control bytes. Reads the file once, or
 * twice for Windows-1252, and holds one piece of it at a time.
 */
export function readTextFile(file: SheetFile, pieceBytes = PIECE_BYTES): TextFile | null {
  const encoding = unicodeEncoding(file.read(0, 1024))
  const text = judge(file, encoding, pieceBytes)
  if (text) return text.controls <= text.chars * (1 / 500) && !text.has_noise ? text : null
  const legacy = judge(file, 'windows-1252', pieceBytes)
  return legacy && legacy.controls === 0 && !legacy.has_noise ? legacy : null
}

function unicodeEncoding(head: Uint8Array): Exclude<Encoding, 'windows-1252'> {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  let even = 0
  let odd = 0
  head.forEach((byte, at) => {
    if (byte !== 0) return
    if (at % 2 === 0) even++
    else odd++
  })
  // Latin text in UTF-16 without a byte order mark has zero in every other byte.
  if (odd > head.length * 0.3 && even === 0) return 'utf-16le'
  if (even > head.length * 0.3 && odd === 0) return 'utf-16be'
  if (odd > 0 && even === 0 && isOneScript(head, 1)) return 'utf-16le'
  if (even > 0 && odd === 0 && isOneScript(head, 0)) return 'utf-16be'
  return 'utf-8'
}

/**
 * Whether the bytes are UTF-16 text in one or two scripts with line breaks; `high` is the position of the higher byte. In
 * Cyrillic text, only separators and digits have a zero there.
 */
function isOneScript(head: Uint8Array, high: 0 | 1): boolean {
  const blocks = new Set<number>()
  let breaks = 0
  for (let at = 0; at + 1 < head.length; at += 2) {
    const block = head[at + high] ?? 0
    blocks.add(block)
    if (block === 0 && head[at + 1 - high] === 0x0a) breaks++
  }
  return breaks > 0 && blocks.size <= MAX_BLOCKS
}

/** Yields the text in pieces that end between characters. Throws TypeError if it is not valid in this encoding. */
function* decoded(file: SheetFile, encoding: Encoding, pieceBytes: number): Generator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  // In Windows-1252 a byte is a character, so pieces are independent.
  const stream = encoding !== 'windows-1252'
  for (let at = 0; at < file.size; at += pieceBytes) {
    const piece = decoder.decode(file.read(at, at + pieceBytes), { stream })
    if (piece !== '') yield piece
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is counted
const CONTROL = /[\u0001-\u0008\u000e-\u001f]/g
/** Bytes that Windows-1252 does not assign. */
const UNASSIGNED = /[\u0081\u008d\u008f\u0090\u009d]/

type Judged = TextFile & {
  /** The number of control characters; a few are tolerated, as slips of the exporting program. */
  controls: number
  /** NUL, a run of replacement characters, or bytes that the encoding does not have. */
  has_noise: boolean
}

/** The properties of the text, or null if it is not text in this encoding. */
function judge(file: SheetFile, encoding: Encoding, pieceBytes: number): Judged | null {
  const head: string[] = []
  let chars = 0
  let headChars = 0
  let tail = ''
  let isBlank = true
  let controls = 0
  let hasNoise = false
  try {
    for (const piece of decoded(file, encoding, pieceBytes)) {
      const seam = tail.slice(-1) + piece
      hasNoise ||= piece.includes('\0') || seam.includes('\ufffd\ufffd')
      hasNoise ||= encoding === 'windows-1252' && UNASSIGNED.test(piece)
      controls += piece.match(CONTROL)?.length ?? 0
      isBlank &&= piece.trim() === ''
      if (headChars < MAX_HEAD_CHARS) head.push(piece.slice(0, MAX_HEAD_CHARS - headChars))
      headChars = Math.min(MAX_HEAD_CHARS, headChars + piece.length)
      chars += piece.length
      tail = (tail + piece.slice(-TAIL_CHARS)).slice(-TAIL_CHARS)
    }
  } catch (error) {
    // Not text in this encoding: the answer, not a failure.
    if (error instanceof TypeError && 'code' in error && error.code === NO_TEXT) return null
    throw error
  }
  return {
    encoding,
    chars,
    head: head.join(''),
    tail,
    is_blank: isBlank,
    controls,
    has_noise: hasNoise,
    pieces: () => decoded(file, encoding, pieceBytes),
  }
}

export const DELIMITERS = ['\t', ';', '|', ','] as const
export type Delimiter = (typeof DELIMITERS)[number]

const SNIFFED_LINES = 50
const SNIFFED_CHARS = 64_000

/** The delimiter on which most of the first lines agree, with the number of those lines; null if no line has one. */
export function sniffDelimiter(
  text: string,
): { delimiter: Delimiter; agreeing: number; lines: number } | null {
  const counts = countPerLine(text.slice(0, SNIFFED_CHARS))
  let best: { delimiter: Delimiter; agreeing: number; lines: number; perLine: number } | null = null
  for (const delimiter of DELIMITERS) {
    const tally = new Map<number, number>()
    for (const line of counts) {
      const n = line[delimiter]
      if (n > 0) tally.set(n, (tally.get(n) ?? 0) + 1)
    }
    for (const [perLine, agreeing] of tally) {
      const better =
        best === null || agreeing > best.agreeing || (agreeing === best.agreeing && perLine > best.perLine)
      if (better) best = { delimiter, agreeing, perLine, lines: counts.length }
    }
  }
  return best
}

function countPerLine(text: string): Record<Delimiter, number>[] {
  const lines: Record<Delimiter, number>[] = []
  let line = { '\t': 0, ';': 0, '|': 0, ',': 0 }
  let inQuotes = false
  let blank = true
  for (const char of text) {
    if (char === '"') inQuotes = !inQuotes
    else if (!inQuotes && (char === '\n' || char === '\r')) {
      if (!blank) lines.push(line)
      if (lines.length >= SNIFFED_LINES) return lines
      line = { '\t': 0, ';': 0, '|': 0, ',': 0 }
      blank = true
      continue
    } else if (!inQuotes && (char === '\t' || char === ';' || char === '|' || char === ',')) line[char]++
    blank = false
  }
  if (!blank) lines.push(line)
  return lines
}
