import type { AuthOptions } from 'next-auth'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import { safeReturnPath } from '#lib/contracts/workspaces/sign-in'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { SESSION_SECONDS, sessionCookie, sessionSecret } from '#lib/http/session'
import { readBrowser } from '#lib/http/sign-in/device'
import { takeLinking } from '#lib/http/sign-in/linking'
import { claimsByProvider } from '#lib/http/sign-in/sign-in-browser'
import { equipAccount } from '#lib/services/sandbox/new-account'
import { dnsProvider } from '#lib/services/senders/discovery/dns-provider'
import { followProvider, groupsNamed } from '#lib/services/workspaces/joining/by-provider'
import { connectIdentity, readAnswer, userOfProvider } from '#lib/services/workspaces/sign-in/identities'
import { type IdentityProvider, identityProviders } from '#lib/services/workspaces/sign-in/identity-providers'
import { closeSession } from '#lib/services/workspaces/sign-in/sessions'

type Provider = AuthOptions['providers'][number]
type Profile = { sub: string; email?: string; name?: string }

/** Discovery is lazy: a build needs no provider. Code flow with PKCE, state and nonce; the ID token says who it is. */
function oauthConfig({ id, name, issuer, client_id, client_secret }: IdentityProvider): OAuthConfig<Profile> {
  // Browsers are often signed in at Google with another account than the intended one, so it asks which account to use.
  const asks = id !== 'oidc'
  const scope = asks ? 'openid email profile' : env().OIDC_SCOPE
  const base = issuer.endsWith('/') ? issuer.slice(0, -1) : issuer
  return {
    id,
    name,
    type: 'oauth',
    wellKnown: `${base}/.well-known/openid-configuration`,
    authorization: { params: { scope, ...(asks && { prompt: 'select_account' }) } },
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    clientId: client_id,
    clientSecret: client_secret,
    profile: ({ sub, email, name }) => ({ id: sub, email, name }),
  }
}

/** Where the browser goes next. next-auth passes whatever the address holds, a path or a full URL. */
function landing(url: string, baseUrl: string): string {
  const { origin } = new URL(baseUrl)
  const path = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url
  return `${origin}${safeReturnPath(path) ?? '/home'}`
}

const findProvider = (id: string | undefined) => identityProviders().find((provider) => provider.id === id)

/**
 * True if the user named by the provider may sign in. Otherwise where to redirect: to the sign-in page with the reason, or back to
 * settings for a user who is linking an identity, whose session stays.
 */
async function admit(
  provider: IdentityProvider,
  profile: Parameters<typeof readAnswer>[1],
): Promise<true | string> {
  const facts = readAnswer(provider, profile)
  const linking = await takeLinking(provider.id)
  if (!linking) {
    const owner = await userOfProvider(facts, provider, await readBrowser())
    if (!('user' in owner)) return `/sign-in?error=${owner.refused}`
    if (owner.is_new) await equipAccount(owner.user, undefined, new Date())
    return true
  }
  try {
    await connectIdentity(linking, facts, provider, new Date())
    return `/settings/security?connected=${provider.id}`
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return `/settings/security?refused=${error.code}`
  }
}

/**
 * next-auth's configuration, built per request so that a build needs no environment. It handles identity providers only: passwords
 * and passkeys go through the pages' own actions, see docs/decisions.
 */
export function authOptions(): AuthOptions {
  // next-auth reads its own address from process.env only.
  process.env.NEXTAUTH_URL ||= env().APP_URL
  return {
    providers: identityProviders().map((provider) => oauthConfig(provider) as Provider),
    secret: sessionSecret(),
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    cookies: { sessionToken: sessionCookie() },
    pages: { signIn: '/sign-in', signOut: '/sign-in', error: '/sign-in' },
    events: {
      // next-auth deletes the cookie itself; this ends the session too, so that a copy of the cookie is useless.
      signOut: async ({ token }) => {
        if (token.sub && typeof token.sid === 'string') await closeSession(token.sub, token.sid, new Date())
      },
    },
    callbacks: {
      redirect: async ({ url, baseUrl }) => landing(url, baseUrl),
      async signIn({ account, profile }) {
        const provider = findProvider(account?.provider)
        return provider ? admit(provider, profile) : false
      },
      async jwt({ token, account, profile }) {
        const provider = findProvider(account?.provider)
        if (!account || !provider) return token
        const facts = readAnswer(provider, profile)
        const owner = await userOfProvider(facts, provider)
        if (!('user' in owner)) throw new Error(owner.refused)
        const vouched = { email: facts.email, groups: groupsNamed(provider, profile) }
        await followProvider(owner.user, vouched, new Date(), dnsProvider())
        return { ...token, ...(await claimsByProvider(owner.user, provider.id)) }
      },
    },
  }
}
