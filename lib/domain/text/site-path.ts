/** Any origin will do: what matters is whether a browser would leave it. */
const SITE = 'http://site.invalid'
const LONGEST = 2_000

/**
 * A path of this site as browsers resolve it, with query and fragment; null for anything that might lead elsewhere. Browsers
 * read `\` as `/`, remove control characters, resolve dot segments (plain or as `%2e`), and treat two leading slashes as a host.
 * Proxies decode `%2f` and `%5c`, and none of our paths contains them.
 */
export function sitePath(text: string): string | null {
  if (text.length > LONGEST || !text.startsWith('/') || !text.isWellFormed()) return null
  if (/[\\\p{Cc}\u2028\u2029]/u.test(text) || !URL.canParse(text, SITE)) return null
  const { origin, pathname, search, hash } = new URL(text, SITE)
  if (origin !== SITE || pathname.includes('//') || /%(?:2f|5c|0[0-9a-f]|1[0-9a-f]|7f)/i.test(pathname))
    return null
  return `${pathname}${search}${hash}`
}
