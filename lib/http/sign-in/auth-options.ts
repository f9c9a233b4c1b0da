import type { AuthOptions } from 'next-auth'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import { safeReturnPath } from '#lib/contracts/workspaces/sign-in'
import { env } from '#lib/env'
import { SESSION_SECONDS, sessionCookie, sessionSecret } from '#lib/http/session'
import { claimsByProvider } from '#lib/http/sign-in/way-in'
import { closeSession } from '#lib/services/workspaces/sign-in/sessions'
import { userOfIdentity } from '#lib/services/workspaces/users'

type Claims = { sub: string; email?: string; email_verified?: boolean; name?: string }
type Provider = AuthOptions['providers'][number]

/** Null unless all three of OIDC_* are set. Discovery is lazy: a build needs no provider. */
export function oidcProvider(): OAuthConfig<Claims> | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = env()
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) return null
  return {
    id: 'oidc',
    name: new URL(OIDC_ISSUER).hostname,
    type: 'oauth',
    wellKnown: `${OIDC_ISSUER.replace(/\/$/, '')}/.well-known/openid-configuration`,
    authorization: { params: { scope: 'openid email profile' } },
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    profile: ({ sub, email, name }) => ({ id: sub, email, name }),
  }
}

/** Where the browser goes on; next-auth hands over whatever stands in the address, a path or a whole one. */
function landing(url: string, baseUrl: string): string {
  const { origin } = new URL(baseUrl)
  const path = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url
  return `${origin}${safeReturnPath(path) ?? '/home'}`
}

/**
 * next-auth's configuration, read at the request so that a build needs no environment. It knows identity providers alone:
 * passwords and passkeys go through the pages' own actions, see docs/decisions.
 */
export function authOptions(): AuthOptions {
  const { APP_URL, OIDC_ISSUER } = env()
  // next-auth takes its own address from the process only.
  process.env.NEXTAUTH_URL ||= APP_URL
  const oidc = oidcProvider()
  return {
    providers: oidc ? [oidc as Provider] : [],
    secret: sessionSecret(),
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    cookies: { sessionToken: sessionCookie() },
    pages: { signIn: '/sign-in', signOut: '/sign-in', error: '/sign-in' },
    events: {
      // The cookie goes by next-auth's own hand; a copy of it must be good for nothing either.
      signOut: async ({ token }) => {
        if (token.sub && typeof token.sid === 'string') await closeSession(token.sub, token.sid, new Date())
      },
    },
    callbacks: {
      redirect: async ({ url, baseUrl }) => landing(url, baseUrl),
      async jwt({ token, account, profile }) {
        if (!account) return token
        const { email, email_verified, name } = (profile ?? {}) as Partial<Claims>
        const user = await userOfIdentity({
          issuer: OIDC_ISSUER ?? '',
          subject: account.providerAccountId,
          email,
          email_verified: email_verified === true,
          name,
        })
        return { ...token, ...(await claimsByProvider(user)) }
      },
    },
  }
}
