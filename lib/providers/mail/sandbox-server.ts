import type { Socket } from 'node:net'
import pg from 'pg'
import { pino } from 'pino'
import { Env } from '#lib/env'
import { logOutput } from '#lib/log-output'
import { unwrapKeys } from '#lib/providers/kms/unwrap-keys'
import { createSandboxServer } from '#lib/providers/mail/sandbox-smtp'
import { storeSandboxMail } from '#lib/providers/mail/sandbox-store'

/**
 * The sandbox server as its own process: `node lib/providers/mail/sandbox-server.ts`. Mail goes straight into Postgres, so the
 * web server reads it there and this process can be killed at any moment.
 */
const Settings = Env.pick({
  DATABASE_URL: true,
  ENCRYPTION_KEY: true,
  SANDBOX_SMTP_PORT: true,
  LOG_LEVEL: true,
}).required({ SANDBOX_SMTP_PORT: true })
await unwrapKeys(process.env, { fetch, now: () => new Date() })
const settings = Settings.safeParse(process.env)
if (!settings.success) {
  const names = settings.error.issues.map((issue) => issue.path.join('.'))
  console.error(
    `The sandbox mail server needs ${names.join(' and ')}; \`npm run up\` starts it with all it needs.`,
  )
  process.exit(1)
}
const { DATABASE_URL, ENCRYPTION_KEY, SANDBOX_SMTP_PORT, LOG_LEVEL } = settings.data

const log = pino({ name: 'sandbox-mail', level: LOG_LEVEL }, logOutput())
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 4 })
// A connection that breaks while idle is replaced at its next use.
pool.on('error', (error) => log.warn({ error: error.message }, 'a database connection broke'))

const server = createSandboxServer({
  store: (messages) => storeSandboxMail(pool, messages),
  key: ENCRYPTION_KEY,
  onError: (error) => log.error({ error: error.message }, 'sandbox mail'),
})
if (process.channel) {
  process.on('message', take)
  process.channel.ref()
} else server.listen(SANDBOX_SMTP_PORT, '127.0.0.1', () => log.info({ port: SANDBOX_SMTP_PORT }, 'listening'))
server.once('error', () => {
  if (!server.server.listening && !process.channel) process.exit(1)
})

/** The supervisor listens and passes on the sockets. A connection that is gone by then arrives as undefined. */
function take(_: unknown, socket: Socket | undefined) {
  if (!socket) return
  server.server.emit('connection', socket)
  socket.resume()
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop)

function stop() {
  server.close(() => {
    pool.end().finally(() => process.exit(0))
  })
}
