import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { db } from '#lib/db/client'
import { freePort } from '#lib/db/free-port'
import { env } from '#lib/env'
import { sandboxCredentials } from '#lib/providers/mail/sandbox-credentials'
import { createSmtpProvider } from '#lib/providers/mail/smtp'
import { aMailbox, aUser } from '#tests/support/scenes/factories'

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
  await vi.waitUntil(answers, { timeout: 60_000, interval: 100 })
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

const send = (i: number, message_id = `<${i}@sender.test>`, as = { username: 'ada', password: 'x' }) =>
  provider.send(
    { host: '127.0.0.1', port, security: 'none', ...as },
    {
      from: { name: null, address: 'ada@sender.test' },
      to: { name: null, address: `lead${i}@x.test` },
      reply_to: null,
      subject: `Number ${i}`,
      date: new Date(0),
      message_id,
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

test('mail of a mailbox, and mail to an owner, belongs to them; any other to nobody', async () => {
  const owner = await aUser()
  const mailbox = await aMailbox(owner, { port })
  const { notification_message_id } = await db.notificationMessage.create({
    data: {
      workspace_id: owner.workspace_id,
      user_id: owner.user_id,
      channel: 'email',
      kind: 'test',
      recipient: '',
      subject: '',
      text: '',
    },
  })
  const told = `<notification.${notification_message_id}@x.test>`
  const others = [randomUUID(), 'not-an-id-but-of-the-same-length-36xx', 'notification.x'].map(
    (id) => `<${id}@x.test>`,
  )
  const from = sandboxCredentials({ role: 'from', mailbox_id: mailbox.mailbox_id }, env().ENCRYPTION_KEY)
  expect((await send(99, '<mine@x.test>', from)).outcome).toBe('accepted')
  for (const id of [told, ...others]) expect((await send(99, id)).outcome).toBe('accepted')
  const { rows } = await pool.query(
    `select message_id, workspace_id, from_mailbox_id, to_mailbox_id from sandbox_messages
     where message_id = any ($1) order by uid`,
    [['<mine@x.test>', told, ...others]],
  )
  const nobody = { workspace_id: null, from_mailbox_id: null, to_mailbox_id: null }
  expect(rows).toEqual([
    {
      ...nobody,
      message_id: '<mine@x.test>',
      workspace_id: owner.workspace_id,
      from_mailbox_id: mailbox.mailbox_id,
    },
    { ...nobody, message_id: told, workspace_id: owner.workspace_id },
    ...others.map((message_id) => ({ ...nobody, message_id })),
  ])
})

test('it stops cleanly when told to', async () => {
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
  expect(await answers()).toBe(false)
})

test('without its environment it says what is missing, in one sentence', () => {
  const { SANDBOX_SMTP_PORT: _, ...env } = process.env
  const { status, stderr } = spawnSync(process.execPath, ['lib/providers/mail/sandbox-server.ts'], {
    env,
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toBe(
    'The sandbox mail server needs SANDBOX_SMTP_PORT; `npm run up` starts it with all it needs.\n',
  )
})
