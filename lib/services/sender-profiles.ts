import type { z } from 'zod'
import {
  type CreateSenderProfile,
  type ListSenderProfiles,
  SenderProfile,
  type UpdateSenderProfile,
} from '#lib/contracts/sender-profiles'
import { db } from '#lib/db/client'
import type { InputJsonObject } from '#lib/db/json'
import { AppError } from '#lib/errors'
import { campaignNaming } from '#lib/services/campaign-references'
import { type EditTx, edit } from '#lib/services/edits'

type SenderData = SenderProfile['sender_data']

const typed = <T extends { sender_data: unknown }>(
  row: T,
): Omit<T, 'sender_data'> & { sender_data: SenderData } => ({
  ...row,
  sender_data: row.sender_data as SenderData,
})

const wrapped = (data: Record<string, unknown>) => ({ data }) as InputJsonObject

export async function listSenderProfiles(userId: string, query: z.output<typeof ListSenderProfiles.query>) {
  const { page, page_size } = query
  const where = { user_id: userId }
  const [rows, total] = await Promise.all([
    db.senderProfile.findMany({
      where,
      orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
      skip: (page - 1) * page_size,
      take: page_size,
    }),
    db.senderProfile.count({ where }),
  ])
  return { sender_profiles: rows.map(typed), total, page, page_size }
}

/** At most one default: the old one gives way in the same transaction. */
async function giveWay(tx: EditTx, userId: string): Promise<void> {
  await tx.$queryRaw`SELECT user_id FROM users WHERE user_id = ${userId}::uuid FOR UPDATE`
  await tx.senderProfile.updateMany({
    where: { user_id: userId, is_default: true },
    data: { is_default: false },
  })
}

export async function createSenderProfile(userId: string, fields: z.output<typeof CreateSenderProfile.body>) {
  const data = { ...fields, user_id: userId, sender_data: wrapped(fields.sender_data) }
  const row = await db.$transaction(async (tx) => {
    if (fields.is_default) await giveWay(tx, userId)
    return tx.senderProfile.create({ data })
  })
  return typed(row)
}

export async function getSenderProfile(userId: string, id: string) {
  const row = await db.senderProfile.findFirst({ where: { id, user_id: userId } })
  if (!row) throw new AppError('sender_profile_not_found')
  return typed(row)
}

export async function updateSenderProfile(
  userId: string,
  id: string,
  { sender_data, version, ...fields }: z.output<typeof UpdateSenderProfile.body>,
) {
  const data = { ...fields, ...(sender_data ? { sender_data: wrapped(sender_data) } : {}) }
  const key = { id, user_id: userId }
  const row = await edit({
    table: 'sender_profiles',
    key,
    version,
    missing: 'sender_profile_not_found',
    current: async () => SenderProfile.parse(await getSenderProfile(userId, id)),
    // Before the profile itself, since two that become the default at once would wait for each other.
    first: async (tx) => (fields.is_default ? giveWay(tx, userId) : undefined),
    write: (tx) => tx.senderProfile.update({ where: key, data }),
  })
  return typed(row)
}

export async function deleteSenderProfile(userId: string, id: string): Promise<void> {
  await getSenderProfile(userId, id)
  if (await campaignNaming(userId, 'sender_profile_id', id)) throw new AppError('sender_profile_in_use')
  await db.senderProfile.deleteMany({ where: { id, user_id: userId } })
}
