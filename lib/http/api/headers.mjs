// Plain JavaScript: next.config.mjs is read by the Node that a host has.

/** What every answer has. */
export const everywhere = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Resource-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=(), payment=(), usb=()' },
]

/** Answers for programs: a browser that is led to one shows it and does nothing with it. */
export const forPrograms = [
  { key: 'Content-Security-Policy', value: "default-src 'none'; frame-ancestors 'none'; sandbox" },
]

/** Opens and clicks: an image in mail is shown by the page of whoever reads it, and the page for a link that is not ours has its looks in itself. */
export const forVisits = [
  {
    key: 'Content-Security-Policy',
    value:
      "default-src 'none'; style-src-attr 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  },
  { key: 'Referrer-Policy', value: 'no-referrer' },
  { key: 'Cross-Origin-Resource-Policy', value: 'cross-origin' },
]

/** Asked for over https once, a browser does not come back without. */
export const overHttps = { key: 'Strict-Transport-Security', value: 'max-age=31536000' }
