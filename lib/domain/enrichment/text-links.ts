import { checkedDomain } from '#lib/domain/enrichment/domain-text'
import { domainOfWebsite } from '#lib/domain/enrichment/web-domain'
import { trimEndChars } from '#lib/domain/text/text-end'

export type FoundLinks = { linkedin_url: string | null; twitter_url: string | null; website: string | null }

const MAX_CHARS = 20_000
const LINKEDIN =
  /(?<![\p{L}\p{N}.-])(?:https?:\/\/)?(?:[a-z]{2,3}\.)?linkedin\.com\/(in|company|pub)\/([\p{L}\p{N}%_.-]{2,100})/iu
const TWITTER =
  /(?<![A-Za-z0-9.-])(?:https?:\/\/)?(?:www\.|mobile\.)?(?:twitter|x)\.com\/@?([A-Za-z0-9_]{1,15})(?![A-Za-z0-9_])/i
/** Pages of the site itself, not profiles. */
const NO_HANDLE = /^(home|share|intent|search|hashtag|i|login|explore|settings)$/i
const URL_LIKE = /\bhttps?:\/\/[^\s<>"')\]]{3,300}|\bwww\.[^\s<>"')\]]{3,300}/giu
const BARE_DOMAIN =
  /(?<![@\p{L}\p{N}._-])((?:[\p{L}\p{N}-]{2,63}\.){1,3}(?:com|net|org|io|ai|co|eu|de|at|ch|fr|es|it|nl|be|uk|se|no|dk|fi|pl|cz|app|dev))(?![@\p{L}\p{N}.-]*@)(?![\p{L}\p{N}-])/giu

const trimmed = (url: string) => trimEndChars(url, '.,;:!?')

/** The first profile of each network, and the first website that belongs to no network. */
export function linksInText(text: string): FoundLinks {
  const head = text.slice(0, MAX_CHARS)
  const linkedin = LINKEDIN.exec(head)
  const handle = TWITTER.exec(head)?.[1]
  return {
    linkedin_url: linkedin
      ? `https://www.linkedin.com/${linkedin[1]?.toLowerCase()}/${trimmed(linkedin[2] ?? '')}`
      : null,
    twitter_url: handle && !NO_HANDLE.test(handle) ? `https://x.com/${handle}` : null,
    website: websiteIn(head),
  }
}

/** A full URL takes precedence over a bare name, which must have a common ending. */
function websiteIn(text: string): string | null {
  for (const [match] of text.matchAll(URL_LIKE)) {
    const url = trimmed(match)
    const domain = domainOfWebsite(url)
    if (domain) return /^https?:/i.test(url) ? url : `https://${url}`
  }
  for (const [, name = ''] of text.matchAll(BARE_DOMAIN)) {
    const domain = checkedDomain(name)
    if (domain && domainOfWebsite(domain)) return `https://${domain}`
  }
  return null
}
