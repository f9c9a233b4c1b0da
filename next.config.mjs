import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { everywhere, forPrograms, forVisits } from './lib/http/api/headers.mjs'

const FORM = '(application/x-www-form-urlencoded|multipart/form-data).*'

const ROOT = fileURLToPath(new URL('.', import.meta.url))
const distDir = process.env.NEXT_DIST_DIR ?? '.next'

/** @type {import('next').NextConfig} */
export default {
  // Two instances of one checkout may build side by side; `npm run up` names the folder.
  distDir,
  // Of the sources, so that several machines make the same.
  generateBuildId: () => process.env.OPENER_BUILD ?? null,
  turbopack: { root: ROOT },
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
      {
        source: '/analytics-email/:token',
        has: [{ type: 'header', key: 'content-type', value: FORM }],
        destination: '/analytics-email/:token/submit',
      },
    ],
  }),
  // The policy of pages carries a nonce: proxy.ts sets it.
  headers: async () => [
    { source: '/:path*', headers: everywhere },
    { source: '/api/v1/:path*', headers: forPrograms },
    { source: '/mcp/:path*', headers: forPrograms },
    { source: '/metrics', headers: forPrograms },
    { source: '/.well-known/:path*', headers: forPrograms },
    // Its address is a credential of the person who got the mail.
    { source: '/unsubscribe/:path*', headers: [{ key: 'Referrer-Policy', value: 'no-referrer' }] },
    { source: '/analytics-email/:path*', headers: [{ key: 'Referrer-Policy', value: 'no-referrer' }] },
    // Whoever has the address of a report reads it.
    {
      source: '/r/:path*',
      headers: [
        { key: 'Referrer-Policy', value: 'no-referrer' },
        { key: 'X-Robots-Tag', value: 'noindex, nofollow' },
        { key: 'Cache-Control', value: 'private, no-store' },
      ],
    },
    // The header of the route itself does not get past the one for every path.
    { source: '/t/:path*', headers: forVisits },
    {
      source: '/files/images/:path*',
      headers: [{ key: 'Cross-Origin-Resource-Policy', value: 'cross-origin' }],
    },
    // Theirs are of whoever runs the instance. Without any referrer a form would name no origin, and be refused.
    { source: '/first-account/:path*', headers: [{ key: 'Referrer-Policy', value: 'same-origin' }] },
    { source: '/reset-password/:path*', headers: [{ key: 'Referrer-Policy', value: 'same-origin' }] },
  ],
  // Types are `npm run check`'s: nobody's start should wait for them, or fail over a test file.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  // The import wizard hands whole spreadsheets to its action; the action holds them to the same limit as the API.
  experimental: {
    serverActions: { bodySizeLimit: '26mb' },
    proxyClientMaxBodySize: '32mb',
    // What nobody asked for yet takes no memory: our own process answers the API without Next's copies of its routes.
    preloadEntriesOnStart: false,
    // What a build keeps for the next one are 550 MB, and take 14 s to write: not for whoever builds once.
    turbopackFileSystemCacheForBuild: existsSync(path.resolve(ROOT, distDir, 'BUILD_ID')),
  },
  serverExternalPackages: [
    'pg',
    'pg-copy-streams',
    'pino',
    'prom-client',
    'inngest',
    'nodemailer',
    // Its rules are large, and wanted only by campaigns that skip holidays.
    'date-holidays',
    'smtp-server',
  ],
}
