import type { z } from 'zod'
import {
  type CreateDomain,
  type ListDomains,
  MailDomain,
  type UpdateDomain,
} from '#lib/contracts/domains/domains'
import { db } from '#lib/db/client'
import { rowsOfPage } from '#lib/db/page'
import { readDomain } from '#lib/domain/domains/domain-name'
import { DOMAIN_STATUSES } from '#lib/domain/domains/domain-status'
import { type Orders, sortedPage } from '#lib/domain/text/row-order'
import { env } from '#lib/env'
import { AppError, invalid } from '#lib/errors'
import type { DnsProvider } from '#lib/providers/dns/port'
import { checkDomain } from '#lib/services/domains/check'
import { domainRow, shownDomain } from '#lib/services/domains/row'
import { newKey } from '#lib/services/instance/dkim-key'
import { takeToken } from '#lib/services/instance/rate-limits'
import { edit } from '#lib/services/instance/versioned-edit'
import { dnsProvider } from '#lib/services/senders/discovery/dns-provider'

/** Limits DNS checks, since people press the button repeatedly while a record propagates. */
const CHECKS_PER_MINUTE = 6

const toDate = (at: unknown) => (at instanceof Date ? at : null)

const ORDERS: Orders<ReturnType<typeof shownDomain>> = {
  domain: ({ domain }) => domain,
  status: ({ status }) => DOMAIN_STATUSES.indexOf(status),
  checked_at: ({ spf }) => toDate(spf.checked_at),
  next_check_at: ({ next_check_at }) => toDate(next_check_at),
}

export async function listDomains(
  workspaceId: string,
  { sort, ...page }: z.output<typeof ListDomains.query>,
) {
  const where = { workspace_id: workspaceId }
  const [rows, total] = await Promise.all([
    db.mailDomain.findMany({
      where,
      include: { keys: true },
      orderBy: [{ created_at: 'desc' }, { domain_id: 'desc' }],
      ...(sort ? {} : rowsOfPage(page)),
    }),
    db.mailDomain.count({ where }),
  ])
  return { items: sortedPage(rows.map(shownDomain), ORDERS, { sort, ...page }), total, ...page }
}

export async function getDomain(workspaceId: string, domainId: string) {
  return shownDomain(await domainRow(workspaceId, domainId))
}

/** Creates a domain with its own key. Another owner may have the same domain: their key and record names differ. */
export async function createDomain(workspaceId: string, body: z.output<typeof CreateDomain.body>, now: Date) {
  const read = readDomain(body.domain)
  if (!read.ok) throw invalid(['body', 'domain'], read.problem)
  const { domain } = read
  if (await db.mailDomain.count({ where: { workspace_id: workspaceId, domain } }))
    throw new AppError('domain_exists')
  const key = await newKey(now)
  const row = await db.$transaction(async (tx) => {
    const [made] = await tx.mailDomain.createManyAndReturn({
      data: { workspace_id: workspaceId, domain, next_check_at: now, looked_for_since: now },
      skipDuplicates: true,
    })
    if (!made) throw new AppError('domain_exists')
    const signing = await tx.domainKey.create({
      data: { ...key, domain_id: made.domain_id, state: 'signing' },
    })
    return { ...made, keys: [signing] }
  })
  return shownDomain(row)
}

export async function updateDomain(
  workspaceId: string,
  domainId: string,
  { version, ...body }: z.output<typeof UpdateDomain.body>,
  now: Date,
) {
  await domainRow(workspaceId, domainId)
  if (body.bounce_address && !env().BOUNCE_HOST)
    throw invalid(['body', 'bounce_address'], 'this instance cannot receive bounces: BOUNCE_HOST is not set')
  const key = { domain_id: domainId, workspace_id: workspaceId }
  // The expected records change, so the search for them starts over.
  const data = { ...body, looked_for_since: now, next_check_at: now }
  const row = await edit({
    table: 'mail_domains',
    key,
    version,
    missing: 'domain_not_found',
    current: async () => MailDomain.parse(await getDomain(workspaceId, domainId)),
    write: (tx) => tx.mailDomain.update({ where: key, data, include: { keys: true } }),
  })
  return shownDomain(row)
}

/** Checks a domain now, and frequently for a while. */
export async function verifyDomain(
  workspaceId: string,
  domainId: string,
  now: Date,
  dns: DnsProvider = dnsProvider(),
) {
  const row = await domainRow(workspaceId, domainId)
  if ((await takeToken(`domain-check:${domainId}`, CHECKS_PER_MINUTE, now)) < 0)
    throw new AppError('rate_limited', { retryAfterSeconds: 60 / CHECKS_PER_MINUTE })
  await db.mailDomain.updateMany({
    where: { domain_id: domainId, workspace_id: workspaceId },
    data: { looked_for_since: now },
  })
  const checked = await checkDomain(row, dns, now)
  if (!checked) throw new AppError('domain_not_found')
  return shownDomain(checked)
}

/** Refused while a campaign under way would send unsigned without the domain. */
export async function deleteDomain(workspaceId: string, domainId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const [domain] = await tx.$queryRaw<{ domain: string }[]>`
      SELECT domain FROM mail_domains
      WHERE domain_id = ${domainId}::uuid AND workspace_id = ${workspaceId}::uuid FOR UPDATE`
    if (!domain) throw new AppError('domain_not_found')
    const [campaign] = await tx.$queryRaw<{ name: string; address: string }[]>`
      SELECT c.name, coalesce(m.send_as, m.address) AS address FROM campaigns c JOIN mailboxes m USING (workspace_id)
      WHERE c.workspace_id = ${workspaceId}::uuid AND c.status IN ('scheduled', 'launching', 'active', 'draining')
        AND (c.alias_ids IS NULL OR c.alias_ids @> to_jsonb(m.mailbox_id::text))
        AND split_part(coalesce(m.send_as, m.address), '@', -1) = ${domain.domain}
      ORDER BY c.created_at LIMIT 1`
    if (campaign)
      throw new AppError('domain_in_use', {
        message: `The campaign “${campaign.name}” sends from ${campaign.address}. Pause it first.`,
      })
    await tx.mailDomain.delete({ where: { domain_id: domainId, workspace_id: workspaceId } })
  })
}
