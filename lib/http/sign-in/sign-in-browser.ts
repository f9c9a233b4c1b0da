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
/** Also with the password, as it was kept when they came. */
type Holder = User & { password_hash: string | null }

/**
 * How somebody proved who they are, and whether a second factor is still owed where the account has one. A passkey is both
 * (the device has looked at a face, a finger or a PIN), identity providers ask for their own, and a new account has none.
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
 * The one way in: whoever proved who they are, by whatever means, comes through here, and no session is opened elsewhere.
 * Answers what the browser's cookie is to say; null where a second factor is owed first.
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

/** Signs the browser of this request in, or has it owe a code. Only a server action or a route handler may set cookies. */
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

/** For next-auth, which seals the cookie itself once an identity provider has answered. */
export const claimsByProvider = (user: User, provider: 'google' | 'microsoft' | 'oidc') =>
  open(user, 'provider', provider)
