import { db } from '#lib/db/client'
import { seal } from '#lib/db/seal'
import { AppError, invalid } from '#lib/errors'
import { readAccount } from '#lib/services/domains/snds/read'
import { type FindSnds, findSnds, SANDBOX_KEY } from '#lib/services/domains/snds/readers'
import { sndsSummary } from '#lib/services/domains/snds/summary'
import { hasSandbox } from '#lib/services/senders/sandbox'

/** Reads the key, given alone or within the URL that Microsoft shows. Nothing else of the URL is used. */
function readKey(typed: string): string {
  const text = typed.trim()
  if (text === SANDBOX_KEY && hasSandbox()) return text
  const key = URL.parse(text)?.searchParams.get('key') ?? text
  if (/^[0-9A-Za-z-]{16,100}$/.test(key)) return key
  throw invalid(['body', 'key'], 'is not a key: copy the full address under “Automated data access”')
}

/** Connects SNDS. The key is tried before it is stored, and its data is read at once. */
export async function connectSnds(workspace_id: string, typed: string, now: Date, find: FindSnds = findSnds) {
  const key = readKey(typed)
  const tried = await find(key).readBlocks(key)
  if (!tried.ok && tried.fault === 'key') throw new AppError('snds_key_refused')
  if (!tried.ok) throw new AppError('provider_unavailable', { message: tried.said })
  const fields = {
    key: seal(key, workspace_id),
    is_made_up: key === SANDBOX_KEY,
    connected_at: now,
    next_read_at: now,
    read_at: null,
    said: null,
    blocked: tried.blocks,
  }
  await db.$transaction(async (tx) => {
    await tx.sndsDay.deleteMany({ where: { workspace_id } })
    await tx.sndsAccount.upsert({
      where: { workspace_id },
      create: { workspace_id, ...fields },
      update: fields,
    })
  })
  await readAccount(workspace_id, now, find)
  return sndsSummary(workspace_id, now)
}

export async function disconnectSnds(workspace_id: string): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.sndsDay.deleteMany({ where: { workspace_id } })
    const { count } = await tx.sndsAccount.deleteMany({ where: { workspace_id } })
    if (count === 0) throw new AppError('snds_not_connected')
  })
}
