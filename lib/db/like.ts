/** A text in which LIKE finds itself only: Prisma's `contains` leaves the wildcards % and _ as they are. */
export const likeText = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** Any place of a text in which this stands. Both are in lower case. */
export const anywhere = (text: string) => `%${likeText(text.toLowerCase())}%`

/** The same for what `search_bytes` of the database makes of a text, which an index of trigrams answers. */
export const anywhereInBytes = (text: string) => anywhere(searchBytes(text.toLowerCase()))

/** The same within the JSON of a text. */
export const anywhereInJson = (text: string) => anywhere(JSON.stringify(text).slice(1, -1))

/** As Postgres' `encode(…, 'escape')`: bytes beyond ASCII in octal, the backslash doubled. */
const searchBytes = (text: string): string =>
  [...Buffer.from(text, 'utf8')]
    .map((byte) => (byte > 127 ? `\\${byte.toString(8)}` : byte === 92 ? '\\\\' : String.fromCharCode(byte)))
    .join('')
