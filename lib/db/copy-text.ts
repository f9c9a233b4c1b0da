export type CopyValue = string | number | null

const ESCAPES: Record<string, string> = {
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters that COPY gives a meaning to
const SPECIAL = /[\\\u0000\u0008\f\n\r\t\v]/g

/**
 * One line of COPY's text format (Postgres manual, COPY, "Text Format"). jsonb is written as JSON text. NUL is dropped: no Postgres text
 * can hold it, and one would fail the whole batch.
 */
export function copyLine(values: readonly CopyValue[]): string {
  return `${values.map(copyField).join('\t')}\n`
}

/** JSON as one field. JSON escapes all of COPY's special characters except the backslash. */
export function copyJson(value: object): string {
  const json = JSON.stringify(value)
  return json.includes('\\') ? json.replaceAll('\\', '\\\\') : json
}

export function copyField(value: CopyValue): string {
  if (value === null) return '\\N'
  return typeof value === 'number' ? String(value) : value.replace(SPECIAL, (char) => ESCAPES[char] ?? '')
}
