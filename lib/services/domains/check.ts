import { db } from '#lib/db/client'
import { storableJson } from '#lib/db/json'
import {
  afterCheck,
  type CheckResult,
  type DomainState,
  nextCheckAt,
} from '#lib/domain/domains/domain-status'
import { type Checks, PURPOSES, type Purpose, recordedCheck } from '#lib/domain/domains/record-check'
import { requiredPurposes } from '#lib/domain/domains/setup-records'
import { env } from '#lib/env'
import type { DnsProvider } from '#lib/providers/dns/port'
import { type Facts, type Looked, lookUp } from '#lib/services/domains/dns-lookups'
import { runFurtherChecks } from '#lib/services/domains/further-lookups'
import {
  type DomainRow,
  domainChecks,
  domainKeys,
  domainMailboxes,
  smtpServers,
} from '#lib/services/domains/row'

/** The record of a retired key must stay published for mail still on its way: queues keep mail for five days. */
export const RETIRED_MS = 7 * 86_400_000

type Looks = Partial<Record<Purpose, Looked>>

/**
 * Looks up the records of a domain in DNS and stores the result. The lookups happen outside the transaction; results about a key that was
 * replaced meanwhile are dropped. Null if the domain was removed meanwhile.
 */
export async function checkDomain(row: DomainRow, dns: DnsProvider, now: Date): Promise<DomainRow | null> {
  const { TRACKING_HOST: tracking_host = null, BOUNCE_HOST: bounce_host = null } = env()
  const asked = domainKeys(row)
  const servers = smtpServers(await domainMailboxes(row))
  const wanted = { domain: row.domain, ...asked, servers, tracking_host, bounce_host }
  const { looked, servers: facing } = await lookUp(dns, wanted)
  const further = await runFurtherChecks(dns, { domain: row.domain, servers, looked, now })
  const facts: Facts = { servers: facing, further }

  return db.$transaction(async (tx) => {
    const locked = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM mail_domains WHERE domain_id = ${row.domain_id}::uuid FOR NO KEY UPDATE`
    if (locked.length === 0) return null
    const where = { domain_id: row.domain_id }
    const before = await tx.mailDomain.findUniqueOrThrow({ where, include: { keys: true } })
    const current = domainKeys(before)
    if (current.key.key_id !== asked.key.key_id) looked.dkim = undefined
    if (current.next_key?.key_id !== asked.next_key?.key_id) looked.dkim_next = undefined
    const checks = mergedChecks(domainChecks(before), looked, now)
    const looksForKey = await moveKeys(tx, before, checks, looked, now)
    const state = afterCheck(toState(before), toResult(before, looked, checks), now.getTime())
    return tx.mailDomain.update({
      where,
      data: {
        ...toColumns(state),
        checks: storableJson(checks),
        facts: storableJson(facts),
        checked_at: now,
        next_check_at: new Date(nextCheckAt(state, looksForKey, now.getTime())),
      },
      include: { keys: true },
    })
  })
}

function mergedChecks(before: Checks, looked: Looks, now: Date): Checks {
  const checks: Checks = {}
  for (const purpose of PURPOSES) {
    const one = looked[purpose]
    const known = one ? recordedCheck(before[purpose], one, now.toISOString()) : before[purpose]
    if (known) checks[purpose] = known
  }
  return checks
}

type Tx = Parameters<Parameters<typeof db.$transaction>[0]>[0]

/** Activates the next key once its record is found; the previous one is retired and kept for a while. Returns whether a key still waits. */
async function moveKeys(
  tx: Tx,
  before: DomainRow,
  checks: Checks,
  looked: Looks,
  now: Date,
): Promise<boolean> {
  const { key, next_key } = domainKeys(before)
  await tx.domainKey.deleteMany({
    where: {
      domain_id: before.domain_id,
      state: 'retired',
      retired_at: { lt: new Date(now.getTime() - RETIRED_MS) },
    },
  })
  if (next_key && isFound(looked.dkim_next)) {
    await tx.domainKey.update({
      where: { key_id: key.key_id },
      data: { state: 'retired', retired_at: now, private_key: null },
    })
    await tx.domainKey.update({
      where: { key_id: next_key.key_id },
      data: { state: 'signing', found_at: now },
    })
    checks.dkim = checks.dkim_next
    looked.dkim = looked.dkim_next
    delete checks.dkim_next
    return false
  }
  // A DNS failure does not count as a missing record: the record may well be there.
  if (looked.dkim && 'answer' in looked.dkim)
    await tx.domainKey.update({
      where: { key_id: key.key_id },
      data: { found_at: isFound(looked.dkim) ? (key.found_at ?? now) : null },
    })
  return next_key !== null
}

const isFound = (looked: Looked | undefined) =>
  looked !== undefined && 'answer' in looked && looked.answer.status === 'found'

/** A required record that is certainly missing outweighs one that could not be looked up. */
function toResult(row: DomainRow, looked: Looks, checks: Checks): CheckResult {
  const required = requiredPurposes(row.bounce_address)
  const sure = required.filter((purpose) => looked[purpose] && 'answer' in looked[purpose])
  if (sure.some((purpose) => checks[purpose]?.status !== 'found')) return 'incomplete'
  return sure.length === required.length ? 'complete' : 'unanswered'
}

function toState(row: DomainRow): DomainState {
  return {
    status: row.status,
    verified_at: row.verified_at?.getTime() ?? null,
    failing_since: row.failing_since?.getTime() ?? null,
    looked_for_since: row.looked_for_since.getTime(),
    unanswered: row.unanswered,
  }
}

function toColumns({ status, verified_at, failing_since, unanswered }: DomainState) {
  const toDate = (at: number | null) => (at === null ? null : new Date(at))
  return { status, unanswered, verified_at: toDate(verified_at), failing_since: toDate(failing_since) }
}
