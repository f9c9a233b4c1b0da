import type { z } from 'zod'
import type { ChangePassword } from '#lib/contracts/workspaces/account'
import { db } from '#lib/db/client'
import { AppError, invalid } from '#lib/errors'
import { giveTokenBack } from '#lib/services/instance/rate-limits'
import { recordOutside } from '#lib/services/workspaces/audit'
import { verifyAddressFrom } from '#lib/services/workspaces/sign-in/address-owner'
import { hashOfChosen } from '#lib/services/workspaces/sign-in/new-password'
import { makeLink, readLink, SPENT, useLink } from '#lib/services/workspaces/sign-in/one-time-links'
import { matchesPassword } from '#lib/services/workspaces/sign-in/password-hashes'
import { type Prover, requireRecentProof } from '#lib/services/workspaces/sign-in/recent-proof'
import { removeSignInMethod } from '#lib/services/workspaces/sign-in/sign-in-methods'
import type { Browser } from '#lib/services/workspaces/sign-in/sign-ins'
import { takeTry } from '#lib/services/workspaces/sign-in/tries'
import { findUser } from '#lib/services/workspaces/users'

const TRIES_A_MINUTE = 5

type Tx = Pick<typeof db, 'user' | 'userSession'>

/**
 * Signs out every browser but `keep`, so that anybody who knew the old password is out. API keys are managed separately. The password
 * is changed first: a session being opened by the old one becomes visible once its transaction has ended.
 */
async function setPassword(tx: Tx, user_id: string, password_hash: string, now: Date, keep?: string) {
  const user = await tx.user.update({ where: { user_id }, data: { password_hash } })
  await tx.userSession.updateMany({
    where: { user_id, revoked_at: null, ...(keep && { session_id: { not: keep } }) },
    data: { revoked_at: now },
  })
  return user
}

/**
 * Changes the password. The caller's `session_id` is the browser that stays signed in. The first password of an account needs a recent
 * proof.
 */
export async function changePassword(
  who: Prover,
  { current_password, new_password }: z.output<typeof ChangePassword.body>,
  now: Date,
): Promise<void> {
  const { user_id, session_id } = who
  const user = await findUser(user_id)
  if (user?.password_hash) await checkCurrent(user_id, user.password_hash, current_password ?? '', now)
  else await requireRecentProof(who, now)
  const password_hash = await hashOfChosen(new_password, user?.email ?? '', 'new_password')
  await db.$transaction(async (tx) => {
    // If somebody else changed the password first, the one that was checked is no longer current.
    const [same] = await tx.$queryRaw<object[]>`
      SELECT 1 FROM users WHERE user_id = ${user_id}::uuid
        AND password_hash IS NOT DISTINCT FROM ${user?.password_hash ?? null} FOR NO KEY UPDATE`
    if (!same) throw notYours()
    await setPassword(tx, user_id, password_hash, now, session_id)
  })
}

const notYours = () => invalid(['body', 'current_password'], 'is not your password')

async function checkCurrent(userId: string, stored: string, given: string, now: Date): Promise<void> {
  const bucket = `password:${userId}`
  await takeTry(bucket, TRIES_A_MINUTE, now)
  if (!(await matchesPassword(given, stored))) throw notYours()
  await giveTokenBack(bucket)
}

/** For users who sign in by passkey or identity provider. */
export async function removePassword(who: Prover, now: Date): Promise<void> {
  await requireRecentProof(who, now)
  const { user_id } = who
  const user = await findUser(user_id)
  if (!user?.password_hash) throw new AppError('invalid_state', { message: 'This account has no password.' })
  await db.$transaction((tx) =>
    removeSignInMethod(tx, user_id, () =>
      tx.user.update({ where: { user_id }, data: { password_hash: null } }),
    ),
  )
}

export const passwordLink = (userId: string, now: Date, mailed = false) =>
  makeLink({ purpose: 'password', user_id: userId, mailed }, now)

/** Resets the password and uses the link up. `browser` is the browser in which that happens, if any. */
export async function resetPassword(
  token: string,
  password: string,
  now: Date,
  browser: Browser | null = null,
) {
  const link = await readLink('password', token, now)
  if (!link?.user) throw new AppError('grant_invalid', { message: SPENT })
  const password_hash = await hashOfChosen(password, link.user.email)
  const user = await db.$transaction(async (tx) => {
    const { user_id, mailed } = await useLink(tx, 'password', token, now)
    if (!user_id) throw new AppError('grant_invalid')
    if (mailed) await verifyAddressFrom(tx, user_id, browser, now)
    return setPassword(tx, user_id, password_hash, now)
  })
  await recordOutside(user.user_id, 'resetPassword', now)
  return user
}
