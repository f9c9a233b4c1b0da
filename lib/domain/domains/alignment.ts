import { dmarcAlignment } from '#lib/domain/domains/dmarc'
import { organizationalDomain } from '#lib/domain/domains/domain-name'

export type Alignment = {
  /** Whether SPF speaks for the domain people see: the envelope sender's domain matches that of From. */
  spf: boolean
  /** Whether the mail is signed in the name of that domain. */
  dkim: boolean
  /** One of both is enough for DMARC. */
  dmarc: boolean
  reason: string
}

export type AlignmentInput = {
  from_domain: string
  /** Of MAIL FROM: the mailbox's own, or the bounce address's. */
  envelope_domain: string
  spf_found: boolean
  /** `d=` of our signature; null where the mail is not signed by us. */
  signing_domain: string | null
  /** The DMARC record that counts, or null. */
  dmarc_record: string | null
}

const matches = (one: string, other: string, mode: 'strict' | 'relaxed') =>
  one === other || (mode === 'relaxed' && organizationalDomain(one) === organizationalDomain(other))

/** RFC 7489 section 3.1. Whether a receiver will find the mail aligned, as far as DNS and we know. */
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
