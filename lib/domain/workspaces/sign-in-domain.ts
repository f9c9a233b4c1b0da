import { type DomainReading, readDomain } from '#lib/domain/domains/domain-name'
import { companyDomain } from '#lib/domain/inbox/company-domain'

/** Where a domain's owner says that it is a workspace's; a label of its own leaves the domain's other texts alone. */
export const proofRecord = ({ domain, token }: { domain: string; token: string }) => ({
  type: 'TXT' as const,
  name: `_opener-challenge.${domain}`,
  value: `opener-domain-verification=${token}`,
})

/** A domain as people type it. Refused is what does not stand for one organisation. */
export function readSignInDomain(text: string): DomainReading {
  const read = readDomain(text)
  if (read.ok) return read
  const typed = text.trim().replace(/\.$/, '').toLowerCase()
  if (/^[a-z0-9.-]+\.[a-z]+$/.test(typed) && companyDomain(`x@${typed}`) === null)
    return { ok: false, problem: 'belongs to a mail provider, where anybody can get an address' }
  return read
}

/** The domain of an address as a claim names it; null where it has none that could be claimed. */
export function claimableDomain(address: string): string | null {
  // Quoted local parts may hold an @; whoever claims a domain by such an address is not let in by it.
  const [local, host, ...more] = address.split('@', 3)
  if (!local || !host || more.length > 0 || /\s/.test(address)) return null
  const read = readSignInDomain(host)
  return read.ok ? read.domain : null
}

const RECHECK_MS = 24 * 3_600_000

/** Whether the record is looked for again before somebody joins by it. */
export const isProofOld = (checkedAt: Date | null, now: Date): boolean =>
  checkedAt === null || now.getTime() - checkedAt.getTime() >= RECHECK_MS
