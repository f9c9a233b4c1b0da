import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { env } from '#lib/env'
import { self } from '#scripts/up/lock'
import { writeRunFile } from '#scripts/up/run-file'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'
import { aUser } from '#tests/support/scenes/factories'

const folder = throwawayFolder()
afterAll(() => removeThrowaway(folder))

type Said = { code: number; stdout: string; stderr: string }
const run = promisify(execFile)
const script = (name: string, args: string[], settings: Record<string, string>): Promise<Said> =>
  run(process.execPath, [`scripts/${name}.ts`, ...args], {
    env: { ...process.env, DATA_DIR: folder, ...settings },
  }).then(
    (said) => ({ code: 0, ...said }),
    (failed: Said) => failed,
  )

/** Another instance uses the folder, with a database that nobody can reach. */
function anotherRuns() {
  const DATABASE_URL = 'postgresql://opener@127.0.0.1:1/another'
  const its = { DATABASE_URL, ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') }
  const where = { HOST: '127.0.0.1', APP_URL: 'https://another.example' }
  writeRunFile(folder, {
    ...self(),
    url: 'http://127.0.0.1:1',
    port: 1,
    children: {},
    env: { ...its, ...where },
  })
}

const given = () => ({ DATABASE_URL: env().DATABASE_URL, ENCRYPTION_KEY: env().ENCRYPTION_KEY })
const APP_URL = 'https://opener.example'

test('a command works on the database that DATABASE_URL names, also where an instance runs with another', async () => {
  anotherRuns()
  const { email } = await aUser()
  const reset = await script('reset-password', [email], { ...given(), APP_URL })
  expect(reset).toMatchObject({ code: 0, stdout: expect.stringMatching(/^https:\/\/opener\.example\//m) })
  const fresh = `fresh-${email}`
  expect(await script('token', [fresh], { ...given(), APP_URL })).toMatchObject({ code: 0, stderr: '' })
  expect(await db.user.count({ where: { email: fresh } })).toBe(1)
  const file = path.join(folder, 'opener.tar.gz')
  expect(await script('backup', [file], given())).toMatchObject({ code: 0, stderr: '' })
})

test('a token of another database than the running instance’s asks for what belongs to it', async () => {
  anotherRuns()
  const { email } = await aUser()
  const { code, stdout, stderr } = await script('token', [email], { ...given(), APP_URL: '' })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^DATABASE_URL is not the database of the instance .*APP_URL.*\n$/)
})

test('what replaces a database is refused while an instance runs on the folder of files', async () => {
  anotherRuns()
  const { code, stderr } = await script('restore', [path.join(folder, 'run.json')], given())
  expect(code).toBe(1)
  expect(stderr).toContain('stop it first')
})
