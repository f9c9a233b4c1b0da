/** Any address does: what matters is whether a browser would leave it. */
const SITE = 'http://site.invalid'
const LONGEST = 2_000

/**
 * A path of this site in the form in which browsers read it, with its query and fragment; null for anything that might lead
 * elsewhere. Browsers read `\` as `/`, cut control characters out, resolve dot segments, written plainly or as `%2e`, and take
 * two slashes at the beginning for a host. Proxies undo `%2f` and `%5c`, so no path of ours has them.
 */
export function sitePath(text: string): string | null {
  if (text.length > LONGEST || !text.startsWith('/') || !text.isWellFormed()) return null
  if (/[\\\p{Cc}\u2028\u2029]/u.test(text) || !URL.canParse(text, SITE)) return null
  const { origin, pathname, search, hash } = new URL(text, SITE)
  if (origin !== SITE || pathname.includes('//') || /%(?:2f|5c|0[0-9a-f]|1[0-9a-f]|7f)/i.test(pathname))
    return null
  return `${pathname}${search}${hash}`
}
