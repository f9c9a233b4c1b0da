import { fileURLToPath } from 'node:url'

const FORM = '(application/x-www-form-urlencoded|multipart/form-data).*'

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
  // Types are `npm run check`'s: nobody's start should wait for them, or fail over a test file.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  // The import wizard hands whole spreadsheets to its action; the action holds them to the same limit as the API.
  experimental: { serverActions: { bodySizeLimit: '26mb' } },
  serverExternalPackages: ['pg', 'pg-copy-streams', 'pino', 'inngest', 'nodemailer', 'smtp-server'],
}
