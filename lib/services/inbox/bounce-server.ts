import { pino } from 'pino'
import { pool } from '#lib/db/client'
import { networkPlace } from '#lib/domain/text/network-place'
import { env } from '#lib/env'
import { logOutput } from '#lib/log-output'
import { readCertificate, renewal } from '#lib/providers/mail/bounce-certificate'
import { createBounceServer } from '#lib/providers/mail/bounce-smtp'
import { type BounceTarget, bounceTarget, takeBounce } from '#lib/services/inbox/bounce-mail'
import { ringQuietly } from '#lib/services/instance/bells'
import { openKeys } from '#lib/services/instance/open-keys'

const HOUR_MS = 3_600_000

/** The bounce address's own process: `node lib/services/inbox/bounce-server.ts`. It can be killed at any moment. */
await openKeys()
const { BOUNCE_SMTP_PORT, BOUNCE_TLS_CERT, BOUNCE_TLS_KEY, LOG_LEVEL } = env()
if (!BOUNCE_SMTP_PORT) {
  console.error('The server for bounces needs BOUNCE_SMTP_PORT; `npm run up` starts it where that is set.')
  process.exit(1)
}
if (!BOUNCE_TLS_CERT !== !BOUNCE_TLS_KEY) {
  console.error('Of BOUNCE_TLS_CERT and BOUNCE_TLS_KEY set both, or neither.')
  process.exit(1)
}
const log = pino({ name: 'bounces', level: LOG_LEVEL }, logOutput())

const files = BOUNCE_TLS_CERT && BOUNCE_TLS_KEY && { cert: BOUNCE_TLS_CERT, key: BOUNCE_TLS_KEY }
const certificate = files ? readCertificate(files) : undefined

const server = createBounceServer<BounceTarget>({
  certificate,
  host: (address) => networkPlace(address).address,
  target: (address) => bounceTarget(pool(), address),
  take: async (targets, raw) => {
    for (const target of targets) await takeBounce(pool(), target, raw, new Date())
    await ringQuietly()
  },
  onError: (error) => log.error({ error: error.message }, 'bounces'),
})
// Certificates are renewed every few weeks; open connections keep the one they started with.
if (files && certificate)
  setInterval(
    renewal(files, certificate, {
      use: (next) => server.updateSecureContext(next),
      onError: (error) => log.error({ error: error.message }, 'certificate'),
    }),
    HOUR_MS,
  ).unref()
// The port is set only to receive mail from other machines.
server.listen(BOUNCE_SMTP_PORT, '0.0.0.0', () => log.info({ port: BOUNCE_SMTP_PORT }, 'listening'))
server.once('error', () => {
  if (!server.server.listening) process.exit(1)
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop)

function stop() {
  server.close(() => {
    pool()
      .end()
      .finally(() => process.exit(0))
  })
}
