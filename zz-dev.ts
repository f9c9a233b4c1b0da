import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { startPostgres } from '#lib/db/embedded'
import { applyMigrations, readMigrations } from '#lib/db/migrate'

const folder = '/tmp/data/mailboxes/pg'
fs.mkdirSync(folder, { recursive: true })
const pg = await startPostgres({ folder, port: 2651, settings: {} })
await applyMigrations(pg.url, readMigrations())
const env = {
  ...process.env,
  DATABASE_URL: pg.url,
  APP_URL: 'http://127.0.0.1:2650',
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  NEXTAUTH_SECRET: 'x'.repeat(32),
  SANDBOX_SMTP_PORT: '2652',
  NEXT_TELEMETRY_DISABLED: '1',
  NEXTAUTH_URL: 'http://127.0.0.1:2650',
}
fs.writeFileSync('/tmp/data/mailboxes/env', Object.entries({DATABASE_URL: env.DATABASE_URL, APP_URL: env.APP_URL, ENCRYPTION_KEY: env.ENCRYPTION_KEY, SANDBOX_SMTP_PORT: '2652'}).map(([k, v]) => `export ${k}='${v}'`).join('\n'))
const mail = spawn(process.execPath, ['lib/providers/mail/sandbox-server.ts'], { env, stdio: 'inherit' })
const web = spawn('node_modules/.bin/next', ['dev', '-p', '2650', '-H', '127.0.0.1'], { env, stdio: 'inherit' })
process.on('SIGTERM', async () => {
  web.kill()
  mail.kill()
  await pg.stop()
  process.exit(0)
})
