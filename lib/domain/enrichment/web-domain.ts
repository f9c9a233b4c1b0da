import { isDisposableDomain } from '#lib/domain/enrichment/address-quality'
import { checkedDomain } from '#lib/domain/enrichment/domain-text'
import { companyDomain } from '#lib/domain/inbox/company-domain'

/** Sites that host pages of people and companies: such a URL says nothing about their own domain. */
const SHARED_SITES =
  /(^|\.)(linkedin\.com|facebook\.com|instagram\.com|twitter\.com|x\.com|youtube\.com|tiktok\.com|xing\.com|github\.com|medium\.com|wordpress\.com|wixsite\.com|blogspot\.com|google\.com|linktr\.ee|bit\.ly|t\.me|crunchbase\.com|yelp\.com|etsy\.com|amazon\.com|notion\.site)$/

/** The domain of a website in any notation: with or without scheme, `www.` and path. Null: none, or a shared site. */
export function domainOfWebsite(text: string): string | null {
  const host = parseHost(text)
  if (!host) return null
  const domain = checkedDomain(host.replace(/^www\d?\./, ''))
  return domain && !SHARED_SITES.test(domain) ? domain : null
}

function parseHost(text: string): string | null {
  const trimmed = text.trim().split(/[\s,;]/)[0] ?? ''
  if (trimmed === '' || trimmed.includes('@')) return null
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`
  return URL.canParse(address) ? new URL(address).hostname : null
}

/** The company's domain in an address: null for free and disposable mail, whose domain is the provider's. */
function domainOfEmail(email: string): string | null {
  const domain = companyDomain(email.trim())
  return domain && !isDisposableDomain(domain) ? domain : null
}

export type FoundDomain = { domain: string; source: 'website' | 'email'; agrees: boolean | null }

/** The website's domain takes precedence over that of the address, which may be a holding's. `agrees`: null if only one is known. */
export function findDomain(lead: {
  website?: string | undefined
  email?: string | undefined
}): FoundDomain | null {
  const site = lead.website ? domainOfWebsite(lead.website) : null
  const mail = lead.email ? domainOfEmail(lead.email) : null
  if (site) return { domain: site, source: 'website', agrees: mail ? belongTogether(mail, site) : null }
  return mail ? { domain: mail, source: 'email', agrees: null } : null
}

const belongTogether = (a: string, b: string) => a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`)
