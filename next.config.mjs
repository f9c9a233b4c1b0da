import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { everywhere, forPrograms, forVisits } from './lib/http/api/headers.mjs'

const FORM = '(application/x-www-form-urlencoded|multipart/form-data).*'

const ROOT = fileURLToPath(new URL('.', import.meta.url))
const distDir = process.env.NEXT_DIST_DIR ?? '.next'

/** @type {import('next').NextConfig} */
export default {
  // Two instances of one checkout may build side by side; `npm run up` sets the folder.
  distDir,
  // Derived from the sources, so that several machines produce the same id.
  generateBuildId: () => process.env.OPENER_BUILD ?? null,
  turbopack: { root: ROOT },
  // The API answers with and without the trailing slash, never by a redirect.
  skipTrailingSlashRedirect: true,
  // Mail clients POST to the same address that people open (RFC 8058), and a page cannot take a POST. Only a POST carries a form.
  rewrites: async () => ({
    beforeFiles: [
      {
        source: '/unsubscribe/:token',
        has: [{ type: 'header', key: 'content-type', value: FORM }],
        destination: '/unsubscribe/:token/submit',
      },
      {
        source: '/analytics-email/:token',
        has: [{ type: 'header', key: 'content-type', value: FORM }],
        destination: '/analytics-email/:token/submit',
      },
    ],
  }),
  // The policy of pages carries a nonce, so proxy.ts sets it.
  headers: async () => [
    { source: '/:path*', headers: everywhere },
    { source: '/api/v1/:path*', headers: forPrograms },
    { source: '/mcp/:path*', headers: forPrograms },
    { source: '/metrics', headers: forPrograms },
    { source: '/.well-known/:path*', headers: forPrograms },
    // The address is a credential of the recipient of the mail.
    { source: '/unsubscribe/:path*', headers: [{ key: 'Referrer-Policy', value: 'no-referrer' }] },
    { source: '/analytics-email/:path*', headers: [{ key: 'Referrer-Policy', value: 'no-referrer' }] },
    // Anybody who has the address of a report can read it.
    {
      source: '/r/:path*',
      headers: [
        { key: 'Referrer-Policy', value: 'no-referrer' },
        { key: 'X-Robots-Tag', value: 'noindex, nofollow' },
        { key: 'Cache-Control', value: 'private, no-store' },
      ],
    },
    // A header set by the route itself is overridden by the one for every path.
    { source: '/t/:path*', headers: forVisits },
    {
      source: '/files/images/:path*',
      headers: [{ key: 'Cross-Origin-Resource-Policy', value: 'cross-origin' }],
    },
    // These addresses are credentials of the operator. With no referrer at all a form would send no origin and be refused.
    { source: '/first-account/:path*', headers: [{ key: 'Referrer-Policy', value: 'same-origin' }] },
    { source: '/reset-password/:path*', headers: [{ key: 'Referrer-Policy', value: 'same-origin' }] },
  ],
  // Types are checked by `npm run check`: a build should not wait for them or fail over a test file.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  // The import wizard sends whole spreadsheets to its action; the action enforces the same limit as the API.
  experimental: {
    serverActions: { bodySizeLimit: '26mb' },
    proxyClientMaxBodySize: '32mb',
    // Routes are loaded at their first request, to save memory: our own process answers the API without Next's copies of its
    // routes.
    preloadEntriesOnStart: false,
    // The build cache is 550 MB and takes 14 s to write: only worth it if this folder was built before.
    turbopackFileSystemCacheForBuild: existsSync(path.resolve(ROOT, distDir, 'BUILD_ID')),
  },
  serverExternalPackages: [
    'pg',
    'pg-copy-streams',
    'pino',
    'prom-client',
    'inngest',
    'nodemailer',
    // Its rules are large, and needed only by campaigns that skip holidays.
    'date-holidays',
    'smtp-server',
  ],
}
