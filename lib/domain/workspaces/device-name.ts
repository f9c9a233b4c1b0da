const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** "Firefox on Linux", as far as a user agent shows it. */
export function deviceName(agent: string | null): string {
  const of = (table: readonly (readonly [string, string])[]) =>
    table.find(([mark]) => agent?.includes(mark))?.[1]
  const [browser, system] = [of(BROWSERS), of(SYSTEMS)]
  if (!browser) return agent ? agent.slice(0, 40) : 'Unknown browser'
  return system ? `${browser} on ${system}` : browser
}
