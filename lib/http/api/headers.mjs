// Plain JavaScript, because next.config.mjs is read by the host's own Node.

/** Headers of every response. */
export const everywhere = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Resource-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=(), payment=(), usb=()' },
]

/** For responses to programs: a browser that opens one shows it and runs nothing. */
export const forPrograms = [
  { key: 'Content-Security-Policy', value: "default-src 'none'; frame-ancestors 'none'; sandbox" },
]

/** For opens and clicks: the mail reader's page must be able to show the image, and the page for an invalid link uses inline styles. */
export const forVisits = [
  {
    key: 'Content-Security-Policy',
    value:
      "default-src 'none'; style-src-attr 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  },
  { key: 'Referrer-Policy', value: 'no-referrer' },
  { key: 'Cross-Origin-Resource-Policy', value: 'cross-origin' },
]

/** After one visit over https, browsers refuse to use plain http. */
export const overHttps = { key: 'Strict-Transport-Security', value: 'max-age=31536000' }
