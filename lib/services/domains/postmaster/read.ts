import { db, pool } from '#lib/db/client'
import type { PostmasterAccountModel } from '#lib/db/generated/models'
import { unseal } from '#lib/db/seal'
import type { PostmasterFault } from '#lib/providers/postmaster/port'
import { type FindPostmaster, findPostmaster, type Postmaster } from '#lib/services/domains/postmaster/google'

const DAYS = 30
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Google counts each day once, one or two days later. */
const NEXT_MS = 12 * HOUR_MS
/** Retry delay after a worker died, or Google was busy. */
const AGAIN_MS = HOUR_MS
/** Accounts per turn, read one after the other; also domains per account. */
const BATCH = 20
const MOST_DOMAINS = 200

/** Reads every account that is due. Two workers never take the same one. */
export async function readDuePostmasters(
  now: Date,
  find: FindPostmaster = findPostmaster,
): Promise<{ read: number }> {
  const { rows } = await pool().query<{ workspace_id: string }>(
    `UPDATE postmaster_accounts SET next_read_at = $2 WHERE workspace_id IN (
       SELECT workspace_id FROM postmaster_accounts WHERE next_read_at <= $1 AND ended_said IS NULL
       ORDER BY next_read_at LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING workspace_id`,
    [now, new Date(now.getTime() + AGAIN_MS)],
  )
  const faults: unknown[] = []
  for (const { workspace_id } of rows)
    await readAccount(workspace_id, now, find).catch((fault: unknown) => faults.push(fault))
  // A failed write does not hold up the other accounts.
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} accounts could not be read`)
  return { read: rows.length }
}

/** Reads Google's figures of the last 30 days for a workspace's domains. */
export async function readAccount(
  workspace_id: string,
  now: Date,
  find: FindPostmaster = findPostmaster,
): Promise<void> {
  const account = await db.postmasterAccount.findUnique({ where: { workspace_id } })
  if (!account || account.ended_said !== null) return
  const postmaster = find(account.vendor === 'sandbox' ? 'sandbox' : 'google')
  if (!postmaster || postmaster.oauth.client_id !== account.client_id)
    return end(account, 'This instance’s OAuth client has changed.')
  const renewed = await postmaster.oauth.refresh(unseal(account.refresh_token, workspace_id))
  if (!renewed.ok) {
    const isOver = renewed.fault !== 'unreachable' && renewed.fault !== 'client'
    return isOver ? end(account, renewed.said) : put(account, now, AGAIN_MS)
  }
  const domains = await db.mailDomain.findMany({
    where: { workspace_id },
    select: { domain_id: true, domain: true },
    orderBy: { domain_id: 'asc' },
    take: MOST_DOMAINS,
  })
  for (const { domain_id, domain } of domains) {
    const fault = await readDomain(postmaster, renewed.access_token, { workspace_id, domain_id, domain }, now)
    if (fault === 'signed_out') return end(account, 'Google refused its token.')
    // The next request would get the same answer.
    if (fault === 'busy' || fault === 'unreachable' || fault === 'client') return put(account, now, AGAIN_MS)
  }
  return put(account, now, NEXT_MS)
}

type Whose = { workspace_id: string; domain_id: string; domain: string }

async function readDomain(
  { reader }: Postmaster,
  token: string,
  { workspace_id, domain_id, domain }: Whose,
  now: Date,
): Promise<PostmasterFault | null> {
  const toDay = (at: number) => new Date(at).toISOString().slice(0, 10)
  const from = toDay(now.getTime() - (DAYS - 1) * DAY_MS)
  const answer = await reader.read(token, { domain, from, to: toDay(now.getTime()) })
  // A failed read leaves the known figures in place.
  const fields = answer.ok
    ? { read_at: now, said: null, days: answer.days }
    : { read_at: now, said: answer.said.slice(0, 500) }
  await db.postmasterDomain.upsert({
    where: { domain_id, workspace_id },
    create: { domain_id, workspace_id, ...fields },
    update: fields,
  })
  return answer.ok ? null : answer.fault
}

const put = async ({ workspace_id }: PostmasterAccountModel, now: Date, after: number) => {
  await db.postmasterAccount.updateMany({
    where: { workspace_id },
    data: { next_read_at: new Date(now.getTime() + after) },
  })
}

const end = async ({ workspace_id }: PostmasterAccountModel, said: string) => {
  await db.postmasterAccount.updateMany({
    where: { workspace_id },
    data: { ended_said: said.slice(0, 500) },
  })
}
