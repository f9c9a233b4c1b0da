import { type DomainReading, readDomain } from '#lib/domain/domains/domain-name'
import { companyDomain } from '#lib/domain/inbox/company-domain'

/**
 * The DNS record with which a domain's owner confirms a workspace's claim; under its own label, so that the domain's other TXT
 * records stay untouched.
 */
export const proofRecord = ({ domain, token }: { domain: string; token: string }) => ({
  type: 'TXT' as const,
  name: `_opener-challenge.${domain}`,
  value: `opener-domain-verification=${token}`,
})

/** A domain as people type it. Refuses domains that do not belong to a single organisation. */
export function readSignInDomain(text: string): DomainReading {
  const read = readDomain(text)
  if (read.ok) return read
  const typed = text.trim().replace(/\.$/, '').toLowerCase()
  if (/^[a-z0-9.-]+\.[a-z]+$/.test(typed) && companyDomain(`x@${typed}`) === null)
    return { ok: false, problem: 'belongs to a mail provider, where anybody can get an address' }
  return read
}

/** The domain of an address as used in a claim; null if it cannot be claimed. */
export function claimableDomain(address: string): string | null {
  // A quoted local part may contain an @, so such an address is not accepted for a claimed domain.
  const [local, host, ...more] = address.split('@', 3)
  if (!local || !host || more.length > 0 || /\s/.test(address)) return null
  const read = readSignInDomain(host)
  return read.ok ? read.domain : null
}

const RECHECK_MS = 24 * 3_600_000

/** Whether the record must be checked again before somebody joins by it. */
export const isProofOld = (checkedAt: Date | null, now: Date): boolean =>
  checkedAt === null || now.getTime() - checkedAt.getTime() >= RECHECK_MS
