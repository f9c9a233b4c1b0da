import { createHash } from 'node:crypto'

/**
 * The one script that stands in our pages by its own words. React shows what arrives after the first paint together, 300 ms after that
 * paint, which it keeps as `$RT`. Here it is always 270 ms ago: what arrives waits 30 ms for the rest of its part. Skeletons show
 * after 200 ms at the earliest.
 */
export const SHOW_SOON = 'Object.defineProperty(window,`$RT`,{get(){return performance.now()-270},set(){}})'

const SCRIPT_HASH = createHash('sha256').update(SHOW_SOON).digest('base64')

type Place = {
  nonce: string
  isDevelopment: boolean
  isHttps: boolean
  hasIdentityProvider: boolean
  /** Where files are put that a storage takes by itself. */
  uploadPrefix?: string | undefined
}

/**
 * What a page of ours may load: scripts and styles of this instance, and where they stand in the page those that carry the
 * nonce. Attributes may set styles, since widths of bars and heights of lists are known at run time alone, and mail is laid
 * out by them; a style runs nothing, and nothing it names is fetched from elsewhere. Files are put elsewhere only where the
 * storage takes them by itself. A form may be sent nowhere else, save where signing in leads to an identity provider, whose
 * address nobody knows before it is asked.
 */
export function pagePolicy(place: Place): string {
  const { nonce, isDevelopment, isHttps, hasIdentityProvider, uploadPrefix } = place
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'sha256-${SCRIPT_HASH}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    // The framework's overlay of errors puts styles into the page.
    `style-src 'self' ${isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    ...(uploadPrefix ? [`connect-src 'self' ${uploadPrefix}`] : []),
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(hasIdentityProvider ? [] : ["form-action 'self'"]),
    ...(isHttps ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}
