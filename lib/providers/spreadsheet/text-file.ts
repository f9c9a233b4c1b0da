export type TextFile = { text: string; encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' }

/**
 * The text of a csv-like file, or null for bytes that are none. UTF-8 and UTF-16 with or without their marks;
 * what is neither is taken for Windows-1252, which spreadsheet programs still write, unless it holds control bytes.
 */
export function decodeText(bytes: Uint8Array): TextFile | null {
  const encoding = unicodeEncoding(bytes)
  const text = decode(bytes, encoding)
  if (text !== null) return isProse(text, 1 / 500) ? { text, encoding } : null
  const legacy = decode(bytes, 'windows-1252')
  return legacy !== null && isProse(legacy, 0) && !/[\u0081\u008d\u008f\u0090\u009d]/.test(legacy)
    ? { text: legacy, encoding: 'windows-1252' }
    : null
}

function unicodeEncoding(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const head = bytes.subarray(0, 1024)
  let even = 0
  let odd = 0
  head.forEach((byte, at) => {
    if (byte !== 0) return
    if (at % 2 === 0) even++
    else odd++
  })
  // Latin text in UTF-16 without a mark has every other byte zero.
  if (odd > head.length * 0.3 && even === 0) return 'utf-16le'
  if (even > head.length * 0.3 && odd === 0) return 'utf-16be'
  return 'utf-8'
}

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    // Not text in this encoding: the answer, not a failure.
    return null
  }
}

/** No NUL, and no more other control characters than a slip of the exporting program explains. */
function isProse(text: string, allowedShare: number): boolean {
  if (text.includes('\0') || text.includes('\ufffd\ufffd')) return false
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is counted
  const control = /[\u0001-\u0008\u000e-\u001f]/g
  let left = text.length * allowedShare
  while (left >= 0 && control.test(text)) left--
  return left >= 0
}

export const DELIMITERS = ['\t', ';', '|', ','] as const
export type Delimiter = (typeof DELIMITERS)[number]

const SNIFFED_LINES = 50
const SNIFFED_CHARS = 64_000

/** The delimiter that most of the first lines agree on, with how many of them do; null when no line has any. */
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
    else if (!inQuotes && char === '\n') {
      if (!blank) lines.push(line)
      if (lines.length >= SNIFFED_LINES) return lines
      line = { '\t': 0, ';': 0, '|': 0, ',': 0 }
      blank = true
      continue
    } else if (!inQuotes && (char === '\t' || char === ';' || char === '|' || char === ',')) line[char]++
    if (char !== '\r') blank = false
  }
  if (!blank) lines.push(line)
  return lines
}
