import { randomBytes } from 'node:crypto'
import { db } from '#lib/db/client'
import { seal, unsealOrNull } from '#lib/db/seal'
import { recoveryCode } from '#lib/domain/tokens/recovery-codes'
import { matchTimeCode, newTimeCodeSecret, timeCodeUri } from '#lib/domain/tokens/time-codes'
import { AppError, invalid } from '#lib/errors'
import { giveTokenBack } from '#lib/services/instance/rate-limits'
import { recordOutside } from '#lib/services/workspaces/audit'
import { type Prover, requireRecentProof } from '#lib/services/workspaces/sign-in/recent-proof'
import { digestCode } from '#lib/services/workspaces/sign-in/second-factor'
import { takeTry } from '#lib/services/workspaces/sign-in/tries'

const RECOVERY_CODES = 10
const TRIES_A_MINUTE = 5

const isOn = () => new AppError('invalid_state', { message: 'The second factor is already on.' })
const isOff = () => new AppError('invalid_state', { message: 'The second factor is off.' })

export async function readSecondFactor(userId: string) {
  const where = { user_id: userId }
  const [app, recovery_codes_left] = await Promise.all([
    db.authenticatorApp.findUnique({ where }),
    db.recoveryCode.count({ where: { ...where, used_at: null } }),
  ])
  const on_since = app?.confirmed_at ?? null
  return { is_on: on_since !== null, on_since, recovery_codes_left }
}

/** Creates the secret for an authenticator app; sign-ins ask for codes only after the first one was confirmed. */
export async function startSecondFactor(who: Prover & { email: string }, now: Date) {
  await requireRecentProof(who, now)
  const { user_id, email } = who
  const secret = newTimeCodeSecret()
  const data = { secret: seal(secret), created_at: now }
  await db.authenticatorApp.createMany({ data: [{ user_id, ...data }], skipDuplicates: true })
  const { count } = await db.authenticatorApp.updateMany({ where: { user_id, confirmed_at: null }, data })
  if (count === 0) throw isOn()
  return { secret, uri: timeCodeUri(secret, email, 'Opener') }
}

/** Turns the second factor on with the app's first code; returns the recovery codes, which are shown only once. */
export async function turnOnSecondFactor(userId: string, code: string, now: Date) {
  const bucket = `second-factor-setup:${userId}`
  await takeTry(bucket, TRIES_A_MINUTE, now)
  const app = await db.authenticatorApp.findUnique({ where: { user_id: userId } })
  if (!app)
    throw new AppError('invalid_state', { message: 'Set up the authenticator app first and scan its code.' })
  if (app.confirmed_at) throw isOn()
  const secret = unsealOrNull(app.secret)
  if (secret === null)
    throw new AppError('invalid_state', {
      message:
        'The authenticator app’s secret cannot be decrypted. Was ENCRYPTION_KEY changed? Set up the app again.',
    })
  const step = matchTimeCode(secret, code.replaceAll(' ', ''), now, Number(app.last_step))
  if (step === null)
    throw invalid(['body', 'code'], 'is not the app’s current code; check the time on the device')
  await giveTokenBack(bucket)
  return db.$transaction(async (tx) => {
    const { count } = await tx.authenticatorApp.updateMany({
      where: { user_id: userId, secret: app.secret, confirmed_at: null },
      data: { confirmed_at: now, last_step: step },
    })
    if (count === 0) throw isOn()
    return makeRecoveryCodes(tx, userId, now)
  })
}

type Tx = Pick<typeof db, 'recoveryCode'>

async function makeRecoveryCodes(tx: Tx, userId: string, now: Date) {
  const recovery_codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCode(randomBytes(16)))
  await tx.recoveryCode.deleteMany({ where: { user_id: userId } })
  await tx.recoveryCode.createMany({
    data: recovery_codes.map((code) => ({ user_id: userId, digest: digestCode(code), created_at: now })),
  })
  return { recovery_codes }
}

export async function replaceRecoveryCodes(who: Prover, now: Date) {
  await requireRecentProof(who, now)
  const { user_id } = who
  return db.$transaction(async (tx) => {
    // The row is locked, so that of two concurrent calls only one returns codes, and those are valid.
    const on = { user_id, confirmed_at: { not: null } }
    const { count } = await tx.authenticatorApp.updateMany({
      where: on,
      data: { wrong_codes: 0, wrong_since: null },
    })
    if (count === 0) throw isOff()
    return makeRecoveryCodes(tx, user_id, now)
  })
}

export async function turnOffSecondFactor(who: Prover, now: Date): Promise<void> {
  await requireRecentProof(who, now)
  if (!(await removeSecondFactor(who.user_id))) throw isOff()
}

/** For the operator of the instance, if a user has lost both the app and the recovery codes. */
export async function takeOffSecondFactor(userId: string, now: Date): Promise<boolean> {
  const wasOn = await removeSecondFactor(userId)
  if (wasOn) await recordOutside(userId, 'takeOffSecondFactor', now)
  return wasOn
}

async function removeSecondFactor(userId: string): Promise<boolean> {
  const where = { user_id: userId }
  return db.$transaction(async (tx) => {
    await tx.recoveryCode.deleteMany({ where })
    const [removed] = await tx.$queryRaw<{ was_on: boolean }[]>`
      DELETE FROM authenticator_apps WHERE user_id = ${userId}::uuid
      RETURNING confirmed_at IS NOT NULL AS was_on`
    return removed?.was_on ?? false
  })
}
