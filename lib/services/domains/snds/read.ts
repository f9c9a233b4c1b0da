import { db, pool } from '#lib/db/client'
import type { SndsAccountModel } from '#lib/db/generated/models'
import { unsealOrNull } from '#lib/db/seal'
import type { SndsDay } from '#lib/domain/domains/counted/snds'
import type { SndsReader, SndsRefusal } from '#lib/providers/snds/port'
import { type FindSnds, findSnds } from '#lib/services/domains/snds/readers'

export const DAYS = 14
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Microsoft counts a day once it is over, sometimes a day later. */
const NEXT_MS = 12 * HOUR_MS
/** Retry delay after a worker died, or Microsoft was busy. */
const AGAIN_MS = HOUR_MS
/** How many recent days may still change. */
const OPEN_DAYS = 3
/** Accounts per turn, read one after the other. */
const BATCH = 20

/** Reads every account that is due. Two workers never take the same one. */
export async function readDueSnds(now: Date, find: FindSnds = findSnds): Promise<{ read: number }> {
  const { rows } = await pool().query<{ workspace_id: string }>(
    `UPDATE snds_accounts SET next_read_at = $2 WHERE workspace_id IN (
       SELECT workspace_id FROM snds_accounts WHERE next_read_at <= $1
       ORDER BY next_read_at LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING workspace_id`,
    [now, new Date(now.getTime() + AGAIN_MS)],
  )
  const faults: unknown[] = []
  for (const { workspace_id } of rows)
    await readAccount(workspace_id, now, find).catch((fault: unknown) => faults.push(fault))
  // A failed write does not hold up the other accounts.
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} SNDS accounts could not be read`)
  return { read: rows.length }
}

const toDate = (at: number) => new Date(at).toISOString().slice(0, 10)

/** Reads the current blocks, and the days that are not known yet or may have changed. */
export async function readAccount(workspace_id: string, now: Date, find: FindSnds = findSnds): Promise<void> {
  const account = await db.sndsAccount.findUnique({ where: { workspace_id } })
  if (!account) return
  const key = unsealOrNull(account.key, workspace_id)
  if (key === null)
    return put(account, now, { said: 'The key cannot be decrypted. Was ENCRYPTION_KEY changed?' })
  const refused = await readAll(account, key, find(key), now)
  if (!refused) return put(account, now, { said: null, read_at: now })
  // A refused key is tried again later, since Microsoft sometimes refuses valid keys.
  return put(account, now, { said: refused.said.slice(0, 500) }, refused.fault === 'key' ? NEXT_MS : AGAIN_MS)
}

async function readAll(
  { workspace_id, read_at, connected_at }: SndsAccountModel,
  key: string,
  reader: SndsReader,
  now: Date,
): Promise<SndsRefusal | null> {
  const status = await reader.readBlocks(key)
  if (!status.ok) return status
  await db.sndsAccount.updateMany({ where: { workspace_id, connected_at }, data: { blocked: status.blocks } })
  const missed = read_at ? Math.ceil((now.getTime() - read_at.getTime()) / DAY_MS) + OPEN_DAYS : DAYS
  for (let back = 0; back < Math.min(missed, DAYS); back++) {
    const date = toDate(now.getTime() - back * DAY_MS)
    const answer = await reader.readDay(key, date)
    if (!answer.ok) return answer
    await keepDay({ workspace_id, connected_at }, date, answer.days)
  }
  const oldest = new Date(toDate(now.getTime() - (DAYS - 1) * DAY_MS))
  await db.sndsDay.deleteMany({ where: { workspace_id, date: { lt: oldest } } })
  return null
}

/** Replaces the data of one day, unless the account was disconnected or got another key meanwhile. */
async function keepDay(of: { workspace_id: string; connected_at: Date }, date: string, days: SndsDay[]) {
  const { workspace_id } = of
  const at = new Date(date)
  const once = new Map(days.map((day) => [day.ip, day]))
  await db.$transaction(async (tx) => {
    const { count } = await tx.sndsAccount.updateMany({ where: of, data: { connected_at: of.connected_at } })
    if (count === 0) return
    await tx.sndsDay.deleteMany({ where: { workspace_id, date: at } })
    await tx.sndsDay.createMany({
      data: [...once.values()].map((day) => ({ ...day, workspace_id, date: at })),
    })
  })
}

const put = async (
  { workspace_id, connected_at }: SndsAccountModel,
  now: Date,
  data: { said: string | null; read_at?: Date },
  after = NEXT_MS,
) => {
  const next_read_at = new Date(now.getTime() + after)
  await db.sndsAccount.updateMany({ where: { workspace_id, connected_at }, data: { ...data, next_read_at } })
}
