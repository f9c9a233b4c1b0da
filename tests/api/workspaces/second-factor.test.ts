import { expect, test } from 'vitest'
import { ListAuditEvents } from '#lib/contracts/workspaces/audit'
import { AddPasskey, StartPasskey } from '#lib/contracts/workspaces/passkeys'
import { ProveIdentity, StartProof } from '#lib/contracts/workspaces/proof'
import {
  ReadSecondFactor,
  ReplaceRecoveryCodes,
  StartSecondFactor,
  TurnOffSecondFactor,
  TurnOnSecondFactor,
} from '#lib/contracts/workspaces/second-factor'
import { db } from '#lib/db/client'
import { timeCode, timeStep } from '#lib/domain/tokens/time-codes'
import { owesSecondFactor, passSecondFactor } from '#lib/services/workspaces/sign-in/second-factor'
import { takeOffSecondFactor } from '#lib/services/workspaces/sign-in/second-factor-settings'
import { openSession } from '#lib/services/workspaces/sign-in/sessions'
import { issueToken } from '#lib/services/workspaces/tokens'
import { createUserWithPassword } from '#lib/services/workspaces/users'
import { call } from '#tests/support/call'
import { anAuthenticator } from '#tests/support/doubles/authenticator'

const PASSWORD = 'correct horse battery'
const PLACE = '203.0.113.7'
const MINUTE = 60_000

async function aPerson() {
  const user = await createUserWithPassword(`code-${crypto.randomUUID()}@example.com`, 'C', PASSWORD)
  if (!user) throw new Error('the address was taken')
  return user
}

/** Codes of later time steps: turning it on uses up those until now. */
async function withApp() {
  const owner = await aPerson()
  const { body: app } = await call(StartSecondFactor, { as: owner })
  const now = new Date()
  const { status, body } = await call(TurnOnSecondFactor, {
    as: owner,
    body: { code: timeCode(app.secret, timeStep(now)) },
  })
  expect(status).toBe(200)
  const later = (minutes: number) => new Date(now.getTime() + minutes * MINUTE)
  const codeAt = (at: Date) => timeCode(app.secret, timeStep(at))
  const near = Array.from({ length: 40 }, (_, step) => timeCode(app.secret, timeStep(now) - 10 + step))
  const wrong = near.includes('000000') ? '999999' : '000000'
  const pass = (code: string, at: Date, place = PLACE) => passSecondFactor(owner.user_id, code, place, at)
  return { owner, later, codeAt, pass, wrong, secret: app.secret, recovery_codes: body.recovery_codes }
}

const tried = (work: Promise<unknown>) => work.catch((error: { code: string }) => error.code)

test('nothing is owed before a first code of the app was shown', async () => {
  const owner = await aPerson()
  const { body: app } = await call(StartSecondFactor, { as: owner })
  expect(app.uri).toContain(`secret=${app.secret}`)
  expect(await owesSecondFactor(owner.user_id)).toBe(false)
  const wrong = await call(TurnOnSecondFactor, { as: owner, body: { code: 'abcdef' } })
  expect([wrong.status, wrong.error.details[0].loc]).toEqual([422, ['body', 'code']])
  expect((await call(ReadSecondFactor, { as: owner })).body).toEqual({
    is_on: false,
    on_since: null,
    recovery_codes_left: 0,
  })
  expect(await owesSecondFactor(owner.user_id)).toBe(false)
})

test('it is on with the first code; the secret is sealed, and neither it nor the codes are shown again', async () => {
  const { owner, secret, recovery_codes } = await withApp()
  expect(await owesSecondFactor(owner.user_id)).toBe(true)
  expect(new Set(recovery_codes).size).toBe(10)
  const where = { user_id: owner.user_id }
  const kept = JSON.stringify([
    (await db.authenticatorApp.findUniqueOrThrow({ where })).secret,
    await db.recoveryCode.findMany({ where }),
  ])
  for (const text of [secret, ...recovery_codes]) expect(kept).not.toContain(text)
  const read = await call(ReadSecondFactor, { as: owner })
  expect(read.body).toMatchObject({ is_on: true, recovery_codes_left: 10 })
  expect((await call(StartSecondFactor, { as: owner })).error.detail).toBe('invalid_state')
})

test('409 to a code whose secret was sealed under a lost key; a recovery code still opens', async () => {
  const { owner, later, codeAt, pass, recovery_codes } = await withApp()
  const where = { user_id: owner.user_id }
  const sealed = `v2.00000000.${Buffer.alloc(60).toString('base64url')}`
  await db.authenticatorApp.update({ where, data: { secret: sealed } })
  expect(await tried(pass(codeAt(later(1)), later(1)))).toBe('invalid_state')
  expect(await pass(recovery_codes[0] ?? '', later(2))).toBe('recovery_code')

  await db.authenticatorApp.update({ where, data: { confirmed_at: null } })
  const on = await call(TurnOnSecondFactor, { as: owner, body: { code: codeAt(later(3)) } })
  expect([on.status, on.error.message]).toEqual([409, expect.stringContaining('ENCRYPTION_KEY')])
})

test('a code opens once: neither it nor the one that turned it on opens again', async () => {
  const { later, codeAt, pass } = await withApp()
  expect(await pass(codeAt(later(0)), later(0))).toBeNull()
  const code = codeAt(later(1))
  expect(await pass(`${code.slice(0, 3)} ${code.slice(3)}`, later(1))).toBe('code')
  expect(await pass(code, later(1))).toBeNull()
  const next = codeAt(later(2))
  const both = await Promise.all([pass(next, later(2)), pass(next, later(2))])
  expect(both.filter((by) => by === 'code')).toHaveLength(1)
})

test('a recovery code opens once, however it is typed, and the log has it', async () => {
  const { owner, later, pass, recovery_codes } = await withApp()
  const [code = ''] = recovery_codes
  expect(await pass(code.toUpperCase().replaceAll('-', ' '), later(1))).toBe('recovery_code')
  expect(await pass(code, later(1))).toBeNull()
  const { body } = await call(ReadSecondFactor, { as: owner })
  expect(body.recovery_codes_left).toBe(9)
  const log = await call(ListAuditEvents, { as: owner })
  expect(log.body.items.map(({ operation, by }) => [operation, by])).toEqual([
    ['failedSecondFactor', 'stranger'],
    ['useRecoveryCode', 'person'],
    ['turnOnSecondFactor', 'token'],
  ])
})

test('another owner’s codes open nothing', async () => {
  const [mine, theirs] = [await withApp(), await withApp()]
  expect(await mine.pass(theirs.recovery_codes[0] ?? '', mine.later(1))).toBeNull()
  expect(await mine.pass(theirs.codeAt(theirs.later(1)), mine.later(1))).toBeNull()
})

test('wrong codes are stopped after five a minute, there and nowhere else', async () => {
  const { later, codeAt, pass, wrong } = await withApp()
  const at = later(1)
  for (let times = 0; times < 5; times += 1) expect(await pass(wrong, at)).toBeNull()
  expect(await tried(pass(codeAt(at), at))).toBe('rate_limited')
  expect(await pass(codeAt(at), at, '198.51.100.9')).toBe('code')
})

test('after thirty wrong codes in a day only known networks, recovery codes and passkeys open', async () => {
  const { owner, later, codeAt, pass, wrong, recovery_codes } = await withApp()
  await openSession(owner.user_id, { user_agent: null, place: PLACE }, later(0), 60)
  for (let times = 0; times < 30; times += 1)
    expect(await pass(wrong, later(1), `198.51.100.${times}`)).toBeNull()
  const afar = '192.0.2.44'
  expect(await tried(pass(codeAt(later(2)), later(2), afar))).toBe('rate_limited')
  expect(await pass(recovery_codes[0] ?? '', later(3), afar)).toBe('recovery_code')
  expect(await pass(codeAt(later(3)), later(3), PLACE)).toBe('code')
  // A correct code proves possession: earlier wrong guesses are forgotten.
  expect(await pass(codeAt(later(5)), later(5), afar)).toBe('code')
})

test('new recovery codes put the old ones out of use', async () => {
  const { owner, later, pass, recovery_codes } = await withApp()
  const { body } = await call(ReplaceRecoveryCodes, { as: owner })
  expect(await pass(recovery_codes[0] ?? '', later(1))).toBeNull()
  expect(await pass(body.recovery_codes[0] ?? '', later(1))).toBe('recovery_code')
})

test('turned off, nothing is owed and nothing is left of it', async () => {
  const { owner, recovery_codes, pass, later } = await withApp()
  expect((await call(TurnOffSecondFactor, { as: owner })).status).toBe(204)
  expect(await owesSecondFactor(owner.user_id)).toBe(false)
  expect(await pass(recovery_codes[0] ?? '', later(1))).toBeNull()
  for (const contract of [TurnOffSecondFactor, ReplaceRecoveryCodes] as const)
    expect((await call(contract, { as: owner })).error.detail).toBe('invalid_state')
})

test('whoever runs the instance takes it off for an owner who lost both, and the log has it', async () => {
  const { owner } = await withApp()
  expect(await takeOffSecondFactor(owner.user_id, new Date())).toBe(true)
  expect(await owesSecondFactor(owner.user_id)).toBe(false)
  const log = await call(ListAuditEvents, { as: owner })
  expect(log.body.items[0]?.operation).toBe('takeOffSecondFactor')
  expect(await takeOffSecondFactor(owner.user_id, new Date())).toBe(false)
})

/** A browser that was left open: its owner last proved their identity twenty minutes ago. */
async function leftOpen(owner: { user_id: string }) {
  const at = new Date(Date.now() - 20 * MINUTE)
  const session = await openSession(owner.user_id, { user_agent: null, place: null }, at, 3600)
  return issueToken(owner.user_id, new Date(), session)
}

test('a browser that was left open changes no factor before its owner proved who they are', async () => {
  const { owner, secret, wrong } = await withApp()
  const token = await leftOpen(owner)
  for (const contract of [TurnOffSecondFactor, ReplaceRecoveryCodes, StartSecondFactor] as const) {
    const { status, error } = await call(contract, { token })
    expect([status, error.detail]).toEqual([403, 'proof_outdated'])
  }
  const prove = (body: unknown, credential = token) => call(ProveIdentity, { token: credential, body })
  expect((await prove({ password: 'not it' })).status).toBe(422)
  expect((await prove({ code: wrong })).status).toBe(422)
  expect((await prove({ password: PASSWORD })).status).toBe(200)
  expect((await call(ReplaceRecoveryCodes, { token })).status).toBe(200)
  // In another session, by a code; the current one may be used up, and the next one is within the allowed drift.
  const other = await leftOpen(owner)
  expect((await prove({ code: timeCode(secret, timeStep(new Date()) + 1) }, other)).status).toBe(200)
  expect((await call(TurnOffSecondFactor, { token: other })).status).toBe(204)
  const loose = await call(ProveIdentity, { as: owner, body: { password: PASSWORD } })
  expect([loose.status, loose.error.detail]).toEqual([409, 'invalid_state'])
})

test('a proof by passkey takes the owner’s own, asked for that', async () => {
  const [owner, stranger] = [await aPerson(), await aPerson()]
  const [mine, theirs] = [anAuthenticator(), anAuthenticator()]
  for (const [as, device] of [
    [owner, mine],
    [stranger, theirs],
  ] as const) {
    const { body } = await call(StartPasskey, { as })
    await call(AddPasskey, { as, body: { name: 'K', answer: device.create(body.options) } })
  }
  const token = await leftOpen(owner)
  const ask = async () => (await call(StartProof, { token })).body.options
  const prove = async (passkey: unknown) => (await call(ProveIdentity, { token, body: { passkey } })).status
  expect(await prove(theirs.get(await ask()))).toBe(422)
  expect(await prove(mine.get((await call(StartProof, { as: stranger })).body.options))).toBe(422)
  expect(await prove(mine.get(await ask()))).toBe(200)
})
