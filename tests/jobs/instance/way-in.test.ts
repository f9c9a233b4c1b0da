import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { timeCode, timeStep } from '#lib/domain/tokens/time-codes'
import { env } from '#lib/env'
import { signInByPassword } from '#lib/services/workspaces/sign-in/by-password'
import { resetPassword } from '#lib/services/workspaces/sign-in/passwords'
import { owesSecondFactor } from '#lib/services/workspaces/sign-in/second-factor'
import {
  startSecondFactor,
  turnOnSecondFactor,
} from '#lib/services/workspaces/sign-in/second-factor-settings'
import { self } from '#scripts/up/lock'
import { writeRunFile } from '#scripts/up/run-file'
import { signInLines } from '#scripts/up/sign-in-lines'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'
import { aUser } from '#tests/support/scenes/factories'

const folder = throwawayFolder()
afterAll(() => removeThrowaway(folder))

const here = { HOST: '127.0.0.1', APP_URL: 'http://127.0.0.1:3000' }
const everywhere = { HOST: '0.0.0.0', APP_URL: 'http://127.0.0.1:3000' }
const proxied = { HOST: '127.0.0.1', APP_URL: 'https://opener.example' }

type Said = { code: number; stdout: string; stderr: string }
const run = promisify(execFile)
const script = (name: string, args: string[], settings: object): Promise<Said> =>
  run(process.execPath, [`scripts/${name}.ts`, ...args], {
    env: { ...process.env, DATA_DIR: folder, ...settings },
  }).then(
    (said) => ({ code: 0, ...said }),
    (failed: Said) => failed,
  )

test('a start says how one gets in', () => {
  const demo = { email: 'demo@opener.local', password: 'opener-demo' }
  expect(signInLines({ demo, link: null })).toEqual(['  Sign in    demo@opener.local / opener-demo'])
  expect(signInLines({ demo: null, link: null })).toEqual([])
  const link = { url: 'https://opener.example/first-account/x', expires_at: '2030-01-02T03:04:05.678Z' }
  expect(
    signInLines({ demo: null, link }).join('\n'),
  ).toBe(`  Others can reach this instance, so there is no demo account. Create the first account here:
  https://opener.example/first-account/x
  The link works once, until 2030-01-02 03:04 UTC; the next start prints another.`)
})

test('npm run reset-password prints a link that sets the password of an account, and with --new makes it', async () => {
  const { email } = await aUser()
  const fresh = `fresh-${email}`
  for (const args of [[email.toUpperCase()], [fresh, '--new']]) {
    const { code, stdout, stderr } = await script('reset-password', args, proxied)
    expect([code, stderr]).toEqual([0, ''])
    const [, token = ''] = /^https:\/\/opener\.example\/reset-password\/([\w-]{43})$/m.exec(stdout) ?? []
    await resetPassword(token, 'a new and better one', new Date())
    const fields = { email: args[0] ?? '', password: 'a new and better one' }
    expect(await signInByPassword(fields, '203.0.113.4', new Date())).not.toBeNull()
  }
})

test('npm run reset-password takes the second factor off an account whose owner has lost it, when it is told to', async () => {
  const { email, user_id } = await aUser()
  const now = new Date()
  const { secret } = await startSecondFactor({ user_id, email, issued_at: now }, now)
  await turnOnSecondFactor(user_id, timeCode(secret, timeStep(now)), now)
  await script('reset-password', [email], proxied)
  expect(await owesSecondFactor(user_id)).toBe(true)
  const { stdout } = await script('reset-password', [email, '--without-second-factor'], proxied)
  expect(stdout).toMatch(/^The second factor is off/)
  expect(await owesSecondFactor(user_id)).toBe(false)
  const event = { user_id, operation: 'takeOffSecondFactor' }
  expect(await db.auditEvent.count({ where: event })).toBe(1)
})

test.each([
  ['nobody has the address', ['nobody@example.com'], /^No account has the address nobody@example\.com\./],
  ['there is no address', [], /^Usage: npm run reset-password/],
  ['there are two', ['a@example.com', 'b@example.com'], /^Usage: /],
  ['the flag is another', ['a@example.com', '--force'], /^Usage: /],
  ['it is the demo account', ['demo@opener.local', '--new'], /^demo@opener\.local is the demo account/],
])('npm run reset-password says in one sentence that %s', async (_, args, sentence) => {
  const before = await db.user.count()
  const { code, stdout, stderr } = await script('reset-password', args, everywhere)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(sentence)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(await db.user.count()).toBe(before)
})

test.each([
  ['listens to everybody', everywhere],
  ['stands behind a proxy', proxied],
])(
  'where the instance %s, npm run token and npm run demo say that there is no demo account, and what to do',
  async (_, settings) => {
    const token = await script('token', [], settings)
    expect(token).toMatchObject({ code: 1, stdout: '' })
    expect(token.stderr).toMatch(
      /^There is no demo account because others can reach.*npm run -s token -- EMAIL\n$/,
    )
    expect(await script('token', [(await aUser()).email], settings)).toMatchObject({ code: 0, stderr: '' })
    writeRunFile(folder, { ...self(), url: 'http://127.0.0.1:1', port: 1, children: {}, env: settings })
    const demo = await script('demo', [], {})
    expect(demo).toMatchObject({ code: 1, stdout: '' })
    expect(demo.stderr).toMatch(/^The demo plays as the demo account, which is not there.*npm run demo\.\n$/)
    expect(await db.user.count({ where: { email: 'demo@opener.local' } })).toBe(0)
  },
)

test('on this machine alone npm run token makes the demo account’s', async () => {
  writeRunFile(folder, {
    ...self(),
    url: here.APP_URL,
    port: 1,
    children: {},
    env: { ...here, DATABASE_URL: process.env.DATABASE_URL ?? '', ENCRYPTION_KEY: env().ENCRYPTION_KEY },
  })
  expect(await script('token', [], {})).toMatchObject({ code: 0, stderr: '' })
  await db.workspace.deleteMany({ where: { members: { some: { user: { email: 'demo@opener.local' } } } } })
  await db.user.deleteMany({ where: { email: 'demo@opener.local' } })
})
