import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { seal } from '#lib/db/seal'
import { ROOT } from '#tests/support/code/source-files'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'
import { createSmtpSink } from '#tests/support/servers/smtp'

const run = promisify(execFile)

/** Unseals the password, sends one mail, closes its connection, and writes a heap snapshot. */
const SENDS = `
  import { writeHeapSnapshot } from 'node:v8'
  import { unseal } from '#lib/db/seal'
  import { createSmtpProvider } from '#lib/providers/mail/smtp'
  const { SEALED, HELD, SMTP_PORT, SNAPSHOT } = process.env
  globalThis.held = unseal(HELD)
  const mail = createSmtpProvider({ policy: { allow_private_hosts: true }, pool: { idle_ms: 1 } })
  const message = {
    from: { name: null, address: 'a@example.com' }, to: { name: null, address: 'b@example.com' }, reply_to: null,
    subject: 'Hi', date: new Date(), message_id: '<1@example.com>', in_reply_to: null, references: [], headers: {},
    text: 'Hi', html: '<p>Hi</p>',
  }
  const at = { host: '127.0.0.1', port: Number(SMTP_PORT), security: 'none', username: 'ada' }
  const { outcome } = await mail.send({ ...at, password: unseal(SEALED) }, message)
  await mail.close()
  // What has a timer of its own, such as the closing of a socket, goes with it.
  await new Promise((done) => setTimeout(done, 1500))
  writeHeapSnapshot(SNAPSHOT)
  console.log(outcome)`

test('once a mail is sent and its connection gone, the password is nowhere in memory', async () => {
  const [password, held] = [1, 2].map(() => `hush${randomBytes(12).toString('hex')}`) as [string, string]
  const folder = throwawayFolder()
  const snapshot = path.join(folder, 'memory.heapsnapshot')
  const sink = await createSmtpSink({ extensions: ['AUTH PLAIN'] })
  try {
    const sealed = { SEALED: seal(password), HELD: seal(held) }
    const env = { ...process.env, ...sealed, SMTP_PORT: String(sink.port), SNAPSHOT: snapshot }
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', SENDS], { cwd: ROOT, env })
    expect(stdout.trim()).toBe('accepted')
    expect(sink.messages).toHaveLength(1)
    expect(sink.commands.some((command) => command.startsWith('AUTH'))).toBe(true)
    const memory = fs.readFileSync(snapshot, 'latin1')
    // A password that is still referenced does appear in the snapshot.
    expect(memory.includes(held)).toBe(true)
    for (const form of [password, Buffer.from(`\0ada\0${password}`).toString('base64')])
      expect(memory.includes(form)).toBe(false)
  } finally {
    await sink.close()
    removeThrowaway(folder)
  }
}, 60_000)
