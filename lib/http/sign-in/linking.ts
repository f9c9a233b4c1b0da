import { cookies } from 'next/headers'
import { decode, encode } from 'next-auth/jwt'
import { ReadAccount } from '#lib/contracts/workspaces/account'
import { cookieNamed, currentUser, requireUser, sessionSecret } from '#lib/http/session'
import { requireRecentProof } from '#lib/services/workspaces/sign-in/recent-proof'

const SECONDS = 10 * 60
/** Sealed under its own key, so that it can never pass for a session. */
const SALT = 'linking'

/** Remembers that the next sign-in at this provider is to be linked to the signed-in user's account. */
export async function startLinking(provider: string): Promise<void> {
  const { user_id, session_id } = await requireUser(ReadAccount)
  await requireRecentProof({ user_id, session_id }, new Date())
  const token = { sub: user_id, sid: session_id, provider }
  const value = await encode({ token, secret: sessionSecret(), salt: SALT, maxAge: SECONDS })
  const { name, options } = cookieNamed('linking')
  ;(await cookies()).set(name, value, { ...options, maxAge: SECONDS })
}

/** The account to link to, readable once; null if this session did not ask for it. */
export async function takeLinking(provider: string): Promise<string | null> {
  const { name, options } = cookieNamed('linking')
  const jar = await cookies()
  const value = jar.get(name)?.value
  if (!value) return null
  jar.set(name, '', { ...options, maxAge: 0 })
  const claims = await decode({ token: value, secret: sessionSecret(), salt: SALT }).catch(() => null)
  const user = await currentUser()
  const isAsked =
    claims?.provider === provider && claims.sub === user?.user_id && claims?.sid === user?.session_id
  return user && isAsked ? user.user_id : null
}
