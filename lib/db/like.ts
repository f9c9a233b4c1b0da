/** A text in which LIKE finds itself only: Prisma's `contains` leaves the wildcards % and _ as they are. */
export const likeText = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** Any place of a text in which this stands. Both are in lower case. */
export const containsPattern = (text: string) => `%${likeText(text.toLowerCase())}%`

/**
 * What is asked of an index of trigrams over `search_bytes` of the database, which leaves some that the text itself is then compared with. The
 * end of a domain is not asked for: it is in nearly every text, and an index reads all that it has of each trigram.
 */
export const bytesPattern = (text: string) => containsPattern(searchBytes(rarePart(text.toLowerCase())))

function rarePart(text: string): string {
  const dot = text.lastIndexOf('.')
  const rest = text.slice(0, dot)
  return dot > 0 && /^[a-z]{2,}$/.test(text.slice(dot + 1)) && /[^\s.]{3}$/.test(rest) ? rest : text
}

/** The same within the JSON of a text. */
export const jsonPattern = (text: string) => containsPattern(JSON.stringify(text).slice(1, -1))

/** As Postgres' `encode(…, 'escape')`: bytes beyond ASCII in octal, the backslash doubled. */
const searchBytes = (text: string): string =>
  [...Buffer.from(text, 'utf8')]
    .map((byte) => (byte > 127 ? `\\${byte.toString(8)}` : byte === 92 ? '\\\\' : String.fromCharCode(byte)))
    .join('')
