import { cookies, headers } from 'next/headers'
import { encode } from 'next-auth/jwt'
import { placeOfRequest, SESSION_SECONDS, sessionCookie, sessionSecret } from '#lib/http/session'
import { openSession } from '#lib/services/workspaces/sign-in/sessions'

type User = { user_id: string; email: string; name: string }

/** How somebody proved who they are. */
export type Way = 'password' | 'provider' | 'sign_up' | 'link'

/**
 * The one way in: whoever proved who they are, by whatever means, comes through here, and no session is opened elsewhere.
 * Answers what the browser's cookie is to say.
 */
async function open(user: User, _way: Way) {
  const user_agent = (await headers()).get('user-agent')
  const from = { user_agent, place: await placeOfRequest() }
  const sid = await openSession(user.user_id, from, new Date(), SESSION_SECONDS)
  return { sub: user.user_id, email: user.email, name: user.name, sid }
}

/** Signs the browser of this request in; only a server action or a route handler may set cookies. */
export async function letIn(user: User, way: Exclude<Way, 'provider'>): Promise<void> {
  const value = await encode({
    token: await open(user, way),
    secret: sessionSecret(),
    maxAge: SESSION_SECONDS,
  })
  const { name, options } = sessionCookie()
  ;(await cookies()).set(name, value, { ...options, maxAge: SESSION_SECONDS })
}

/** For next-auth, which seals the cookie itself once an identity provider has answered. */
export const claimsByProvider = (user: User) => open(user, 'provider')
