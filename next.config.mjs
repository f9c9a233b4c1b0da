import { fileURLToPath } from 'node:url'

/** @type {import('next').NextConfig} */
export default {
  // Two instances of one checkout may build side by side; `npm run up` names the folder.
  distDir: process.env.NEXT_DIST_DIR ?? '.next',
  turbopack: { root: fileURLToPath(new URL('.', import.meta.url)) },
  // The API answers with and without the slash at the end, never by a redirect.
  skipTrailingSlashRedirect: true,
  // Types are `npm run check`'s: nobody's start should wait for them, or fail over a test file.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
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
