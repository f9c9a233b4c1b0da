/**
 * JSON as a jsonb column takes it. Words of others may hold a NUL, and what was cut may end in half a letter (RFC 8259
 * section 8.2): Postgres refuses both, and with them all that is written in the same statement.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  if (!/\\u(?:0000|d[89a-f])/.test(text)) return text
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'string' ? inner.replaceAll('\0', '').toWellFormed() : inner,
  )
}
