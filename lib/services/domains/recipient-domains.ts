import { db, pool } from '#lib/db/client'
import {
  isReserved,
  KNOWN_RECIPIENTS,
  providerByMx,
  type RecipientProvider,
} from '#lib/domain/domains/recipient-provider'
import type { DnsProvider } from '#lib/providers/dns/port'
import { dnsProvider } from '#lib/services/senders/discovery/dns-provider'

/** Domains per round, and how many are looked up at once. */
const ROUND = 100
const CONCURRENCY = 8
const DAY_MS = 86_400_000
/** How long a result is kept before the next lookup; failed lookups are repeated sooner. */
const FRESH_MS = 30 * DAY_MS
const AGAIN_MS = DAY_MS / 4

/**
 * Finds out by MX which provider receives mail for companies' domains, a round at a time. A domain that DNS does not answer for keeps its
 * earlier result.
 */
export async function findRecipientDomains(
  now: Date,
  dns: DnsProvider = dnsProvider(),
): Promise<{ goes_on: boolean; asked: number }> {
  await keepKnown()
  const { rows } = await pool().query<{ domain: string }>(
    `SELECT domain FROM (
       SELECT DISTINCT c.domain FROM companies c
       WHERE NOT EXISTS (SELECT 1 FROM recipient_domains r WHERE r.domain = c.domain) LIMIT ${ROUND}) unknown
     UNION ALL
     (SELECT domain FROM recipient_domains
      WHERE checked_at < CASE WHEN provider IS NULL THEN $1::timestamptz ELSE $2::timestamptz END
      ORDER BY checked_at LIMIT ${ROUND}) LIMIT ${ROUND}`,
    [new Date(now.getTime() - AGAIN_MS), new Date(now.getTime() - FRESH_MS)],
  )
  const next = rows.values()
  const worker = async () => {
    for (const { domain } of next) await keepDomain(domain, await ask(dns, domain), now)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return { goes_on: rows.length === ROUND, asked: rows.length }
}

/** Null if DNS did not answer. */
async function ask(dns: DnsProvider, domain: string): Promise<RecipientProvider | null> {
  if (isReserved(domain)) return 'other'
  const answer = await dns.mx(domain)
  if (answer.outcome === 'failed') return null
  return answer.outcome === 'found' ? providerByMx(answer.records) : 'other'
}

async function keepDomain(
  domain: string,
  provider: RecipientProvider | null,
  checked_at: Date,
): Promise<void> {
  await db.recipientDomain.upsert({
    where: { domain },
    create: { domain, provider, checked_at },
    update: { checked_at, ...(provider && { provider }) },
  })
}

/** The providers' own domains are known beforehand and belong to no company. */
async function keepKnown(): Promise<void> {
  const known = Object.entries(KNOWN_RECIPIENTS).flatMap(([provider, domains]) =>
    domains.map((domain) => ({ domain, provider })),
  )
  await pool().query(
    `INSERT INTO recipient_domains (domain, provider)
     SELECT k.domain, k.provider::"RecipientProvider" FROM unnest($1::text[], $2::text[]) k (domain, provider)
     WHERE NOT EXISTS (SELECT 1 FROM recipient_domains r WHERE r.domain = k.domain)
     ON CONFLICT DO NOTHING`,
    [known.map(({ domain }) => domain), known.map(({ provider }) => provider)],
  )
}
