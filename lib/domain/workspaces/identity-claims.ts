/** Identity providers: two well-known ones, one of the operator's choice, and issuers of JWTs for the API. */
export const IDENTITY_PROVIDERS = ['google', 'microsoft', 'oidc', 'token'] as const

type Provider = Exclude<(typeof IDENTITY_PROVIDERS)[number], 'token'>

/** The claims of a provider about a person, as far as they are read. They are not verified yet. */
export type IdentityClaims = {
  iss?: unknown
  sub?: unknown
  email?: unknown
  email_verified?: unknown
  name?: unknown
  /** Google: the Workspace domain of the account. */
  hd?: unknown
  /** Microsoft: whether the tenant has proved that it owns the domain of the address. */
  xms_edov?: unknown
}

export type IdentityFacts = {
  issuer: string
  subject: string
  name: string | undefined
  /** The claimed address, for display only. */
  said_email: string | undefined
  /** The address, if the provider vouches that it belongs to this person. */
  email: string | undefined
  /** The domain of Google Workspace. */
  hosted_domain: string | undefined
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const isTrue = (value: unknown) => value === true || value === 1 || value === '1' || value === 'true'

/** Microsoft's issuers for every tenant: the administrators of any tenant control the claims. */
export const isOfManyTenants = (issuer: string): boolean =>
  /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)(\/|$)/i.test(issuer)

/**
 * Google vouches for addresses that it hosts, Microsoft for those in domains that the tenant has proved to own: the
 * administrator of any tenant can enter any address for an account and sign in with it elsewhere (nOAuth).
 */
function isVouchedFor(provider: Provider, issuer: string, claims: IdentityClaims, address: string): boolean {
  if (provider === 'microsoft' || isOfManyTenants(issuer)) return isTrue(claims.xms_edov)
  if (claims.email_verified !== true) return false
  return provider === 'oidc' || text(claims.hd) !== undefined || address.endsWith('@gmail.com')
}

/** `issuer` is the configured one; if a provider has one for each tenant, that of the token counts. */
export function readIdentityClaims(
  provider: Provider,
  issuer: string,
  claims: IdentityClaims,
): IdentityFacts | null {
  const subject = text(claims.sub)
  const own = provider === 'microsoft' ? text(claims.iss) : issuer
  if (!subject || !own) return null
  const said_email = text(claims.email)?.toLowerCase()
  const email = said_email && isVouchedFor(provider, issuer, claims, said_email) ? said_email : undefined
  return {
    issuer: own,
    subject,
    name: text(claims.name),
    said_email,
    email,
    hosted_domain: text(claims.hd)?.toLowerCase(),
  }
}
