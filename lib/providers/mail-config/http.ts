import type { MailConfig } from '#lib/providers/mail-config/port'
import { download } from '#lib/providers/outbound-download'
import { type OutboundHttpOptions, postOutbound } from '#lib/providers/outbound-http'

type Options = OutboundHttpOptions & {
  max_bytes: number
  timeout_ms: number
  /** The origin of a host; https on its usual port by default. */
  origin?: (host: string) => string
}

const SCHEMA = 'http://schemas.microsoft.com/exchange/autodiscover/outlook'

/** Asks the domain's own hosts over https, and never a third party: the user's domain is nobody else's business. */
export function createMailConfig({
  max_bytes,
  timeout_ms,
  origin = (host) => `https://${host}`,
  ...outbound
}: Options): MailConfig {
  const get = async (url: string) => {
    const answer = await download({ url, max_bytes, timeout_ms }, outbound)
    return answer.ok ? answer.bytes.toString('utf8') : null
  }
  const post = async (url: string, body: string) => {
    const headers = { 'content-type': 'text/xml; charset=utf-8', 'user-agent': 'Opener' }
    const answer = await postOutbound({ url, headers, body, timeout_ms, max_bytes }, outbound)
    return answer.status === 200 ? answer.response : null
  }
  return {
    async autoconfig(address) {
      const domain = domainPart(address)
      const query = `emailaddress=${encodeURIComponent(address)}`
      const [own, known] = await Promise.all([
        get(`${origin(`autoconfig.${domain}`)}/mail/config-v1.1.xml?${query}`),
        get(`${origin(domain)}/.well-known/autoconfig/mail/config-v1.1.xml?${query}`),
      ])
      return [own, known].find(isDocument) ?? null
    },
    async autodiscover(address) {
      const domain = domainPart(address)
      const body = `<?xml version="1.0" encoding="utf-8"?><Autodiscover xmlns="${SCHEMA}/requestschema/2006"><Request><EMailAddress>${escapeXml(address)}</EMailAddress><AcceptableResponseSchema>${SCHEMA}/responseschema/2006a</AcceptableResponseSchema></Request></Autodiscover>`
      const [own, known] = await Promise.all([
        post(`${origin(`autodiscover.${domain}`)}/autodiscover/autodiscover.xml`, body),
        post(`${origin(domain)}/autodiscover/autodiscover.xml`, body),
      ])
      return [own, known].find(isDocument) ?? null
    },
  }
}

const domainPart = (address: string) => address.slice(address.lastIndexOf('@') + 1)
const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Many sites answer any request with a page. */
const isDocument = (text: string | null): text is string =>
  text !== null && /<(?:clientConfig|Autodiscover)[\s>]/.test(text)
