import { dayInWords } from '#lib/domain/calendar/day-words'
import type { DmarcPolicy } from '#lib/domain/domains/dmarc'
import { parseTags } from '#lib/domain/domains/txt'

/** Checks that no provider requires of senders, but that are worth knowing. */
export const FURTHER_CHECKS = [
  'mta_sts',
  'tls_rpt',
  'bimi',
  'blocklist_domain',
  'blocklist_servers',
  'tracking_certificate',
] as const
export type FurtherCheckId = (typeof FURTHER_CHECKS)[number]

/** `absent`: not set up, which is no error. `unknown`: the check had no result. */
export const FURTHER_STATES = ['ok', 'absent', 'problem', 'unknown'] as const
export type FurtherFinding = { state: (typeof FURTHER_STATES)[number]; detail: string }
export type FurtherCheck = FurtherFinding & { id: FurtherCheckId }

const ok = (detail: string): FurtherFinding => ({ state: 'ok', detail })
const absent = (detail: string): FurtherFinding => ({ state: 'absent', detail })
const problem = (detail: string): FurtherFinding => ({ state: 'problem', detail })
export const unknownFinding = (detail: string): FurtherFinding => ({ state: 'unknown', detail })

const withVersion = (txts: readonly string[], version: string) =>
  txts.filter((txt) => {
    const text = txt.trim()
    const rest = text.slice(version.length + 2).trimStart()
    return text.startsWith(`v=${version}`) && (rest === '' || rest.startsWith(';'))
  })

export const isMtaSts = (txt: string) => withVersion([txt], 'STSv1').length > 0

export type PolicyFile = { text: string } | { error: string }

/** RFC 8461: a record, and a file that names the servers that accept the domain's mail, with encryption. */
export function checkMtaSts(
  txts: readonly string[],
  file: PolicyFile | null,
  mx: readonly string[],
): FurtherFinding {
  const records = withVersion(txts, 'STSv1')
  const [record] = records
  if (!record) return absent('Mail to this domain may be delivered unencrypted.')
  if (records.length > 1) return problem('There are several records at _mta-sts. That counts as none.')
  if (!/^[a-z0-9]{1,32}$/i.test(parseTags(record)?.get('id') ?? ''))
    return problem('Its record has no id= of letters and digits.')
  if (!file) return unknownFinding('Its policy was not read.')
  if ('error' in file) return problem(`Its policy cannot be read: ${file.error}`)
  return judgePolicy(file.text, mx)
}

function judgePolicy(text: string, mx: readonly string[]): FurtherFinding {
  const lines = text.slice(0, 64 * 1024).split(/\r?\n/)
  const values = (key: string) =>
    lines.flatMap((line) => {
      const colon = line.indexOf(':')
      return colon > 0 && line.slice(0, colon).trim().toLowerCase() === key
        ? [line.slice(colon + 1).trim()]
        : []
    })
  const [mode = ''] = values('mode')
  if (values('version')[0] !== 'STSv1') return problem('Its policy does not begin with version: STSv1.')
  if (!['enforce', 'testing', 'none'].includes(mode))
    return problem('Its mode is not enforce, testing or none.')
  if (!/^\d{1,10}$/.test(values('max_age')[0] ?? '')) return problem('Its policy has no max_age.')
  const patterns = values('mx').map((pattern) => pattern.toLowerCase().replace(/\.$/, ''))
  const left = mx.filter((host) => !patterns.some((pattern) => matchesMx(pattern, host)))
  if (mode !== 'none' && left.length > 0)
    return problem(`Its policy leaves out ${left.join(', ')}. Mail to them is refused in enforce mode.`)
  if (mode === 'enforce') return ok('Mail to this domain is delivered encrypted or not at all.')
  return ok(mode === 'testing' ? 'It is in testing mode: failures are only reported.' : 'It is switched off.')
}

/** `*.` stands for one label. */
const matchesMx = (pattern: string, host: string) =>
  pattern === host || (pattern.startsWith('*.') && host.slice(host.indexOf('.')) === pattern.slice(1))

/** RFC 8460. */
export function checkTlsRpt(txts: readonly string[]): FurtherFinding {
  const records = withVersion(txts, 'TLSRPTv1')
  const [record] = records
  if (!record) return absent('Nobody tells you when mail to this domain cannot be encrypted.')
  if (records.length > 1) return problem('There are several records at _smtp._tls. That counts as none.')
  const rua = parseTags(record)?.get('rua') ?? ''
  const places = rua.split(',').map((place) => place.trim())
  if (!places.every((place) => /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/i.test(place)))
    return problem('Its rua= names no mailto: or https: address.')
  return ok(`Reports go to ${rua}.`)
}

/** Receivers show a logo only if DMARC is enforced. */
export function checkBimi(txts: readonly string[], policy: DmarcPolicy | null): FurtherFinding {
  const records = withVersion(txts, 'BIMI1')
  const [record] = records
  if (!record) return absent('No logo is shown next to its emails.')
  const tags = parseTags(record)
  const [logo = '', proof = ''] = [tags?.get('l'), tags?.get('a')]
  if (records.length > 1 || !tags) return problem('There is no single readable record at default._bimi.')
  if (logo === '' && proof === '') return absent('Its record asks for no logo.')
  if (!isSvg(logo)) return problem('Its l= is not the https address of an SVG.')
  if (policy !== 'quarantine' && policy !== 'reject')
    return problem('No logo is shown while the DMARC policy is none. It must be quarantine or reject.')
  return proof === ''
    ? ok('It names a logo. Gmail and Apple want a certificate for it too (a=).')
    : ok('It names a logo and its certificate.')
}

const isSvg = (address: string) =>
  /^https:\/\/\S+$/i.test(address) && /\.svg$/i.test(address.split('?')[0] ?? '')

/** The name to look up in a blocklist: reversed octets or nibbles (RFC 5782). Null if it is not an IP address. */
export function listedName(address: string, zone: string): string | null {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return `${address.split('.').reverse().join('.')}.${zone}`
  const nibbles = /^[\da-f:]{2,39}$/i.test(address) ? expandIPv6(address) : null
  return nibbles && `${[...nibbles].reverse().join('.')}.${zone}`
}

function expandIPv6(address: string): string | null {
  const [head = '', tail, another] = address.toLowerCase().split('::')
  if (another !== undefined) return null
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [before, after] = [groups(head), groups(tail ?? '')]
  const missing = tail === undefined ? 0 : 8 - before.length - after.length
  const all = [...before, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...after]
  return all.length === 8 ? all.map((group) => group.padStart(4, '0')).join('') : null
}

/** One blocklist's answer about one name. */
export type Listing = { what: string; zone: string; answers: readonly string[] | null }

/**
 * A blocklist answers within 127.0.0.0/8 for listed names, and within 127.255.255.0/24 if it refuses to answer this resolver, as
 * many do for public ones. Any other address was made up by a resolver.
 */
export function checkListings(listings: readonly Listing[]): FurtherFinding {
  if (listings.length === 0) return unknownFinding('There is nothing to check against blocklists.')
  const isOn = (answer: string) => answer.startsWith('127.') && !answer.startsWith('127.255.255.')
  const on = listings.filter(({ answers }) => answers?.some(isOn))
  if (on.length > 0)
    return problem(`On a list: ${on.map(({ what, zone }) => `${what} (${zone})`).join(', ')}.`)
  const silent = listings.filter(({ answers }) => answers === null || answers.length > 0)
  const zones = (of: readonly Listing[]) => [...new Set(of.map(({ zone }) => zone))].join(', ')
  if (silent.length === listings.length)
    return unknownFinding(`${zones(silent)} did not answer this resolver.`)
  return silent.length > 0
    ? ok(`Not on any list that answered. ${zones(silent)} did not answer this resolver.`)
    : ok(`On none of ${zones(listings)}.`)
}

/** The certificate that a server presented for a name, or why there was none. */
export type CertificateSeen = { valid_to: Date } | { error: string; is_reachable: boolean }

const SOON_MS = 14 * 86_400_000

export function checkCertificate(host: string, seen: CertificateSeen, now: Date): FurtherFinding {
  if ('error' in seen)
    return seen.is_reachable
      ? problem(`Browsers refuse ${host}: ${seen.error}`)
      : unknownFinding(`${host} could not be reached: ${seen.error}`)
  const date = dayInWords('UTC', seen.valid_to.getTime())
  return seen.valid_to.getTime() - now.getTime() < SOON_MS
    ? problem(`The certificate of ${host} expires on ${date} and was not renewed.`)
    : ok(`The certificate of ${host} is valid until ${date}.`)
}
