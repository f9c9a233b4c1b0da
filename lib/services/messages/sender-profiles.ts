import type { z } from 'zod'
import {
  type CreateSenderProfile,
  type ListSenderProfiles,
  SenderProfile,
  type UpdateSenderProfile,
} from '#lib/contracts/messages/sender-profiles'
import { db, pool } from '#lib/db/client'
import { jsonText } from '#lib/db/json-text'
import { firstRow, inOrder, orderBy } from '#lib/db/page'
import { parseOrdered } from '#lib/domain/text/ordered-json'
import type { Maker } from '#lib/domain/workspaces/maker'
import { AppError } from '#lib/errors'
import { type EditTx, edit } from '#lib/services/instance/versioned-edit'
import { campaignNaming, namesSql, profileUses } from '#lib/services/messages/references'

async function shown<T extends { id: string }>(workspaceId: string, rows: T[]) {
  const ids = rows.map(({ id }) => id)
  const [uses, texts] = await Promise.all([profileUses(workspaceId, ids), dataTexts(workspaceId, ids)])
  return rows.map((row) => ({
    ...row,
    sender_data: SenderProfile.shape.sender_data.parse(parseOrdered(texts.get(row.id) ?? '{}')),
    usage_count: uses.get(row.id) ?? 0,
  }))
}

/** Read as text, because Prisma returns objects, which reorder keys that are whole numbers. */
async function dataTexts(workspaceId: string, ids: string[]): Promise<Map<string, string>> {
  const { rows } = await pool().query<{ id: string; text: string }>(
    'SELECT id, sender_data::text AS text FROM sender_profiles WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
    [workspaceId, ids],
  )
  return new Map(rows.map(({ id, text }) => [id, text]))
}

/** Written as text, because Prisma drops a key `__proto__`. */
async function keepData(tx: EditTx, id: string, data: Record<string, unknown>): Promise<void> {
  const text = jsonText({ data })
  await tx.$executeRaw`UPDATE sender_profiles SET sender_data = ${text}::json, updated_at = greatest(updated_at, now()) WHERE id = ${id}::uuid`
}

const SORTED_BY: Record<string, string> = {
  profile_name: 'lower(p.profile_name)',
  usage_count: `(SELECT count(*) FROM campaigns c WHERE c.workspace_id = p.workspace_id AND c.status <> 'draft'
      AND ${namesSql('sender_profile_id', 'p.id')})
    + (SELECT count(*) FROM personalization_runs r
       WHERE r.workspace_id = p.workspace_id AND r.sender_profile_id = p.id)`,
  created_at: 'p.created_at',
}

export async function listSenderProfiles(
  workspaceId: string,
  query: z.output<typeof ListSenderProfiles.query>,
) {
  const { page, page_size, sort = '-created_at' } = query
  const where = { workspace_id: workspaceId }
  const [{ rows: ids }, total] = await Promise.all([
    pool().query<{ id: string }>(
      `SELECT p.id FROM sender_profiles p WHERE p.workspace_id = $1
       ORDER BY ${orderBy(sort, SORTED_BY, 'p.id DESC')} OFFSET $2 LIMIT $3`,
      [workspaceId, firstRow({ page, page_size }), page_size],
    ),
    db.senderProfile.count({ where }),
  ])
  const listed = ids.map(({ id }) => id)
  const unordered = await db.senderProfile.findMany({
    where: { ...where, id: { in: listed } },
    omit: { sender_data: true },
  })
  const rows = inOrder(listed, unordered, ({ id }) => id)
  return { sender_profiles: await shown(workspaceId, rows), total, page, page_size }
}

/**
 * Unsets the current default in the same transaction, so that there is at most one. The lock mode does not conflict with the foreign key
 * check on the workspace that the edit of a profile takes.
 */
async function giveWay(tx: EditTx, workspaceId: string): Promise<void> {
  await tx.$queryRaw`SELECT workspace_id FROM workspaces WHERE workspace_id = ${workspaceId}::uuid FOR NO KEY UPDATE`
  await tx.senderProfile.updateMany({
    where: { workspace_id: workspaceId, is_default: true },
    data: { is_default: false },
  })
}

export async function createSenderProfile(
  { workspace_id, user_id }: Maker,
  { sender_data, ...fields }: z.output<typeof CreateSenderProfile.body>,
) {
  const row = await db.$transaction(async (tx) => {
    if (fields.is_default) await giveWay(tx, workspace_id)
    const made = await tx.senderProfile.create({
      data: { ...fields, workspace_id, user_id, sender_data: {} },
    })
    await keepData(tx, made.id, sender_data)
    return made
  })
  return getSenderProfile(workspace_id, row.id)
}

export async function getSenderProfile(workspaceId: string, id: string) {
  const [one] = await shown(
    workspaceId,
    await db.senderProfile.findMany({
      where: { id, workspace_id: workspaceId },
      omit: { sender_data: true },
    }),
  )
  if (!one) throw new AppError('sender_profile_not_found')
  return one
}

export async function updateSenderProfile(
  workspaceId: string,
  id: string,
  { sender_data, version, ...fields }: z.output<typeof UpdateSenderProfile.body>,
) {
  const key = { id, workspace_id: workspaceId }
  await edit({
    table: 'sender_profiles',
    key,
    version,
    missing: 'sender_profile_not_found',
    current: async () => SenderProfile.parse(await getSenderProfile(workspaceId, id)),
    // Before the profile itself: two profiles made the default at once would deadlock otherwise.
    first: async (tx) => (fields.is_default ? giveWay(tx, workspaceId) : undefined),
    write: async (tx) => {
      await tx.senderProfile.update({ where: key, data: fields })
      if (sender_data) await keepData(tx, id, sender_data)
    },
  })
  return getSenderProfile(workspaceId, id)
}

export async function deleteSenderProfile(workspaceId: string, id: string): Promise<void> {
  await getSenderProfile(workspaceId, id)
  if (await campaignNaming(workspaceId, 'sender_profile_id', id)) throw new AppError('sender_profile_in_use')
  await db.senderProfile.deleteMany({ where: { id, workspace_id: workspaceId } })
}
