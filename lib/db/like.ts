/** Escapes LIKE's wildcards % and _, which Prisma's `contains` does not. */
export const likeText = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** A LIKE pattern for texts that contain this one. Compare with lower-case text. */
export const containsPattern = (text: string) => `%${likeText(text.toLowerCase())}%`

/**
 * The pattern for the trigram index over the database's `search_bytes`. It finds a superset, which is then compared with the text
 * itself. The end of a domain is left out: it is in nearly every text, and the index reads every entry of each trigram.
 */
export const bytesPattern = (text: string) => containsPattern(searchBytes(rarePart(text.toLowerCase())))

function rarePart(text: string): string {
  const dot = text.lastIndexOf('.')
  const rest = text.slice(0, dot)
  return dot > 0 && /^[a-z]{2,}$/.test(text.slice(dot + 1)) && /[^\s.]{3}$/.test(rest) ? rest : text
}

/** The same within a JSON string. */
export const jsonPattern = (text: string) => containsPattern(JSON.stringify(text).slice(1, -1))

/** As Postgres' `encode(…, 'escape')`: bytes beyond ASCII in octal, the backslash doubled. */
const searchBytes = (text: string): string =>
  [...Buffer.from(text, 'utf8')]
    .map((byte) => (byte > 127 ? `\\${byte.toString(8)}` : byte === 92 ? '\\\\' : String.fromCharCode(byte)))
    .join('')
