import { finding, type RecordFinding } from '#lib/domain/domains/record-check'
import { parseTags } from '#lib/domain/domains/txt'

/** The recommended first record: it changes nothing for mail from other senders. */
export const FIRST_DMARC = 'v=DMARC1; p=none'

export type DmarcPolicy = 'none' | 'quarantine' | 'reject'

/** RFC 7489 section 6.3: the version comes first and is written exactly so. */
export const isDmarc = (txt: string) => /^v=DMARC1\s*(;|$)/.test(txt.trim())

export function dmarcPolicy(record: string): DmarcPolicy | null {
  const policy = parseTags(record)?.get('p')?.toLowerCase()
  return policy === 'none' || policy === 'quarantine' || policy === 'reject' ? policy : null
}

/** `strict` requires equal domains, `relaxed` the same registered domain. */
export function dmarcAlignment(record: string): { spf: 'strict' | 'relaxed'; dkim: 'strict' | 'relaxed' } {
  const tags = parseTags(record)
  const mode = (tag: string) => (tags?.get(tag)?.toLowerCase() === 's' ? 'strict' : 'relaxed')
  return { spf: mode('aspf'), dkim: mode('adkim') }
}

/** `inherited_from` is the registered domain whose record applies to a subdomain without one. */
export function checkDmarc(txts: string[], inherited_from: string | null = null): RecordFinding {
  const records = txts.filter(isDmarc)
  const [record] = records
  if (!record) return finding(txts.length > 0 ? 'mismatch' : 'missing', txts, noDmarc(txts))
  if (records.length > 1)
    return finding('mismatch', records, 'There are several DMARC records. Receivers treat that as none.')
  const policy = dmarcPolicy(record)
  if (!policy)
    return finding(
      'mismatch',
      records,
      'Its policy p= must be none, quarantine or reject, and no tag may be repeated.',
    )
  const whose = inherited_from ? `The record on ${inherited_from} applies here. ` : ''
  const said =
    policy === 'none'
      ? 'The policy is none, so mail that fails is still delivered. Move to quarantine once reports show that all your mail passes.'
      : `The policy is ${policy}.`
  return finding('found', records, whose + said)
}

const noDmarc = (txts: string[]) =>
  txts.length > 0 ? 'This is not a DMARC record. It must start with v=DMARC1;' : null
