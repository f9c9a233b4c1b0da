import { createHash } from 'node:crypto'
import { db } from '#lib/db/client'
import { unsealOrNull } from '#lib/db/seal'
import { networkPlace, networkPlaceLabel } from '#lib/domain/text/network-place'
import { readRecoveryCode } from '#lib/domain/tokens/recovery-codes'
import { isTimeCode, matchTimeCode } from '#lib/domain/tokens/time-codes'
import { AppError } from '#lib/errors'
import { giveTokenBack } from '#lib/services/instance/rate-limits'
import { recordFailure, recordOutside } from '#lib/services/workspaces/audit'
import { takeTry } from '#lib/services/workspaces/sign-in/tries'

/** Wrong codes per minute from one place. */
const TRIES_HERE = 5
/**
 * After this many wrong codes within a day, somebody else probably has the password. Codes are then accepted only from networks where the
 * owner signed in before. Recovery codes, which cannot be guessed, and passkeys are accepted from everywhere.
 */
const TRIES_A_DAY = 30
const DAY_MS = 24 * 3_600_000

export const digestCode = (code: string) => createHash('sha256').update(code).digest('hex')

/** Whether a password alone is not enough. */
export async function owesSecondFactor(userId: string): Promise<boolean> {
  const app = await db.authenticatorApp.findUnique({ where: { user_id: userId } })
  return app?.confirmed_at != null
}

/** Identifies an account's current password without revealing it, so that a check of an older password no longer counts. */
export const passwordMark = ({ user_id, password_hash }: { user_id: string; password_hash: string | null }) =>
  digestCode(`${user_id} ${password_hash}`).slice(0, 16)

/** Checks the code of a user who has passed the password check. */
export async function passSecondFactor(userId: string, text: string, place: string, now: Date) {
  const bucket = `second-factor:${userId}:${networkPlace(place).address}`
  await takeTry(bucket, TRIES_HERE, now)
  const typed = withoutSpaces(text)
  if (isTimeCode(typed) && (await isGuessedFromAfar(userId, place, now)))
    throw new AppError('rate_limited', {
      message: 'Too many wrong codes. From this network you can now use only a recovery code or a passkey.',
      retryAfterSeconds: 3600,
    })
  const by = await takeSecondFactor(userId, typed, now)
  if (by) await giveTokenBack(bucket)
  else await recordFailure(userId, 'failedSecondFactor', place, now)
  return by
}

/** Uses up a code of the app or a recovery code, and returns which it was; null if it is neither. */
export async function takeSecondFactor(
  userId: string,
  text: string,
  now: Date,
): Promise<'code' | 'recovery_code' | null> {
  const typed = withoutSpaces(text)
  if (isTimeCode(typed)) return (await takeCode(userId, typed, now)) ? 'code' : null
  return (await takeRecoveryCode(userId, typed, now)) ? 'recovery_code' : null
}

const withoutSpaces = (text: string) => text.replaceAll(' ', '')

async function takeCode(userId: string, code: string, now: Date): Promise<boolean> {
  const app = await db.authenticatorApp.findUnique({ where: { user_id: userId } })
  if (!app?.confirmed_at) return false
  const secret = unsealOrNull(app.secret)
  if (secret === null)
    throw new AppError('invalid_state', {
      message:
        'The authenticator app’s secret cannot be decrypted. Was ENCRYPTION_KEY changed? Use a recovery code or a passkey.',
    })
  const step = matchTimeCode(secret, code, now, Number(app.last_step))
  if (step === null) {
    const isLate = !app.wrong_since || now.getTime() - app.wrong_since.getTime() > DAY_MS
    const data = isLate ? { wrong_codes: 1, wrong_since: now } : { wrong_codes: { increment: 1 } }
    await db.authenticatorApp.updateMany({ where: { user_id: userId }, data })
    return false
  }
  // Of two concurrent uses of one code only one succeeds.
  const { count } = await db.authenticatorApp.updateMany({
    where: { user_id: userId, secret: app.secret, last_step: { lt: step } },
    data: { last_step: step, wrong_codes: 0, wrong_since: null },
  })
  return count > 0
}

async function takeRecoveryCode(userId: string, typed: string, now: Date): Promise<boolean> {
  const code = readRecoveryCode(typed)
  if (!code || !(await owesSecondFactor(userId))) return false
  const { count } = await db.recoveryCode.updateMany({
    where: { user_id: userId, digest: digestCode(code), used_at: null },
    data: { used_at: now },
  })
  if (count > 0) await recordOutside(userId, 'useRecoveryCode', now)
  return count > 0
}

async function isGuessedFromAfar(userId: string, place: string, now: Date): Promise<boolean> {
  const app = await db.authenticatorApp.findUnique({ where: { user_id: userId } })
  const isGuessedAt =
    app?.wrong_since && app.wrong_codes >= TRIES_A_DAY && now.getTime() - app.wrong_since.getTime() <= DAY_MS
  if (!isGuessedAt) return false
  const known = await db.userSession.findFirst({
    where: { user_id: userId, place: networkPlaceLabel(place) ?? '' },
  })
  return known === null
}
