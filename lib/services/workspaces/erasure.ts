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
import { OWNED_THROUGH, ownedTables } from '#lib/services/workspaces/owned-tables'
import { userOfPassword } from '#lib/services/workspaces/users'

const VALID_MS = 15 * 60_000
const TRIES_A_MINUTE = 5
const RUNNING = ['scheduled', 'launching', 'active', 'draining'] as const

/** What would be lost, and a token that says the owner was told. */
export async function prepareErasure(userId: string, now: Date) {
  const where = { user_id: userId }
  const [{ email }, campaigns, running_campaigns, leads, datasets, templates, mailboxes, threads] =
    await Promise.all([
      db.user.findUniqueOrThrow({ where }),
      db.campaign.count({ where }),
      db.campaign.count({ where: { ...where, status: { in: [...RUNNING] } } }),
      db.datasetRow.count({ where: { dataset: where } }),
      db.dataset.count({ where }),
      db.template.count({ where }),
      db.mailbox.count({ where }),
      db.thread.count({ where }),
    ])
  const expires_at = new Date(now.getTime() + VALID_MS)
  return {
    token: erasureToken(userId, expires_at.getTime(), keyFor('erasure')),
    expires_at,
    email,
    will_erase: { campaigns, running_campaigns, leads, datasets, templates, mailboxes, threads },
  }
}

type Proof = z.output<typeof EraseAccount.body>

/**
 * Every row of the owner's in every table. Running campaigns stop first, in a transaction of their own, so that no worker
 * claims anything while the rest goes. What a provider was handed before that is on its way; what becomes of it is
 * written nowhere.
 */
export async function eraseAccount(userId: string, proof: Proof, now: Date) {
  if (!(await isProven(userId, proof, now))) throw new AppError('erasure_unconfirmed')
  await refuseWhilePaying(userId)
  await stopCampaigns(userId, now)
  const rows = await eraseRows(userId)
  // Their files were let go of with the rows; what does not go now goes within the hour.
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

/** The provider knows nothing of an erasure: it would go on charging somebody whom nobody here knows any more. */
async function refuseWhilePaying(userId: string): Promise<void> {
  const { billing_customer_id, subscription_status, subscription_cancels } = await db.user.findUniqueOrThrow({
    where: { user_id: userId },
  })
  const pays = ['active', 'trialing', 'past_due', 'unpaid'].includes(subscription_status ?? '')
  if (billing_customer_id !== null && pays && !subscription_cancels) throw new AppError('subscription_runs')
}

async function stopCampaigns(userId: string, now: Date): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const { rows } = await client.query<{ campaign_id: string }>(
      'SELECT campaign_id FROM campaigns WHERE user_id = $1 ORDER BY campaign_id FOR NO KEY UPDATE',
      [userId],
    )
    const pauses = rows.map((row) => ({ ...row, reason: 'user' as const }))
    await pauseCampaigns(client, 'pause', pauses, now)
  })
}

async function eraseRows(userId: string): Promise<number> {
  return inTransaction(pool(), async (client) => {
    // In the order that everybody locks in: campaigns, mailboxes, leads.
    await client.query('SELECT 1 FROM campaigns WHERE user_id = $1 ORDER BY campaign_id FOR UPDATE', [userId])
    await client.query('SELECT 1 FROM mailboxes WHERE user_id = $1 ORDER BY mailbox_id FOR UPDATE', [userId])
    let rows = 0
    const erase = async (table: string, where: string) => {
      rows += (await client.query(`DELETE FROM "${table}" WHERE ${where}`, [userId])).rowCount ?? 0
    }
    // What is found through the owner's other rows goes before them.
    for (const [table, where] of Object.entries(OWNED_THROUGH)) await erase(table, where)
    // Datasets cannot go while a campaign uses them.
    await erase('campaigns', 'user_id = $1')
    await erase('users', 'user_id = $1')
    // What no foreign key took along, and what was told of all this.
    for (const { name, where } of await ownedTables(client))
      if (!(name in OWNED_THROUGH) && name !== 'users') await erase(name, where)
    return rows
  })
}
