/** RFC 1035 section 3.3: one string of a TXT record holds at most 255 bytes. All values here are ASCII. */
const MAX_STRING = 255

/** Splits a long value into strings. Readers join them without a separator. */
export function txtStrings(value: string): string[] {
  const count = Math.ceil(value.length / MAX_STRING)
  return Array.from({ length: count }, (_, at) => value.slice(at * MAX_STRING, (at + 1) * MAX_STRING))
}

/** In zone file syntax: each string in quotes. */
export function zoneFileTxt(value: string): string {
  return txtStrings(value)
    .map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`)
    .join(' ')
}

/** Tag lists of DKIM and DMARC (RFC 6376 section 3.2): null if a name occurs twice or a part is not a tag. */
export function parseTags(record: string): Map<string, string> | null {
  const tags = new Map<string, string>()
  for (const part of record.split(';')) {
    if (part.trim() === '') continue
    const [, name, value] = /^\s*([A-Za-z][A-Za-z0-9_]*)\s*=([\s\S]*)$/.exec(part) ?? []
    if (name === undefined || value === undefined || tags.has(name)) return null
    tags.set(name, value.trim())
  }
  return tags
}
