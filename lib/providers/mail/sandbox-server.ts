import pg from 'pg'
import { pino } from 'pino'
import { Env } from '#lib/env'
import { createSandboxServer, type SandboxMessage } from '#lib/providers/mail/sandbox-smtp'

/**
 * The sandbox's own process: `node lib/providers/mail/sandbox-server.ts`. Mail goes straight into Postgres,
 * so the web server reads it there and this process can be killed at any moment.
 */
const Settings = Env.pick({ DATABASE_URL: true, SANDBOX_SMTP_PORT: true, LOG_LEVEL: true }).required({
  SANDBOX_SMTP_PORT: true,
})
const settings = Settings.safeParse(process.env)
if (!settings.success) {
  const names = settings.error.issues.map((issue) => issue.path.join('.'))
  console.error(
    `The sandbox mail server needs ${names.join(' and ')}; \`npm run up\` starts it with all it needs.`,
  )
  process.exit(1)
}
const { DATABASE_URL, SANDBOX_SMTP_PORT, LOG_LEVEL } = settings.data

const log = pino({ name: 'sandbox-mail', level: LOG_LEVEL })
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 4 })
// A connection that breaks while idle is replaced at its next use.
pool.on('error', (error) => log.warn({ error: error.message }, 'a database connection broke'))

const server = createSandboxServer({
  store,
  onError: (error) => log.error({ error: error.message }, 'sandbox mail'),
})
server.listen(SANDBOX_SMTP_PORT, '127.0.0.1', () => log.info({ port: SANDBOX_SMTP_PORT }, 'listening'))
server.once('error', () => {
  if (!server.server.listening) process.exit(1)
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop)

/** What our Message-IDs are made from, and so whose mail it is: of campaigns and answers, and to owners. */
const UUID = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@'
const OWN_ID = `^<${UUID}`
const NOTIFICATION_ID = `^<notification\\.${UUID}`

/** One statement, so that a mail to several people is kept for all or for none. */
async function store(messages: SandboxMessage[]) {
  const columns = ['mail_from', 'rcpt_to', 'from_address', 'message_id', 'subject', 'raw'] as const
  const places = messages.map((_, row) => {
    const place = (column: (typeof columns)[number]) =>
      `$${row * columns.length + columns.indexOf(column) + 1}`
    const idIn = (pattern: string) => `substring(${place('message_id')}::text from '${pattern}')::uuid`
    const owner = `coalesce((select user_id from actions where action_id = ${idIn(OWN_ID)}),
      (select user_id from inbox_messages where inbox_message_id = ${idIn(OWN_ID)}),
      (select user_id from notification_messages where notification_message_id = ${idIn(NOTIFICATION_ID)}))`
    return `(${columns.map(place).join(', ')}, ${owner})`
  })
  const values = messages.flatMap((message) => columns.map((column) => message[column]))
  await pool.query(
    `insert into sandbox_messages (${columns.join(', ')}, user_id) values ${places.join(', ')}`,
    values,
  )
}

function stop() {
  server.close(() => {
    pool.end().finally(() => process.exit(0))
  })
}
