const MAX_CHARS = 100

/** A cell as a report shows it: on one line, and empty if it contains an address. */
function shownCell(cells: Readonly<Record<string, unknown>>, name: string): string {
  const value = cells[name]
  if (typeof value !== 'string' || value.includes('@')) return ''
  return value.replace(/\s+/g, ' ').trim().slice(0, MAX_CHARS)
}

/** The name of a lead who replied, as a report may show it; null if only the address is known. */
export function repliedName(cells: Readonly<Record<string, unknown>>): string | null {
  const parts = [shownCell(cells, 'first_name'), shownCell(cells, 'last_name')].filter(Boolean)
  return parts.join(' ') || shownCell(cells, 'full_name') || null
}
