/**
 * JSON text that a jsonb column accepts. Foreign text may contain NUL, and truncated text may end in half a surrogate pair (RFC 8259
 * section 8.2). Postgres refuses both, and with them everything else in the same statement.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  if (!/\\u(?:0000|d[89a-f])/.test(text)) return text
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'string' ? inner.replaceAll('\0', '').toWellFormed() : inner,
  )
}
