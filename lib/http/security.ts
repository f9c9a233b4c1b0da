type Place = { nonce: string; isDevelopment: boolean; isHttps: boolean; hasIdentityProvider: boolean }

/**
 * What a page of ours may load: scripts and styles of this instance, and where they stand in the page those that carry the
 * nonce. Attributes may set styles, since widths of bars and heights of lists are known at run time alone, and mail is laid
 * out by them; a style runs nothing, and nothing it names is fetched from elsewhere. A form may be sent nowhere else, save
 * where signing in leads to an identity provider, whose address nobody knows before it is asked.
 */
export function pagePolicy({ nonce, isDevelopment, isHttps, hasIdentityProvider }: Place): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    // The framework's overlay of errors puts styles into the page.
    `style-src 'self' ${isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(hasIdentityProvider ? [] : ["form-action 'self'"]),
    ...(isHttps ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}
