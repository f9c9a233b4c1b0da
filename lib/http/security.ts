type Place = { nonce: string; isDevelopment: boolean; isHttps: boolean; hasIdentityProvider: boolean }

/**
 * What a page of ours may load: scripts of this instance that carry the nonce, and what those load. Styles may be
 * inline, since the interface sets some. A form may be sent nowhere else, save where signing in leads to an identity
 * provider, whose address nobody knows before it is asked.
 */
export function pagePolicy({ nonce, isDevelopment, isHttps, hasIdentityProvider }: Place): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(hasIdentityProvider ? [] : ["form-action 'self'"]),
    ...(isHttps ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}
