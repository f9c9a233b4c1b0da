import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { rotateKey } from '#lib/db/rotate-key'
import { seal, unseal } from '#lib/db/seal'
import { inTransaction } from '#lib/db/transaction'
import { env } from '#lib/env'
import { ROOT } from '#tests/support/code/source-files'
import { aMailbox, aUser } from '#tests/support/scenes/factories'

const run = promisify(execFile)
const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const [OLD, NEW] = [keyOf(7), keyOf(8)]

/** A process with keys of its own: opens what it is given and seals a value itself. */
async function aProcess(keys: { current: string; others: string }, sealed: string | null) {
  const code = `
    import { seal, unseal } from '#lib/db/seal'
    const [given] = process.argv.slice(1)
    console.log(JSON.stringify({ opened: given ? unseal(given) : null, sealed: seal('by ' + process.env.NAME) }))`
  const { stdout } = await run(
    process.execPath,
    ['--input-type=module', '-e', code, ...(sealed ? [sealed] : [])],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        NAME: keys.current === OLD ? 'old' : 'new',
        ENCRYPTION_KEY: keys.current,
        ENCRYPTION_KEYS_OLD: keys.others,
      },
    },
  )
  return JSON.parse(stdout) as { opened: string | null; sealed: string }
}

// First every process learns the new key, then each in turn begins to seal with it.
const [before, told, after] = [
  { current: OLD, others: '' },
  { current: OLD, others: NEW },
  { current: NEW, others: OLD },
]

test('a process with the old key and one with the new run side by side, and each opens what the other sealed', async () => {
  const first = await aProcess(before, null)
  const second = await aProcess(told, first.sealed)
  const third = await aProcess(after, second.sealed)
  const fourth = await aProcess(told, third.sealed)
  expect([second.opened, third.opened, fourth.opened]).toEqual(['by old', 'by old', 'by new'])
  // Only a process that does not know the new key fails.
  await expect(aProcess(before, third.sealed)).rejects.toThrow('a key that is not known here')
})

test('what an old process seals while everything is sealed anew is opened, and sealed anew by the next run', async () => {
  const { mailbox_id } = await aMailbox(await aUser())
  const keep = (smtp_password: string) =>
    db.mailbox.update({ where: { mailbox_id }, data: { smtp_password } })
  const kept = async () => (await db.mailbox.findUniqueOrThrow({ where: { mailbox_id } })).smtp_password ?? ''
  env().ENCRYPTION_KEY = NEW
  env().ENCRYPTION_KEYS_OLD = [OLD]
  await keep(seal('first'))
  expect((await inTransaction(pool(), rotateKey)).unopened).toEqual([])
  await keep((await aProcess(told, null)).sealed)
  expect(unseal(await kept())).toBe('by old')
  expect((await inTransaction(pool(), rotateKey)).resealed).toBe(1)
  expect((await aProcess(told, await kept())).opened).toBe('by old')
  env().ENCRYPTION_KEYS_OLD = []
  expect(unseal(await kept())).toBe('by old')
})
