import { createHash } from 'node:crypto'

/**
 * The only inline script of our pages. React holds back content that arrives after the first paint until 300 ms after that
 * paint, whose time it keeps as `$RT`. Here the paint is always 270 ms ago, so content waits only 30 ms for the rest of its
 * part. Skeletons show after 200 ms at the earliest.
 */
export const SHOW_SOON = 'Object.defineProperty(window,`$RT`,{get(){return performance.now()-270},set(){}})'

const SCRIPT_HASH = createHash('sha256').update(SHOW_SOON).digest('base64')

type Place = {
  nonce: string
  isDevelopment: boolean
  isHttps: boolean
  hasIdentityProvider: boolean
  /** The address prefix of direct uploads, if the storage accepts them. */
  uploadPrefix?: string | undefined
}

/**
 * The content security policy of our pages. Scripts and styles may be loaded from this instance; inline ones need the nonce.
 * Style attributes are allowed, since widths of bars and heights of lists are known only at run time, and mail is laid out by
 * them; a style runs no code and loads nothing from elsewhere. Uploads may go elsewhere only if the storage accepts direct
 * uploads. Forms may be sent only to this instance, unless an identity provider is configured, whose address is not known
 * beforehand.
 */
export function pagePolicy(place: Place): string {
  const { nonce, isDevelopment, isHttps, hasIdentityProvider, uploadPrefix } = place
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'sha256-${SCRIPT_HASH}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    // The framework's error overlay adds styles to the page.
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
