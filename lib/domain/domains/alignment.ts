import { dmarcAlignment } from '#lib/domain/domains/dmarc'
import { organizationalDomain } from '#lib/domain/domains/domain-name'

export type Alignment = {
  /** Whether SPF authenticates the visible domain: the envelope sender's domain matches that of From. */
  spf: boolean
  /** Whether the mail is signed for that domain. */
  dkim: boolean
  /** Whether DMARC passes: one of both is enough. */
  dmarc: boolean
  reason: string
}

export type AlignmentInput = {
  from_domain: string
  /** The domain of MAIL FROM: the mailbox's own, or that of the bounce address. */
  envelope_domain: string
  spf_found: boolean
  /** `d=` of our signature; null if we do not sign the mail. */
  signing_domain: string | null
  /** The DMARC record that applies, or null. */
  dmarc_record: string | null
}

const matches = (one: string, other: string, mode: 'strict' | 'relaxed') =>
  one === other || (mode === 'relaxed' && organizationalDomain(one) === organizationalDomain(other))

/** RFC 7489 section 3.1: whether a receiver will find the mail aligned, as far as DNS and our settings show. */
export function checkAlignment(input: AlignmentInput): Alignment {
  const mode = dmarcAlignment(input.dmarc_record ?? '')
  const spf = input.spf_found && matches(input.envelope_domain, input.from_domain, mode.spf)
  const dkim = input.signing_domain !== null && matches(input.signing_domain, input.from_domain, mode.dkim)
  const by = [...(dkim ? ['DKIM'] : []), ...(spf ? ['SPF'] : [])].join(' and ')
  return { spf, dkim, dmarc: spf || dkim, reason: by ? `Aligned by ${by}.` : whyNot(input) }
}

function whyNot({ spf_found, signing_domain, from_domain }: AlignmentInput): string {
  if (signing_domain === null && !spf_found)
    return `Neither SPF nor DKIM covers ${from_domain}. Publish its records.`
  return `SPF and DKIM cover other domains, not ${from_domain}.`
}
