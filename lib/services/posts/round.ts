import { pool } from '#lib/db/client'
import { removeStrays } from '#lib/services/files/files'
import { fileStorage } from '#lib/services/files/storage'
import { isStopping } from '#lib/services/instance/stopping'
import { countPosts } from '#lib/services/posts/count'
import { publishDue } from '#lib/services/posts/publish'
import { settleUncertain } from '#lib/services/posts/settle'
import { socialProvider } from '#lib/services/senders/social-provider'

/** One call of a background function stays well below the time that a host gives it. */
const ROUND_MS = 25_000

const options = () => ({
  pool: pool(),
  findProvider: socialProvider,
  findStorage: fileStorage,
  clock: () => new Date(),
  until: new Date(Date.now() + ROUND_MS),
  stopping: isStopping,
})

/** Offers what is due, and looks for what is uncertain. The next minute goes on with what is left. */
export async function publishRound(): Promise<{ offered: number; found: number }> {
  const offered = await publishDue(options())
  return { offered, found: await settleUncertain(options()) }
}

export const countRound = async () => ({ counted: await countPosts(options()) })

export const strayFileRound = async () => ({ removed: await removeStrays(pool(), fileStorage, new Date()) })
