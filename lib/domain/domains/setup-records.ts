import { dkimHost, dkimRecord } from '#lib/domain/domains/dkim-record'
import { FIRST_DMARC, isDmarc } from '#lib/domain/domains/dmarc'
import { findMailHost } from '#lib/domain/domains/mail-hosts'
import type { Checks, Purpose, RecordCheck, RecordFinding } from '#lib/domain/domains/record-check'
import { isSpf, mergeSpf } from '#lib/domain/domains/spf'
import { txtStrings, zoneFileTxt } from '#lib/domain/domains/txt'

export const RECORD_PURPOSES = ['spf', 'dkim', 'dmarc', 'mx', 'tracking', 'reports', 'return_path'] as const
export const RECORD_TYPES = ['TXT', 'MX', 'CNAME'] as const

export type SetupRecord = {
  purpose: (typeof RECORD_PURPOSES)[number]
  type: (typeof RECORD_TYPES)[number]
  host: string
  /** Empty if this instance has nothing to point to. */
  value: string
  ttl_seconds: number
  /** Counts for `ready` and for the domain's status. */
  required: boolean
  status: RecordFinding['status']
  found: string[]
  /** A TXT value split into strings, for DNS editors that do not split it themselves; empty for other types. */
  strings: string[]
  /** The whole record as a line of a zone file. */
  zone_line: string
  note: string | null
  checked_at: string | null
  failure: string | null
}

export type SetupInput = {
  domain: string
  checks: Checks
  /** The signing key, and its successor during a rotation. */
  key: { selector: string; public_key: string }
  next_key: { selector: string; public_key: string } | null
  /** SPF mechanisms required for the servers of this domain's mailboxes. */
  spf_needed: string[]
  /** The names of those servers, without those on this machine. */
  smtp_hosts: string[]
  tracking_host: string | null
  bounce_host: string | null
  bounce_address: boolean
}

const TTL_SECONDS = 3600
/** Required for `verified`; those of the bounce address only if it is enabled. */
export const REQUIRED: readonly Purpose[] = ['spf', 'dkim', 'dmarc', 'mx']
export const requiredPurposes = (bounce_address: boolean): readonly Purpose[] =>
  bounce_address ? [...REQUIRED, 'return_path_mx', 'return_path_spf'] : REQUIRED

export const trackingName = (domain: string) => `track.${domain}`
/** The host on which clients open report links of the domain's workspace. */
export const reportsName = (domain: string) => `reports.${domain}`
export const bounceName = (domain: string) => `bounce.${domain}`
/** A server that may send for the domain may send for its bounce address: the record refers to the domain's own. */
export const bounceSpf = (domain: string) => `v=spf1 redirect=${domain}`

/** Every record to publish, with its current state. */
export function setupRecords(input: SetupInput): SetupRecord[] {
  const { domain, checks, key, next_key, tracking_host, bounce_host, bounce_address } = input
  const dkim = (which: typeof key, purpose: 'dkim' | 'dkim_next') =>
    record(
      purpose,
      'dkim',
      'TXT',
      dkimHost(which.selector, domain),
      dkimRecord(which.public_key),
      checks[purpose],
    )
  const unset = (name: string, what: string) =>
    `This instance has no ${name}, so there is nothing to point to: ${what}`
  return [
    spfRecord(input),
    dkim(key, 'dkim'),
    ...(next_key ? [dkim(next_key, 'dkim_next')] : []),
    record('dmarc', 'dmarc', 'TXT', `_dmarc.${domain}`, dmarcValue(checks.dmarc), checks.dmarc),
    record('mx', 'mx', 'MX', domain, mxValue(input), checks.mx),
    record(
      'return_path_mx',
      'return_path',
      'MX',
      bounceName(domain),
      bounce_host ? `10 ${bounce_host}` : '',
      checks.return_path_mx,
      bounce_address,
      bounce_host ? null : unset('BOUNCE_HOST', 'bounces come to the mailbox itself.'),
    ),
    record(
      'return_path_spf',
      'return_path',
      'TXT',
      bounceName(domain),
      bounce_host ? bounceSpf(domain) : '',
      checks.return_path_spf,
      bounce_address,
      bounce_host ? null : unset('BOUNCE_HOST', 'bounces come to the mailbox itself.'),
    ),
    record(
      'tracking',
      'tracking',
      'CNAME',
      trackingName(domain),
      tracking_host ?? '',
      checks.tracking,
      false,
      tracking_host ? null : unset('TRACKING_HOST', 'tracked links point to the instance itself.'),
    ),
    record(
      'reports',
      'reports',
      'CNAME',
      reportsName(domain),
      tracking_host ?? '',
      checks.reports,
      false,
      tracking_host ? null : unset('TRACKING_HOST', 'report links point to the instance itself.'),
    ),
  ]
}

function record(
  purpose: Purpose,
  shown: SetupRecord['purpose'],
  type: SetupRecord['type'],
  host: string,
  value: string,
  check: RecordCheck | undefined,
  required = REQUIRED.includes(purpose),
  note: string | null = null,
): SetupRecord {
  const strings = type === 'TXT' && value !== '' ? txtStrings(value) : []
  const data = type === 'TXT' ? zoneFileTxt(value) : `${value}.`
  return {
    purpose: shown,
    type,
    host,
    value,
    ttl_seconds: TTL_SECONDS,
    required,
    status: check?.status ?? 'missing',
    found: check?.found ?? [],
    strings,
    zone_line: value === '' ? '' : `${host}. ${TTL_SECONDS} IN ${type} ${data}`,
    note: note ?? check?.note ?? null,
    checked_at: check?.checked_at ?? null,
    failure: check?.failure ?? null,
  }
}

/** Never a second record: the existing one with the required mechanisms added, or unchanged if none is missing. */
function spfRecord({ domain, checks, spf_needed }: SetupInput): SetupRecord {
  const check = checks.spf
  const existing = (check?.found ?? []).filter(isSpf)
  const [only] = existing
  const value = check?.status === 'found' && only ? only : mergeSpf(existing, needed(existing, spf_needed))
  const made = record('spf', 'spf', 'TXT', domain, value, check)
  if (!check?.checked_at)
    return {
      ...made,
      note: 'DNS has not answered yet. If the domain has an SPF record already, do not add a second: wait for the next check.',
    }
  const replaces =
    existing.length > 0 && check.status !== 'found' ? ' Replace the existing value with this one.' : ''
  return { ...made, note: `${made.note ?? ''}${replaces}`.trim() || null }
}

/** A domain without mailboxes and without an SPF record permits its own mail servers. */
const needed = (existing: string[], wanted: string[]) =>
  wanted.length > 0 ? wanted : existing.length > 0 ? [] : ['mx']

function dmarcValue(check: RecordCheck | undefined): string {
  const [existing] = (check?.found ?? []).filter(isDmarc)
  return check?.status === 'found' && existing ? existing : FIRST_DMARC
}

function mxValue({ domain, checks, smtp_hosts }: SetupInput): string {
  const [existing] = checks.mx?.status === 'found' ? checks.mx.found : []
  if (existing) return existing
  for (const host of smtp_hosts) {
    const mx = findMailHost(host)?.mx?.(domain)
    if (mx) return mx
  }
  return `10 mail.${domain}`
}

/** The next steps, in words. */
export function setupInstructions(records: SetupRecord[], domain: string): string {
  const open = records.filter((one) => one.required && one.status !== 'found')
  if (open.length === 0)
    return `Everything that ${domain} needs is published. It is checked once a day. Keep the records as they are.`
  const names = open.map((one) => `${one.type} ${one.host}`).join(', ')
  const editor =
    'If your DNS editor adds the domain to names automatically, leave it out of the host. A TXT value longer than 255 characters is entered as several strings. Most editors do that automatically.'
  return `Publish or correct: ${names}. ${editor} Changes appear within minutes to hours. The domain is checked again automatically, often in the first hour.`
}
