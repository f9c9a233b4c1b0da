import { cookies } from 'next/headers'
import { decode, encode } from 'next-auth/jwt'
import { cookieNamed, sessionSecret } from '#lib/http/session'
import { isShut } from '#lib/services/workspaces/sign-in/demo-account'
import { passwordMark } from '#lib/services/workspaces/sign-in/second-factor'
import { findUser } from '#lib/services/workspaces/users'

const SECONDS = 10 * 60
/** Sealed under its own key, so that it can never pass for a session, whatever the cookie is called. */
const SALT = 'second factor'

/** Remembers that this browser passed an account's password check and owes a code. Grants no access by itself. */
export async function keepPending(userId: string): Promise<void> {
  const user = await findUser(userId)
  if (!user) return
  const token = { sub: userId, mark: passwordMark(user) }
  const value = await encode({ token, secret: sessionSecret(), salt: SALT, maxAge: SECONDS })
  const { name, options } = cookieNamed('pending')
  ;(await cookies()).set(name, value, { ...options, maxAge: SECONDS })
}

/** The user who owes a code; null if nobody does, ten minutes have passed, or the password was changed since. */
export async function readPending() {
  const token = (await cookies()).get(cookieNamed('pending').name)?.value
  const secret = sessionSecret()
  const claims = token ? await decode({ token, secret, salt: SALT }).catch(() => null) : null
  const user = claims?.sub ? await findUser(claims.sub) : null
  return user && !isShut(user) && claims?.mark === passwordMark(user) ? user : null
}

export async function dropPending(): Promise<void> {
  const { name, options } = cookieNamed('pending')
  const jar = await cookies()
  if (jar.has(name)) jar.set(name, '', { ...options, maxAge: 0 })
}
