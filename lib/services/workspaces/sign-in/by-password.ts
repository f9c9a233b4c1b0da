import type { z } from 'zod'
import type { SignIn, SignUp } from '#lib/contracts/workspaces/sign-in'
import { pool } from '#lib/db/client'
import { jsonText } from '#lib/db/json-text'
import { networkPlace, networkPlaceLabel } from '#lib/domain/text/network-place'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { isLoopback } from '#lib/services/instance/network-exposure'
import { giveTokenBack, takeToken } from '#lib/services/instance/rate-limits'
import { DEMO, isShut } from '#lib/services/workspaces/sign-in/demo-account'
import { hashOfChosen } from '#lib/services/workspaces/sign-in/new-password'
import { takeTry } from '#lib/services/workspaces/sign-in/tries'
import { createUserWithHash, userOfPassword } from '#lib/services/workspaces/users'

/** Wrong passwords per minute from one place: against one account, and against all accounts. */
const TRIES_HERE = 10
const TRIES_OF_PLACE = 20
/** Above this many failures against one account it is considered under attack, and each place gets fewer tries. */
const TRIES_EVERYWHERE = 30
const TRIES_HERE_WHILE_GUESSED = 3
/** New accounts per minute from one place. */
const SIGN_UPS = 5
/** Failures per minute that are logged for one account: guessing must not fill its log. */
const NOTED = 10

/**
 * The user of an address and a password, or null. `place` is the caller's network address. Guessing is limited per place, and per
 * place and account. Never per account alone, or anybody could lock its owner out: under attack from many places each gets fewer
 * tries, and the owner, wherever they are, still has some. A correct password costs no try.
 */
export async function signInByPassword(fields: z.output<typeof SignIn>, place: string, now: Date) {
  const address = fields.email.toLowerCase()
  const { address: here, network } = networkPlace(place)
  const ofPlace = `sign-in-place:${network}`
  const everywhere = `sign-in:${address}`
  const ofBoth = `sign-in:${address}:${here}`
  await takeTry(ofPlace, TRIES_OF_PLACE, now)
  const isGuessedAt = (await takeToken(everywhere, TRIES_EVERYWHERE, now)) < 0
  await takeTry(ofBoth, isGuessedAt ? TRIES_HERE_WHILE_GUESSED : TRIES_HERE, now)
  const giveBack = async () => {
    for (const bucket of [ofPlace, everywhere, ofBoth]) await giveTokenBack(bucket)
  }
  const user = await userOfPassword(address, fields.password).catch(async (error: unknown) => {
    // The password was not checked, because too many checks were under way.
    await giveBack()
    throw error
  })
  if (!user || isShut(user)) return null
  await giveBack()
  // Behind a proxy that is not configured, everybody could sign in with the known password.
  if (address === DEMO.email && !isLoopback(place))
    throw new AppError('forbidden', {
      message: 'The demo account works only on the machine running Opener.',
    })
  return user
}

/**
 * Logs a failure for the account that was tried, if there is one, and returns its user. To be called after responding, because it takes
 * longer if the account exists.
 */
export async function noteFailedSignIn(email: string, place: string, now: Date): Promise<string | null> {
  const address = email.toLowerCase()
  const isKept = (await takeToken(`sign-in-noted:${address}`, NOTED, now)) >= 0
  const { rows } = await pool().query<{ user_id: string }>(
    `WITH tried AS (SELECT user_id FROM users WHERE email = $1), noted AS (
       INSERT INTO audit_events (workspace_id, user_id, at, operation, target, by)
       SELECT m.workspace_id, user_id, $2, 'failedSignIn', $3, 'stranger' FROM tried JOIN members m USING (user_id) WHERE $4
       ORDER BY m.created_at, m.workspace_id LIMIT 1)
     SELECT user_id FROM tried`,
    [address, now, jsonText({ place: networkPlaceLabel(place) ?? 'unknown' }), isKept],
  )
  return rows[0]?.user_id ?? null
}

/**
 * Sign-up by password does not verify the address. It is closed if an identity provider vouches for addresses: whoever signed up
 * first would share the account of the address's real owner.
 */
export function signUpIsOpen(): boolean {
  const { ALLOW_SIGN_UP, OIDC_ISSUER, AUTH_ISSUERS } = env()
  return ALLOW_SIGN_UP && !OIDC_ISSUER && AUTH_ISSUERS.trim() === '[]'
}

/** Null if the address has an account already; `forbidden` if sign-up is not open. */
export async function signUp(fields: z.output<typeof SignUp>, place: string, now: Date) {
  if (!signUpIsOpen())
    throw new AppError('forbidden', { message: 'Accounts are created by the operator here.' })
  await takeTry(`sign-up:${networkPlace(place).address}`, SIGN_UPS, now)
  // Such an account could never sign in.
  if (fields.email.toLowerCase() === DEMO.email) return null
  const { email, name, password } = fields
  return createUserWithHash(email, name, await hashOfChosen(password, email))
}
