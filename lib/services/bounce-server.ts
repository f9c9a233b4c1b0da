import { pino } from 'pino'
import { pool } from '#lib/db/client'
import { env } from '#lib/env'
import { createBounceServer } from '#lib/providers/mail/bounce-smtp'
import { type BounceTarget, bounceTarget, takeBounce } from '#lib/services/bounces'

/** The bounce address's own process: `node lib/services/bounce-server.ts`. It can be killed at any moment. */
const { BOUNCE_SMTP_PORT, LOG_LEVEL } = env()
if (!BOUNCE_SMTP_PORT) {
  console.error('The server for bounces needs BOUNCE_SMTP_PORT; `npm run up` starts it where that is set.')
  process.exit(1)
}
const log = pino({ name: 'bounces', level: LOG_LEVEL })

const server = createBounceServer<BounceTarget>({
  target: (address) => bounceTarget(pool(), address),
  take: async (targets, raw) => {
    for (const target of targets) await takeBounce(pool(), target, raw, new Date())
  },
  onError: (error) => log.error({ error: error.message }, 'bounces'),
})
// Whoever sets the port wants mail from other machines.
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
