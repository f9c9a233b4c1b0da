import { pool } from '#lib/db/client'
import { fileStorage } from '#lib/services/files/storage'
import { roundEnd } from '#lib/services/instance/round-time'
import { isStopping } from '#lib/services/instance/stopping'
import { countPosts } from '#lib/services/posts/count'
import { publishDue } from '#lib/services/posts/publish'
import { settleUncertain } from '#lib/services/posts/settle'
import { socialProvider } from '#lib/services/senders/social-provider'

const options = () => ({
  pool: pool(),
  findProvider: socialProvider,
  findStorage: fileStorage,
  clock: () => new Date(),
  until: roundEnd(new Date()),
  stopping: isStopping,
})

type Published = { offered: number; found: number; counted: number; goes_on: boolean }

/** One round: publishes due posts, settles uncertain ones, and updates the metrics of published ones. */
export async function publishRound(): Promise<Published> {
  const round = options()
  const offered = await publishDue(round)
  const found = await settleUncertain(round)
  const counted = await countPosts(round)
  return { offered, found, counted, goes_on: new Date() >= round.until }
}
