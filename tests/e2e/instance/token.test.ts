import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from '@playwright/test'
import { test } from '../support/test.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const run = promisify(execFile)
// The test runner sets FORCE_COLOR; Node warns if NO_COLOR is set too.
const token = (args: string[], env: NodeJS.ProcessEnv = process.env) =>
  run(process.execPath, ['scripts/token.ts', ...args], { cwd: ROOT, env: { ...env, FORCE_COLOR: undefined } })

test('npm run token prints a token and nothing else, of the demo account or of anyone', async ({
  request,
}) => {
  for (const [args, email] of [
    [[], 'demo@opener.local'],
    [['New.Person@Example.com'], 'new.person@example.com'],
  ] as const) {
    const { stdout, stderr } = await token([...args])
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    const me = await request.get('/api/v1/auth/me', { headers: { authorization: `Bearer ${stdout.trim()}` } })
    expect(await me.json()).toMatchObject({ email, credential: 'jwt' })
  }
})

test('where nothing runs it says so in one line and fails', async () => {
  const env = { ...process.env, DATA_DIR: '/nonexistent/opener', DATABASE_URL: '' }
  const failed = await token([], env).catch((error: unknown) => error)
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect((failed as { stderr: string }).stderr).toMatch(/^Opener is not running on .*npm run up.*\n$/)
})
