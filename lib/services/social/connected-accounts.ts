import type { z } from 'zod'
import {
  ConnectedAccount,
  type ListConnectedAccounts,
  type UpdateConnectedAccount,
} from '#lib/contracts/senders/connected-accounts'
import { db } from '#lib/db/client'
import type { ConnectedAccountModel } from '#lib/db/generated/models'
import { DbNull, storableJson } from '#lib/db/json'
import { rowsOfPage } from '#lib/db/page'
import { isImportedAccount } from '#lib/domain/social/imported-account'
import { asRecord } from '#lib/domain/text/record'
import { AppError } from '#lib/errors'
import type { SocialAccountRef, SocialProvider } from '#lib/providers/social/port'
import { type EditTx, edit } from '#lib/services/instance/versioned-edit'
import { accountLimits } from '#lib/services/senders/accounts/account-limits'
import { wakeOwned } from '#lib/services/senders/mailboxes'
import { socialProvider, storedNetwork } from '#lib/services/senders/social-provider'

/** The account as its driver refers to it. */
export const accountRef = (
  row: Pick<ConnectedAccountModel, 'provider_account_id' | 'provider'>,
): SocialAccountRef => ({
  provider_account_id: row.provider_account_id,
  network: storedNetwork(row),
})

async function shown(
  workspaceId: string,
  rows: ConnectedAccountModel[],
  now: Date,
): Promise<z.input<typeof ConnectedAccount>[]> {
  const limits = await accountLimits(workspaceId, rows, now)
  return rows.map((row) => ({
    account_id: row.account_id,
    provider: storedNetwork(row),
    driver: ConnectedAccount.shape.driver.parse(row.driver),
    name: row.name,
    handle: row.handle,
    avatar_url: row.avatar_url,
    kind: row.kind,
    status: row.status,
    status_reason: row.status_reason,
    failing_cause: ConnectedAccount.shape.failing_cause.parse(row.failing_cause),
    failing_since: row.failing_since,
    next_try_at: row.next_try_at,
    is_default: row.is_default,
    min_interval_seconds: row.min_interval_seconds,
    ramp_up: ConnectedAccount.shape.ramp_up.parse(row.ramp_up),
    limits: limits(row),
    last_checked_at: row.last_checked_at,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }))
}

/** One account of the owner, as stored; throws `account_not_found`. */
export async function findAccount(workspaceId: string, accountId: string): Promise<ConnectedAccountModel> {
  const row = await db.connectedAccount.findFirst({
    where: { account_id: accountId, workspace_id: workspaceId },
  })
  if (!row) throw new AppError('account_not_found')
  return row
}

async function one(workspaceId: string, row: ConnectedAccountModel, now: Date) {
  const [account] = await shown(workspaceId, [row], now)
  if (!account) throw new AppError('account_not_found')
  return account
}

export async function listConnectedAccounts(
  workspaceId: string,
  { page, page_size }: z.output<typeof ListConnectedAccounts.query>,
  now: Date,
) {
  const where = { workspace_id: workspaceId }
  const [rows, total] = await Promise.all([
    db.connectedAccount.findMany({
      where,
      orderBy: [{ created_at: 'desc' }, { account_id: 'desc' }],
      ...rowsOfPage({ page, page_size }),
    }),
    db.connectedAccount.count({ where }),
  ])
  return { items: await shown(workspaceId, rows, now), total, page, page_size }
}

export const readConnectedAccount = async (workspaceId: string, accountId: string, now: Date) =>
  one(workspaceId, await findAccount(workspaceId, accountId), now)

/** Updates an account. Campaigns that waited for its limits look again at once. */
export async function updateConnectedAccount(
  workspaceId: string,
  accountId: string,
  { limits, ramp_up, is_default, version, ...fields }: z.output<typeof UpdateConnectedAccount.body>,
  now: Date,
) {
  const first = async (tx: EditTx) => {
    await wakeOwned(tx, workspaceId, now)
    // Locks all accounts of the owner in one order, so that concurrent changes of the default account are serialized.
    await tx.$queryRaw`
      SELECT 1 FROM connected_accounts WHERE workspace_id = ${workspaceId}::uuid ORDER BY account_id FOR NO KEY UPDATE`
  }
  const own = { account_id: accountId, workspace_id: workspaceId }
  const write = async (tx: EditTx) => {
    const before = await tx.connectedAccount.findUniqueOrThrow({ where: own })
    if (is_default)
      await tx.connectedAccount.updateMany({
        where: { workspace_id: workspaceId, account_id: { not: accountId } },
        data: { is_default: false },
      })
    return tx.connectedAccount.update({
      where: own,
      data: {
        ...fields,
        ...(is_default !== undefined && { is_default }),
        ...(limits && { limits: mergedLimits(before.limits, limits) }),
        ...(ramp_up !== undefined && { ramp_up: ramp_up ?? DbNull }),
        // A ramp-up under way keeps its first day; a new one begins now.
        ...(ramp_up && !before.ramp_up && { ramp_up_started_at: now }),
      },
    })
  }
  const row = await edit({
    table: 'connected_accounts',
    key: { account_id: accountId, workspace_id: workspaceId },
    version,
    missing: 'account_not_found',
    current: async () => ConnectedAccount.parse(await readConnectedAccount(workspaceId, accountId, now)),
    first,
    write,
  })
  return one(workspaceId, row, now)
}

type Limits = Record<
  string,
  { day?: number | null | undefined; week?: number | null | undefined } | null | undefined
>

function mergedLimits(before: unknown, given: Limits) {
  const kept = asRecord(storableJson(before))
  for (const [type, cap] of Object.entries(given)) {
    if (cap === null) delete kept[type]
    else kept[type] = cap
  }
  return storableJson(kept)
}

/**
 * Refused while a scheduled, running, paused or failed campaign needs the account; checked under its lock, so that no claim comes in
 * between.
 */
export async function disconnectAccount(
  workspaceId: string,
  accountId: string,
  given?: SocialProvider,
): Promise<void> {
  const account = await findAccount(workspaceId, accountId)
  await refuseInUse(db, workspaceId, accountId)
  if (!isImportedAccount(account.provider_account_id)) {
    const driver = given ?? socialProvider(account.driver)
    await driver.disconnect(accountRef(account))
  }
  await db.$transaction(async (tx) => {
    const owned = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM connected_accounts WHERE account_id = ${accountId}::uuid AND workspace_id = ${workspaceId}::uuid FOR UPDATE`
    if (owned.length === 0) throw new AppError('account_not_found')
    await refuseInUse(tx, workspaceId, accountId)
    await tx.connectedAccount.delete({ where: { account_id: accountId } })
    await tx.senderDay.deleteMany({ where: { sender_id: accountId } })
  })
}

/**
 * Refuses if a scheduled, running or paused campaign names the account or has active leads of it. A failed campaign that names it counts
 * too, since it could never launch again.
 */
async function refuseInUse(tx: Pick<typeof db, '$queryRaw'>, workspaceId: string, accountId: string) {
  const [user] = await tx.$queryRaw<{ name: string; status: string }[]>`
    SELECT c.name, c.status::text FROM campaigns c
    WHERE c.workspace_id = ${workspaceId}::uuid AND c.status IN ('scheduled', 'launching', 'active', 'draining', 'paused', 'failed')
      AND (c.connected_account_id = ${accountId}::uuid
        OR EXISTS (SELECT 1 FROM campaign_leads l WHERE l.campaign_id = c.campaign_id AND l.status = 'active'
          AND (l.next_sender_id = ${accountId}::uuid OR l.connected_account_id = ${accountId}::uuid)))
    ORDER BY c.created_at LIMIT 1`
  if (user)
    throw new AppError('account_in_use', {
      message: `The campaign “${user.name}” (${user.status}) uses this account.`,
    })
}
