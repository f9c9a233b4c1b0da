/** Who signs people in: two that everybody knows, one of the operator's choice, and issuers of tokens for the API. */
export const IDENTITY_PROVIDERS = ['google', 'microsoft', 'oidc', 'token'] as const

type Provider = Exclude<(typeof IDENTITY_PROVIDERS)[number], 'token'>

/** What a provider says of a person, as far as it is looked at. Nothing here has been believed yet. */
export type IdentityClaims = {
  iss?: unknown
  sub?: unknown
  email?: unknown
  email_verified?: unknown
  name?: unknown
  /** Google: the Workspace domain of the account. */
  hd?: unknown
  /** Microsoft: whether the domain of the address was shown to be its tenant's. */
  xms_edov?: unknown
}

export type IdentityFacts = {
  issuer: string
  subject: string
  name: string | undefined
  /** What it says the address is, to be shown and for nothing else. */
  said_email: string | undefined
  /** The address where the provider vouches that it is this person's. */
  email: string | undefined
  /** Of Google Workspace. */
  hosted_domain: string | undefined
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const isTrue = (value: unknown) => value === true || value === 1 || value === '1' || value === 'true'

/** Microsoft's names that stand for every tenant: each of their administrators writes what claims say. */
export const isOfManyTenants = (issuer: string): boolean =>
  /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)(\/|$)/i.test(issuer)

/**
 * Google vouches for the addresses that it hosts, Microsoft for those of domains that the tenant has shown to be its own: the
 * administrator of any tenant can write any address into an account, and sign in by it anywhere (nOAuth).
 */
function isVouchedFor(provider: Provider, issuer: string, claims: IdentityClaims, address: string): boolean {
  if (provider === 'microsoft' || isOfManyTenants(issuer)) return isTrue(claims.xms_edov)
  if (claims.email_verified !== true) return false
  return provider === 'oidc' || text(claims.hd) !== undefined || address.endsWith('@gmail.com')
}

/** `issuer` is the configured one; where a provider has one for each tenant, that of the token counts. */
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
