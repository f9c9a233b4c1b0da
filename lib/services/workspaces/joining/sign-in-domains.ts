import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import {
  type CreateSignInDomain,
  type ListSignInDomains,
  SignInDomain,
  type UpdateSignInDomain,
} from '#lib/contracts/workspaces/sign-in-domains'
import { db } from '#lib/db/client'
import type { SignInDomainModel } from '#lib/db/generated/models'
import { rowsOfPage } from '#lib/db/page'
import { asRecord } from '#lib/domain/text/record'
import { proofRecord, readSignInDomain } from '#lib/domain/workspaces/sign-in-domain'
import { AppError, invalid } from '#lib/errors'
import type { DnsProvider } from '#lib/providers/dns/port'
import { takeToken } from '#lib/services/instance/rate-limits'
import { type Here, requireHere, takeTurn } from '#lib/services/instance/turn'
import { edit } from '#lib/services/instance/versioned-edit'

const MAX_DOMAINS = 20
/** Limits DNS checks, since people press the button repeatedly while a record propagates. */
const CHECKS_PER_MINUTE = 6

type Key = { workspace_id: string; sign_in_domain_id: string }

const shown = (row: SignInDomainModel) => ({ ...row, record: proofRecord(row) })

async function findRow({ workspace_id, sign_in_domain_id }: Key): Promise<SignInDomainModel> {
  const row = await db.signInDomain.findUnique({ where: { workspace_id, sign_in_domain_id } })
  if (!row) throw new AppError('sign_in_domain_not_found')
  return row
}

export async function listSignInDomains(
  user: Here,
  workspaceId: string,
  { page, page_size }: z.output<typeof ListSignInDomains.query>,
) {
  requireHere(user, workspaceId)
  const where = { workspace_id: workspaceId }
  const [rows, total] = await Promise.all([
    db.signInDomain.findMany({
      where,
      orderBy: [{ created_at: 'asc' }, { sign_in_domain_id: 'asc' }],
      ...rowsOfPage({ page, page_size }),
    }),
    db.signInDomain.count({ where }),
  ])
  return { items: rows.map(shown), total, page, page_size }
}

/** Several workspaces may add the same domain; the owner of its DNS decides by the record which one gets it. */
export async function createSignInDomain(
  user: Here,
  workspaceId: string,
  body: z.output<typeof CreateSignInDomain.body>,
  now: Date,
) {
  requireHere(user, workspaceId)
  const read = readSignInDomain(body.domain)
  if (!read.ok) throw invalid(['body', 'domain'], read.problem)
  const { domain } = read
  const row = await db.$transaction(async (tx) => {
    await takeTurn(tx, workspaceId)
    const where = { workspace_id: workspaceId }
    if (await tx.signInDomain.findFirst({ where: { ...where, domain } })) throw new AppError('domain_exists')
    if ((await tx.signInDomain.count({ where })) >= MAX_DOMAINS) throw new AppError('sign_in_domains_full')
    const token = randomBytes(20).toString('hex')
    return tx.signInDomain.create({ data: { ...where, domain, role: body.role, token, created_at: now } })
  })
  return shown(row)
}

export async function updateSignInDomain(
  user: Here,
  key: Key,
  { version, ...data }: z.output<typeof UpdateSignInDomain.body>,
) {
  requireHere(user, key.workspace_id)
  const row = await edit({
    table: 'sign_in_domains',
    key: { workspace_id: key.workspace_id, sign_in_domain_id: key.sign_in_domain_id },
    version,
    missing: 'sign_in_domain_not_found',
    current: async () => SignInDomain.parse(shown(await findRow(key))),
    write: (tx) => tx.signInDomain.update({ where: key, data }),
  })
  return shown(row)
}

/** Whether DNS has the record; null if DNS did not answer, which says nothing. */
export async function isProven(
  row: { domain: string; token: string },
  dns: DnsProvider,
): Promise<boolean | null> {
  const { name, value } = proofRecord(row)
  const answer = await dns.txt(name)
  if (answer.outcome === 'failed') return null
  return answer.outcome === 'found' && answer.records.some((text) => text.trim() === value)
}

/** Stores what was seen in DNS; nothing if the domain was removed meanwhile. `domain_taken` if another workspace verified it first. */
export async function keepProof(row: SignInDomainModel, proven: boolean, now: Date) {
  const { workspace_id, sign_in_domain_id, verified_at } = row
  const where = { workspace_id, sign_in_domain_id }
  const data = { checked_at: now, verified_at: proven ? (verified_at ?? now) : null }
  try {
    const [kept] = await db.signInDomain.updateManyAndReturn({ where, data })
    return kept
  } catch (error) {
    if (asRecord(error).code === 'P2002') throw new AppError('domain_taken', { cause: error })
    throw error
  }
}

export async function verifySignInDomain(user: Here, key: Key, now: Date, dns: DnsProvider) {
  requireHere(user, key.workspace_id)
  const row = await findRow(key)
  if ((await takeToken(`sign-in-domain:${row.sign_in_domain_id}`, CHECKS_PER_MINUTE, now)) < 0)
    throw new AppError('rate_limited', { retryAfterSeconds: 60 / CHECKS_PER_MINUTE })
  const proven = await isProven(row, dns)
  if (proven === null) throw new AppError('dns_unavailable')
  const kept = await keepProof(row, proven, now)
  if (!kept) throw new AppError('sign_in_domain_not_found')
  if (proven) return shown(kept)
  const { name, value } = proofRecord(row)
  throw new AppError('domain_unproven', {
    message: `There is no TXT record ${name} with the value ${value}.`,
  })
}

export async function deleteSignInDomain(user: Here, key: Key): Promise<void> {
  requireHere(user, key.workspace_id)
  const { workspace_id, sign_in_domain_id } = key
  const { count } = await db.signInDomain.deleteMany({ where: { workspace_id, sign_in_domain_id } })
  if (count === 0) throw new AppError('sign_in_domain_not_found')
}
