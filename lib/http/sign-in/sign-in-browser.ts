import { cookies } from 'next/headers'
import { after } from 'next/server'
import { encode } from 'next-auth/jwt'
import type { SignInRecord } from '#lib/contracts/workspaces/sign-ins'
import { SESSION_SECONDS, sessionCookie, sessionSecret } from '#lib/http/session'
import { readBrowser } from '#lib/http/sign-in/device'
import { dropPending, keepPending } from '#lib/http/sign-in/pending'
import { tellNewDevice } from '#lib/http/sign-in/tell-sign-ins'
import { owesSecondFactor } from '#lib/services/workspaces/sign-in/second-factor'
import { openSession } from '#lib/services/workspaces/sign-in/sessions'
import { recordSignIn } from '#lib/services/workspaces/sign-in/sign-ins'

type User = { user_id: string; email: string; name: string }
/** The password hash as it was checked: a session is not opened if it was changed meanwhile. */
type Holder = User & { password_hash: string | null }

/**
 * How a user proved their identity, and whether the account's second factor is still required. A passkey is two factors (the device
 * checked a face, a finger or a PIN), identity providers ask for their own, and a new account has none.
 */
const OWES = {
  password: true,
  link: true,
  sign_up: false,
  passkey: false,
  provider: false,
  second_factor: false,
} as const

export type Way = keyof typeof OWES

/**
 * The only place that opens a session, whatever the sign-in method. Returns the content of the session cookie; null if a second
 * factor is required first.
 */
async function open(user: User, way: Way, method: SignInRecord['method'], shown?: Holder) {
  if (OWES[way] && (await owesSecondFactor(user.user_id))) return null
  const now = new Date()
  const browser = await readBrowser()
  const sid = await openSession(user.user_id, browser, now, SESSION_SECONDS, shown)
  const kept = await recordSignIn(user.user_id, { method, session_id: sid, browser }, now)
  if (kept.is_new_device) after(() => tellNewDevice(user.user_id, kept.sign_in_id, now))
  return { sub: user.user_id, email: user.email, name: user.name, sid }
}

/** Signs this browser in, or makes it owe a second factor. Sets cookies, so call it from a server action or route handler only. */
export async function signInBrowser(
  user: Holder,
  way: Exclude<Way, 'provider'>,
): Promise<'in' | 'owes_code'> {
  const method = way === 'second_factor' ? 'password' : way
  const token = await open(user, way, method, way === 'passkey' ? undefined : user)
  if (!token) {
    await keepPending(user.user_id)
    return 'owes_code'
  }
  const value = await encode({ token, secret: sessionSecret(), maxAge: SESSION_SECONDS })
  const { name, options } = sessionCookie()
  ;(await cookies()).set(name, value, { ...options, maxAge: SESSION_SECONDS })
  await dropPending()
  return 'in'
}

/** For next-auth, which writes the cookie itself after an identity provider has answered. */
export const claimsByProvider = (user: User, provider: 'google' | 'microsoft' | 'oidc') =>
  open(user, 'provider', provider)
