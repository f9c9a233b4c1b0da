import { fileURLToPath } from 'node:url'

const FORM = '(application/x-www-form-urlencoded|multipart/form-data).*'

const everywhere = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=(), payment=(), usb=()' },
]
/** Answers for programs: a browser that is led to one shows it and does nothing with it. */
const forPrograms = [
  { key: 'Content-Security-Policy', value: "default-src 'none'; frame-ancestors 'none'; sandbox" },
]

/** @type {import('next').NextConfig} */
export default {
  // Two instances of one checkout may build side by side; `npm run up` names the folder.
  distDir: process.env.NEXT_DIST_DIR ?? '.next',
  turbopack: { root: fileURLToPath(new URL('.', import.meta.url)) },
  // The API answers with and without the slash at the end, never by a redirect.
  skipTrailingSlashRedirect: true,
  // Mail clients POST to the very address that people open (RFC 8058), and a page cannot take a POST. Only a POST
  // carries a form.
  rewrites: async () => ({
    beforeFiles: [
      {
        source: '/unsubscribe/:token',
        has: [{ type: 'header', key: 'content-type', value: FORM }],
        destination: '/unsubscribe/:token/submit',
      },
    ],
  }),
  // The policy of pages carries a nonce: proxy.ts sets it.
  headers: async () => [
    { source: '/:path*', headers: everywhere },
    { source: '/api/v1/:path*', headers: forPrograms },
    { source: '/mcp/:path*', headers: forPrograms },
    { source: '/metrics', headers: forPrograms },
    // Its address is a credential of the person who got the mail.
    { source: '/unsubscribe/:path*', headers: [{ key: 'Referrer-Policy', value: 'no-referrer' }] },
    // The header of the route itself does not get past the one for every path.
    { source: '/t/:path*', headers: [{ key: 'Referrer-Policy', value: 'no-referrer' }] },
    // Theirs are of whoever runs the instance. Without any referrer a form would name no origin, and be refused.
    { source: '/first-account/:path*', headers: [{ key: 'Referrer-Policy', value: 'same-origin' }] },
    { source: '/reset-password/:path*', headers: [{ key: 'Referrer-Policy', value: 'same-origin' }] },
  ],
  // Types are `npm run check`'s: nobody's start should wait for them, or fail over a test file.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  // The import wizard hands whole spreadsheets to its action; the action holds them to the same limit as the API.
  experimental: { serverActions: { bodySizeLimit: '26mb' }, proxyClientMaxBodySize: '32mb' },
  serverExternalPackages: [
    'pg',
    'pg-copy-streams',
    'pino',
    'prom-client',
    'inngest',
    'nodemailer',
    'smtp-server',
  ],
}
