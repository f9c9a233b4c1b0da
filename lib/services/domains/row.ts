import { isIP } from 'node:net'
import { z } from 'zod'
import type { MailDomain } from '#lib/contracts/domains/domains'
import { Mailbox } from '#lib/contracts/senders/mailbox'
import { db } from '#lib/db/client'
import type { DomainKeyModel, MailDomainModel } from '#lib/db/generated/models'
import { FURTHER_CHECKS, FURTHER_STATES } from '#lib/domain/domains/further-checks'
import { mechanismFor } from '#lib/domain/domains/mail-hosts'
import { type Checks, PURPOSES, RECORD_STATES, type RecordCheck } from '#lib/domain/domains/record-check'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { isPublicAddress } from '#lib/providers/outbound'
import type { Facts, Server } from '#lib/services/domains/dns-lookups'

const StoredChecks = z.partialRecord(
  z.enum(PURPOSES),
  z.object({
    status: z.enum(RECORD_STATES),
    found: z.array(z.string()),
    note: z.string().nullable(),
    checked_at: z.string().nullable(),
    failure: z.string().nullable(),
  }),
)
const StoredServer = z.object({
  host: z.string(),
  provider: z.string().nullable(),
  encrypted: z.boolean(),
  reverse_name: z.object({ ok: z.boolean(), detail: z.string() }).nullable(),
})
const StoredFacts = z.object({
  servers: z.array(StoredServer).default([]),
  further: z
    .array(z.object({ id: z.enum(FURTHER_CHECKS), state: z.enum(FURTHER_STATES), detail: z.string() }))
    .default([]),
})

export type DomainRow = MailDomainModel & { keys: DomainKeyModel[] }

export const domainChecks = (row: Pick<MailDomainModel, 'checks'>): Checks => StoredChecks.parse(row.checks)
export const domainFacts = (row: Pick<MailDomainModel, 'facts'>): Facts => StoredFacts.parse(row.facts)

/** The key in use, and the next one, which waits for its record to be found. */
export function domainKeys({ keys }: Pick<DomainRow, 'keys'>) {
  const key = keys.find(({ state }) => state === 'signing')
  if (!key) throw new Error('A mail domain has no key.')
  return { key, next_key: keys.find(({ state }) => state === 'waiting') ?? null }
}

export async function domainRow(workspaceId: string, domainId: string): Promise<DomainRow> {
  const row = await db.mailDomain.findFirst({
    where: { domain_id: domainId, workspace_id: workspaceId },
    include: { keys: true },
  })
  if (!row) throw new AppError('domain_not_found')
  return row
}

/** Combines two required records: if one is missing, both count as missing. */
function together(one: RecordCheck | undefined, other: RecordCheck | undefined) {
  const checked_at = one?.checked_at && other?.checked_at ? one.checked_at : null
  const worst = (['mismatch', 'missing', 'found'] as const).find((status) =>
    [one?.status, other?.status].includes(status),
  )
  return { status: checked_at && worst ? worst : ('pending' as const), checked_at }
}

export function shownDomain(row: DomainRow): z.input<typeof MailDomain> {
  const checks = domainChecks(row)
  const { key, next_key } = domainKeys(row)
  const { TRACKING_HOST, BOUNCE_HOST } = env()
  const part = (check: RecordCheck | undefined) => ({
    status: check?.checked_at ? check.status : ('pending' as const),
    checked_at: check?.checked_at ?? null,
  })
  const unused = { status: 'not_used' as const, checked_at: null }
  return {
    domain_id: row.domain_id,
    domain: row.domain,
    status: row.status,
    dkim_selector: key.selector,
    dkim_next_selector: next_key?.selector ?? null,
    spf: part(checks.spf),
    dkim: part(checks.dkim),
    dmarc: part(checks.dmarc),
    mx: part(checks.mx),
    tracking: TRACKING_HOST ? part(checks.tracking) : unused,
    reports: TRACKING_HOST ? part(checks.reports) : unused,
    return_path: {
      ...(BOUNCE_HOST ? together(checks.return_path_mx, checks.return_path_spf) : unused),
      enabled: row.bounce_address,
    },
    next_check_at: row.next_check_at,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
    verified_at: row.verified_at,
  }
}

/** Mailboxes that send from an address at the domain itself; a subdomain is a separate domain. */
export async function domainMailboxes({
  workspace_id,
  domain,
}: Pick<MailDomainModel, 'workspace_id' | 'domain'>) {
  const ofDomain = { endsWith: `@${domain}` }
  return db.mailbox.findMany({
    where: { workspace_id, OR: [{ send_as: ofDomain }, { send_as: null, address: ofDomain }] },
    select: { mailbox_id: true, address: true, send_as: true, smtp: true },
    orderBy: { mailbox_id: 'asc' },
  })
}

/** The distinct public servers that mailboxes submit mail to; servers of this machine or network are left out. */
export function smtpServers(mailboxes: { smtp: unknown }[]): Server[] {
  const servers = new Map<string, Server>()
  for (const { smtp } of mailboxes) {
    const { host, security } = Mailbox.shape.smtp.parse(smtp)
    const name = host.replace(/^\[|\]$/g, '').toLowerCase()
    const isLocal = isIP(name) ? !isPublicAddress(name) : !name.includes('.')
    if (isLocal) continue
    const encrypted = security !== 'none' && (servers.get(name)?.encrypted ?? true)
    servers.set(name, { host: name, encrypted })
  }
  return [...servers.values()]
}

export const neededMechanisms = (servers: Server[]) => [
  ...new Set(servers.map(({ host }) => mechanismFor(host))),
]
