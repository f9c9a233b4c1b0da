import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '#lib/db/free-port'
import { createSmtpProvider } from '#lib/providers/mail/smtp'

let child: ChildProcess
let port: number
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 1 })
const provider = createSmtpProvider({ policy: { allow_private_hosts: true } })

beforeAll(async () => {
  port = await freePort()
  child = spawn(process.execPath, ['lib/providers/mail/sandbox-server.ts'], {
    env: { ...process.env, SANDBOX_SMTP_PORT: `${port}`, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await vi.waitUntil(answers, { timeout: 20_000, interval: 100 })
})

afterAll(async () => {
  if (child.exitCode === null) child.kill('SIGKILL')
  await provider.close()
  await pool.end()
})

function answers() {
  return new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

const send = (i: number) =>
  provider.send(
    { host: '127.0.0.1', port, security: 'none', username: 'ada', password: 'x' },
    {
      from: { name: null, address: 'ada@sender.test' },
      to: { name: null, address: `lead${i}@x.test` },
      reply_to: null,
      subject: `Number ${i}`,
      date: new Date(0),
      message_id: `<${i}@sender.test>`,
      in_reply_to: null,
      references: [],
      headers: {},
      text: 'Hi',
      html: '<p>Hi</p>',
    },
  )

test('what was accepted is in the database, byte for byte, before the sender hears of it', async () => {
  const outcomes = await Promise.all(Array.from({ length: 40 }, (_, i) => send(i)))
  for (const { outcome } of outcomes) expect(outcome).toBe('accepted')
  const { rows } = await pool.query('select * from sandbox_messages order by message_id')
  expect(rows).toHaveLength(40)
  expect(new Set(rows.map((row) => row.rcpt_to)).size).toBe(40)
  expect(rows[0]).toMatchObject({
    subject: 'Number 0',
    from_address: 'ada@sender.test',
    message_id: '<0@sender.test>',
  })
  expect(rows[0].raw.toString()).toContain('Subject: Number 0\r\n')
})

test('it stops cleanly when told to', async () => {
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
  expect(await answers()).toBe(false)
})
