import type { z } from 'zod'
import type {
  CreateSenderProfile,
  ListSenderProfiles,
  SenderProfile,
  UpdateSenderProfile,
} from '#lib/contracts/sender-profiles'
import { db } from '#lib/db/client'
import type { InputJsonObject } from '#lib/db/json'
import { AppError } from '#lib/errors'
import { campaignNaming } from '#lib/services/campaign-references'

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
async function withDefault<T>(
  userId: string,
  isDefault: boolean | undefined,
  write: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.$transaction(async (tx) => {
    if (isDefault) {
      await tx.$queryRaw`SELECT user_id FROM users WHERE user_id = ${userId}::uuid FOR UPDATE`
      await tx.senderProfile.updateMany({
        where: { user_id: userId, is_default: true },
        data: { is_default: false },
      })
    }
    return write(tx)
  })
}
type Tx = Pick<typeof db, 'senderProfile'>

export async function createSenderProfile(userId: string, fields: z.output<typeof CreateSenderProfile.body>) {
  const data = { ...fields, user_id: userId, sender_data: wrapped(fields.sender_data) }
  return typed(await withDefault(userId, fields.is_default, (tx) => tx.senderProfile.create({ data })))
}

export async function getSenderProfile(userId: string, id: string) {
  const row = await db.senderProfile.findFirst({ where: { id, user_id: userId } })
  if (!row) throw new AppError('sender_profile_not_found')
  return typed(row)
}

export async function updateSenderProfile(
  userId: string,
  id: string,
  { sender_data, ...fields }: z.output<typeof UpdateSenderProfile.body>,
) {
  await getSenderProfile(userId, id)
  const data = { ...fields, ...(sender_data ? { sender_data: wrapped(sender_data) } : {}) }
  const [row] = await withDefault(userId, fields.is_default, (tx) =>
    tx.senderProfile.updateManyAndReturn({ where: { id, user_id: userId }, data }),
  )
  if (!row) throw new AppError('sender_profile_not_found')
  return typed(row)
}

export async function deleteSenderProfile(userId: string, id: string): Promise<void> {
  await getSenderProfile(userId, id)
  if (await campaignNaming(userId, 'sender_profile_id', id)) throw new AppError('sender_profile_in_use')
  await db.senderProfile.deleteMany({ where: { id, user_id: userId } })
}
