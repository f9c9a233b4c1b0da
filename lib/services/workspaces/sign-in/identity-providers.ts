import { env } from '#lib/env'

/** A provider that this instance is configured for. */
export type IdentityProvider = {
  id: 'google' | 'microsoft' | 'oidc'
  name: string
  /** As in the discovery document. */
  issuer: string
  client_id: string
  client_secret: string
  /** Whether it creates accounts; otherwise it only signs in to existing ones. */
  makes_accounts: boolean
  /** Whether an address that it vouches for is enough to link it to an account with its own sign-in method. */
  links_by_email: boolean
  /** The only Google Workspace domain whose users are admitted. */
  only_domain: string | null
}

/** Microsoft tenants that stand for many tenants, or for everybody. */
const MANY_TENANTS = ['common', 'organizations', 'consumers']

const microsoftIssuer = (tenant: string) => `https://login.microsoftonline.com/${tenant}/v2.0`

function google(): IdentityProvider | null {
  const { SIGN_IN_GOOGLE_CLIENT_ID, SIGN_IN_GOOGLE_CLIENT_SECRET, SIGN_IN_GOOGLE_DOMAIN, ALLOW_SIGN_UP } =
    env()
  if (!SIGN_IN_GOOGLE_CLIENT_ID || !SIGN_IN_GOOGLE_CLIENT_SECRET) return null
  return {
    id: 'google',
    name: 'Google',
    issuer: 'https://accounts.google.com',
    client_id: SIGN_IN_GOOGLE_CLIENT_ID,
    client_secret: SIGN_IN_GOOGLE_CLIENT_SECRET,
    makes_accounts: ALLOW_SIGN_UP || SIGN_IN_GOOGLE_DOMAIN !== undefined,
    links_by_email: false,
    only_domain: SIGN_IN_GOOGLE_DOMAIN ?? null,
  }
}

function microsoft(): IdentityProvider | null {
  const { SIGN_IN_MICROSOFT_CLIENT_ID, SIGN_IN_MICROSOFT_CLIENT_SECRET } = env()
  const { SIGN_IN_MICROSOFT_TENANT, ALLOW_SIGN_UP } = env()
  if (!SIGN_IN_MICROSOFT_CLIENT_ID || !SIGN_IN_MICROSOFT_CLIENT_SECRET) return null
  return {
    id: 'microsoft',
    name: 'Microsoft',
    issuer: microsoftIssuer(SIGN_IN_MICROSOFT_TENANT),
    client_id: SIGN_IN_MICROSOFT_CLIENT_ID,
    client_secret: SIGN_IN_MICROSOFT_CLIENT_SECRET,
    makes_accounts: ALLOW_SIGN_UP || !MANY_TENANTS.includes(SIGN_IN_MICROSOFT_TENANT),
    links_by_email: false,
    only_domain: null,
  }
}

function ownOidc(): IdentityProvider | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME, OIDC_LINKS_BY_EMAIL } = env()
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) return null
  return {
    id: 'oidc',
    name: OIDC_NAME ?? new URL(OIDC_ISSUER).hostname,
    issuer: OIDC_ISSUER,
    client_id: OIDC_CLIENT_ID,
    client_secret: OIDC_CLIENT_SECRET,
    makes_accounts: true,
    links_by_email: OIDC_LINKS_BY_EMAIL,
    only_domain: null,
  }
}

/** Providers with both client id and secret configured. */
export const identityProviders = (): IdentityProvider[] =>
  [google(), microsoft(), ownOidc()].filter((provider) => provider !== null)

export const hasIdentityProvider = () => identityProviders().length > 0

/** The provider that an identity came from; `token` if it is known from the API only. */
export function providerOfIssuer(issuer: string): IdentityProvider['id'] | 'token' {
  const configured = identityProviders().find((provider) => provider.issuer === issuer)
  if (configured) return configured.id
  const isMicrosoft = issuer.startsWith('https://login.microsoftonline.com/')
  return isMicrosoft && microsoft() ? 'microsoft' : 'token'
}
