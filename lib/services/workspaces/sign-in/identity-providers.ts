import { env } from '#lib/env'

/** A provider that this instance is configured for. */
export type IdentityProvider = {
  id: 'google' | 'microsoft' | 'oidc'
  name: string
  /** Of the discovery document. */
  issuer: string
  client_id: string
  client_secret: string
  /** Whether it creates accounts; otherwise it only signs in to existing ones. */
  makes_accounts: boolean
  /** Whether an address that it vouches for is enough to be joined to an account with a way in of its own. */
  links_by_email: boolean
  /** The one Google Workspace domain whose people come in. */
  only_domain: string | null
}

/** Tenants of Microsoft that stand for many, or for everybody. */
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

/** Each that both its id and its secret are set of. */
export const identityProviders = (): IdentityProvider[] =>
  [google(), microsoft(), ownOidc()].filter((provider) => provider !== null)

export const hasIdentityProvider = () => identityProviders().length > 0

/** By which of them an identity came; `token` where it is known from the API alone. */
export function providerOfIssuer(issuer: string): IdentityProvider['id'] | 'token' {
  const configured = identityProviders().find((provider) => provider.issuer === issuer)
  if (configured) return configured.id
  const isMicrosoft = issuer.startsWith('https://login.microsoftonline.com/')
  return isMicrosoft && microsoft() ? 'microsoft' : 'token'
}
