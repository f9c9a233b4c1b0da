import type { Pool, PoolClient } from 'pg'
import type { z } from 'zod'
import type { EraseAccount } from '#lib/contracts/workspaces/erasure'
import { db, pool } from '#lib/db/client'
import { keyFor } from '#lib/db/seal'
import { inTransaction } from '#lib/db/transaction'
import { erasureToken, erasureTokenHolds } from '#lib/domain/tokens/erasure-token'
import { AppError } from '#lib/errors'
import { pauseCampaigns } from '#lib/services/campaigns/state'
import { removeStrays } from '#lib/services/files/files'
import { fileStorage } from '#lib/services/files/storage'
import { giveTokenBack, takeToken } from '#lib/services/instance/rate-limits'
import { type OwnedTable, ownedTables, ownedThrough } from '#lib/services/workspaces/owned-tables'
import { userOfPassword } from '#lib/services/workspaces/users'

/** How long the confirmation of what will be erased is valid. */
export const VALID_MS = 15 * 60_000
const TRIES_A_MINUTE = 5
const RUNNING = ['scheduled', 'launching', 'active', 'draining'] as const

/** The workspaces without other members: they are erased with their only member. */
async function workspacesAlone(userId: string, client: Pool | PoolClient = pool()): Promise<string[]> {
  const { rows } = await client.query<{ workspace_id: string }>(
    `SELECT workspace_id FROM members m WHERE user_id = $1
       AND NOT EXISTS (SELECT 1 FROM members o WHERE o.workspace_id = m.workspace_id AND o.user_id <> $1) ORDER BY workspace_id`,
    [userId],
  )
  return rows.map(({ workspace_id }) => workspace_id)
}

/** What is erased with these workspaces. */
export async function countErased(workspaceIds: string[]) {
  const where = { workspace_id: { in: workspaceIds } }
  const [campaigns, running_campaigns, leads, datasets, templates, mailboxes, threads] = await Promise.all([
    db.campaign.count({ where }),
    db.campaign.count({ where: { ...where, status: { in: [...RUNNING] } } }),
    db.datasetRow.count({ where: { dataset: where } }),
    db.dataset.count({ where }),
    db.template.count({ where }),
    db.mailbox.count({ where }),
    db.thread.count({ where }),
  ])
  return { campaigns, running_campaigns, leads, datasets, templates, mailboxes, threads }
}

/** What would be erased, and a token that proves the owner was told. */
export async function prepareErasure(userId: string, now: Date) {
  const [{ email }, will_erase] = await Promise.all([
    db.user.findUniqueOrThrow({ where: { user_id: userId } }),
    countErased(await workspacesAlone(userId)),
  ])
  const expires_at = new Date(now.getTime() + VALID_MS)
  return {
    token: erasureToken(userId, expires_at.getTime(), keyFor('erasure')),
    expires_at,
    email,
    will_erase,
  }
}

type Proof = z.output<typeof EraseAccount.body>

/**
 * Erases every row of the person in every table, and the workspaces without other members; what they made in other workspaces is handed on.
 * Running campaigns stop first, in a transaction of their own, so that no worker claims anything meanwhile. Messages handed to a provider
 * before that still go out, and their outcome is not recorded.
 */
export async function eraseAccount(userId: string, proof: Proof, now: Date) {
  if (!(await isProven(userId, proof, now))) throw new AppError('erasure_unconfirmed')
  const alone = await workspacesAlone(userId)
  await refuseLastOwner(userId)
  await refuseWhilePaying(alone)
  await stopCampaigns(alone, now)
  const rows = await eraseRows(userId, alone)
  // The rows are gone, so the files are strays; those not removed now are removed within the hour.
  await removeStrays(pool(), fileStorage, now)
  return { erased_at: now, rows }
}

async function isProven(userId: string, proof: Proof, now: Date): Promise<boolean> {
  const { email } = await db.user.findUniqueOrThrow({ where: { user_id: userId } })
  if ('token' in proof)
    return (
      proof.email.trim().toLowerCase() === email.toLowerCase() &&
      erasureTokenHolds(proof.token, userId, now.getTime(), keyFor('erasure'))
    )
  const bucket = `erase:${userId}`
  if ((await takeToken(bucket, TRIES_A_MINUTE, now)) < 0)
    throw new AppError('rate_limited', { retryAfterSeconds: 60 / TRIES_A_MINUTE })
  const user = await userOfPassword(email, proof.password)
  if (user) await giveTokenBack(bucket)
  return user?.user_id === userId
}

/** The other members would be left without an owner. */
async function refuseLastOwner(userId: string, client: Pool | PoolClient = pool()): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT w.name FROM members m JOIN workspaces w USING (workspace_id) WHERE m.user_id = $1 AND m.role = 'owner'
       AND EXISTS (SELECT 1 FROM members o WHERE o.workspace_id = m.workspace_id AND o.user_id <> $1)
       AND NOT EXISTS (SELECT 1 FROM members o
         WHERE o.workspace_id = m.workspace_id AND o.user_id <> $1 AND o.role = 'owner')
     ORDER BY w.name LIMIT 1`,
    [userId],
  )
  const [owned] = rows
  if (owned)
    throw new AppError('invalid_state', {
      message: `You are the only owner of ${owned.name}. Make somebody else an owner first.`,
    })
}

/** From here on nobody can join, leave or change a role in their workspaces, so that the earlier checks stay true. */
async function holdMembers(client: PoolClient, userId: string, alone: string[]): Promise<void> {
  await client.query(
    `SELECT 1 FROM workspaces WHERE workspace_id IN (SELECT workspace_id FROM members WHERE user_id = $1)
     ORDER BY workspace_id FOR NO KEY UPDATE`,
    [userId],
  )
  await refuseLastOwner(userId, client)
  if ((await workspacesAlone(userId, client)).join() !== alone.join())
    throw new AppError('invalid_state', {
      message: 'The members of one of your workspaces have changed. Review again what would be erased.',
    })
}

/** The billing provider does not learn of an erasure and would keep charging an account that no longer exists here. */
export async function refuseWhilePaying(workspaceIds: string[]): Promise<void> {
  const paying = await db.workspace.count({
    where: {
      workspace_id: { in: workspaceIds },
      billing_customer_id: { not: null },
      subscription_status: { in: ['active', 'trialing', 'past_due', 'unpaid'] },
      subscription_cancels: false,
    },
  })
  if (paying > 0) throw new AppError('subscription_runs')
}

export async function stopCampaigns(workspaceIds: string[], now: Date): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const { rows } = await client.query<{ campaign_id: string }>(
      'SELECT campaign_id FROM campaigns WHERE workspace_id = ANY ($1::uuid[]) ORDER BY campaign_id FOR NO KEY UPDATE',
      [workspaceIds],
    )
    const pauses = rows.map((row) => ({ ...row, reason: 'user' as const }))
    await pauseCampaigns(client, 'pause', pauses, now)
  })
}

async function eraseRows(userId: string, alone: string[]): Promise<number> {
  return inTransaction(pool(), async (client) => {
    await holdMembers(client, userId, alone)
    return eraseOwned(client, userId, alone)
  })
}

/** Deletes every row of these workspaces, and of the person if one is erased with them. Returns how many. */
export async function eraseOwned(
  client: PoolClient,
  userId: string | null,
  workspaceIds: string[],
): Promise<number> {
  // In the usual lock order: campaigns, mailboxes, leads.
  for (const table of ['campaign', 'mailbox'])
    await client.query(
      `SELECT 1 FROM ${table === 'mailbox' ? 'mailboxes' : 'campaigns'} WHERE workspace_id = ANY ($1::uuid[])
       ORDER BY ${table}_id FOR UPDATE`,
      [workspaceIds],
    )
  if (userId !== null) await anonymizeAudit(client, userId)
  let rows = 0
  const erase = async ({ name, where, values }: OwnedTable) => {
    rows += (await client.query(`DELETE FROM "${name}" WHERE ${where}`, values)).rowCount ?? 0
  }
  const owned = { where: 'workspace_id = ANY ($1::uuid[])', values: [workspaceIds] }
  for (const table of ownedThrough(userId, workspaceIds)) await erase(table)
  // Datasets cannot be deleted while a campaign uses them.
  await erase({ name: 'campaigns', ...owned })
  await keepForChildren(client, workspaceIds)
  await erase({ name: 'workspaces', ...owned })
  if (userId !== null) {
    await reassignMadeRows(client, userId)
    await erase({ name: 'users', where: 'user_id = $1', values: [userId] })
  }
  // Rows that no foreign key cascades to, including events about this erasure.
  for (const table of await ownedTables(client, userId, workspaceIds)) await erase(table)
  return rows
}

/** Copies a parent's suppressions to its children, so that they still apply after the parent is erased. */
async function keepForChildren(client: PoolClient, parents: string[]): Promise<void> {
  await client.query(
    `INSERT INTO suppressions (workspace_id, value, reason, created_at)
     SELECT child.workspace_id, above.value, above.reason, above.created_at FROM workspaces child
     JOIN suppressions above ON above.workspace_id = child.parent_workspace_id
     WHERE child.parent_workspace_id = ANY ($1::uuid[]) AND child.workspace_id <> ALL ($1::uuid[])
     ORDER BY 1, 2 ON CONFLICT (workspace_id, value) DO NOTHING`,
    [parents],
  )
}

/** Other workspaces' logs keep what was done to the user, but no longer name them. */
async function anonymizeAudit(client: PoolClient, userId: string): Promise<void> {
  await client.query(
    `UPDATE audit_events SET target = target - 'user_id' WHERE target->>'user_id' = $1::text AND workspace_id IN (
       SELECT workspace_id FROM members WHERE user_id = $1::uuid
       UNION SELECT workspace_id FROM past_members WHERE user_id = $1::uuid)`,
    [userId],
  )
}

/** Rows they made in other workspaces are reassigned to an owner there, for tables whose rows cannot be deleted with their maker. */
async function reassignMadeRows(client: PoolClient, userId: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT conrelid::regclass::text AS name FROM pg_constraint
     WHERE contype = 'f' AND confrelid = 'users'::regclass AND confdeltype = 'r' ORDER BY 1`,
  )
  for (const { name } of rows)
    await client.query(
      `UPDATE ${name} made SET user_id = (SELECT m.user_id FROM members m
         WHERE m.workspace_id = made.workspace_id AND m.user_id <> $1
         ORDER BY m.role, m.created_at, m.user_id LIMIT 1)
       WHERE user_id = $1`,
      [userId],
    )
}
