import { db, pool } from '#lib/db/client'
import type { DnsProvider } from '#lib/providers/dns/port'
import { checkDomain } from '#lib/services/domains/check'
import { dnsProvider } from '#lib/services/senders/discovery/dns-provider'

/** Domains per turn, and how many are checked at once; each check makes a handful of DNS queries. */
const BATCH = 50
const CONCURRENCY = 4
/** A domain claimed by a worker that died is checked again after this. */
const LEASE_MS = 15 * 60_000

/** Checks every domain that is due. Two workers never take the same one. */
export async function checkDueDomains(
  now: Date,
  dns: DnsProvider = dnsProvider(),
): Promise<{ checked: number }> {
  const { rows } = await pool().query<{ domain_id: string }>(
    `UPDATE mail_domains SET next_check_at = $2 WHERE domain_id IN (
       SELECT domain_id FROM mail_domains WHERE next_check_at <= $1
       ORDER BY next_check_at LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING domain_id`,
    [now, new Date(now.getTime() + LEASE_MS)],
  )
  const next = rows.values()
  const faults: unknown[] = []
  const worker = async () => {
    for (const { domain_id } of next) {
      const row = await db.mailDomain.findUnique({ where: { domain_id }, include: { keys: true } })
      if (row) await checkDomain(row, dns, now).catch((fault: unknown) => faults.push(fault))
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  // A failed write does not hold up the other domains.
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} domains could not be checked`)
  return { checked: rows.length }
}
