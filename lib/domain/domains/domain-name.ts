import { companyDomain } from '#lib/domain/inbox/company-domain'

/** Names below which registries, not companies, assign domains: `co.uk`, `com.au`, `or.jp`. */
const REGISTRY_LABELS = new Set('ac co com edu gob gouv gov govt mil net or org'.split(' '))
const REGISTRY_SUFFIXES = new Set(
  `ltd.uk me.uk nhs.uk plc.uk police.uk sch.uk ad.jp ed.jp go.jp gr.jp lg.jp ne.jp gv.at asn.au id.au geek.nz gen.nz
  iwi.nz kiwi.nz maori.nz school.nz re.kr pe.kr ne.kr go.kr ind.br inf.br blog.br app.br dev.br eco.br adv.br gen.in
  ind.in firm.in web.za nom.za law.za idf.il k12.il muni.il gen.tr web.tr bel.tr biz.tr idv.tw game.tw ebiz.tw club.tw
  nom.es nom.co asso.fr tm.fr biz.pl info.pl waw.pl in.th go.th mi.th nic.in msk.ru spb.ru kiev.ua lviv.ua`.split(
    /\s+/,
  ),
)
/** Hosting services below which anybody gets a name, without control over its DNS records. */
const HOSTING_SUFFIXES = new Set(
  `github.io gitlab.io pages.dev workers.dev vercel.app netlify.app herokuapp.com web.app firebaseapp.com fly.dev
  onrender.com azurewebsites.net cloudfront.net amazonaws.com appspot.com blogspot.com myshopify.com wixsite.com
  wordpress.com ngrok.io ngrok.app trycloudflare.com duckdns.org`.split(/\s+/),
)
/** Local names: RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476 and common router defaults. */
const LOCAL_TLDS = new Set(
  'local localhost localdomain internal intranet lan home corp private invalid onion arpa alt'.split(' '),
)

export type DomainReading = { ok: true; domain: string } | { ok: false; problem: string }

/**
 * Normalizes a domain as people type it (upper case, a trailing dot, umlauts) to lower case and punycode. Refuses names for
 * which nobody can publish mail records: addresses, local names, registries, hosting services and mail providers. The list of
 * registries is short, not the Public Suffix List: a rare one that is missing is accepted, and then never verifies.
 */
export function readDomain(text: string): DomainReading {
  const refuse = (problem: string): DomainReading => ({ ok: false, problem })
  const typed = text.trim().replace(/\.$/, '')
  if (/^[a-z]+:\/\//i.test(typed) || /[/@\s]/.test(typed))
    return refuse('must be a domain alone, such as example.com, without https:// or @')
  if (typed.includes(':')) return refuse('must be a domain, not an IP address')
  // The URL parser applies IDNA (UTS #46), and turns anything that could be an IPv4 address into one.
  const domain = URL.canParse(`http://${typed}`) ? new URL(`http://${typed}`).hostname : ''
  const labels = domain.split('.')
  const last = labels.at(-1) ?? ''
  if (/^(\d+\.){3}\d+$/.test(domain)) return refuse('must be a domain, not an IP address')
  if (domain === '') return refuse('is not a valid domain')
  if (LOCAL_TLDS.has(last)) return refuse(`is a local name; no internet domain ends in .${last}`)
  if (labels.length < 2) return refuse('must have a dot, such as example.com')
  if (domain.length > 200 || labels.some((label) => !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label)))
    return refuse('is not a valid domain')
  if (!/^([a-z]{2,}|xn--[a-z0-9-]+)$/.test(last)) return refuse(`cannot end in .${last}`)
  if (isPublicSuffix(domain)) return refuse('is a public suffix: nobody but its registry has its records')
  if (companyDomain(`x@${domain}`) === null)
    return refuse('belongs to a mail provider, which already signs its mail')
  return { ok: true, domain }
}

function isPublicSuffix(domain: string): boolean {
  const labels = domain.split('.')
  const [first = '', second = ''] = labels
  if (labels.length === 1 || HOSTING_SUFFIXES.has(domain) || REGISTRY_SUFFIXES.has(domain)) return true
  return labels.length === 2 && second.length === 2 && REGISTRY_LABELS.has(first)
}

/** The registered domain, which alignment is checked against: for `mail.shop.example.co.uk` it is `example.co.uk`. */
export function organizationalDomain(domain: string): string {
  const labels = domain.split('.')
  for (let from = labels.length - 2; from >= 0; from--) {
    const candidate = labels.slice(from).join('.')
    if (!isPublicSuffix(candidate)) return candidate
  }
  return domain
}

/** The domain of an address, lower case; empty if there is none. */
export const addressDomain = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()
