import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { db } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import type { PublishedPost, SocialImage, SocialOutcome, SocialProvider } from '#lib/providers/social/port'
import type { FileStorage } from '#lib/providers/storage/port'
import {
  abandonPosts,
  claimPost,
  type PostAtWork,
  postAccount,
  writePublished,
  writeRefused,
  writeUncertain,
} from '#lib/services/posts/state'
import { disconnectAccount } from '#lib/services/senders/accounts/account-loss'

const MINUTE_MS = 60_000
/** Longer than the longest offer; a worker that has not reported by then is considered dead. */
const LEASE_MS = 10 * MINUTE_MS
/** An offer that begins later than this could outlast its lease. */
const BEGIN_MS = 4 * MINUTE_MS
const LANES = 4

export type PostingOptions = {
  pool: Pool
  findProvider: (driver: string) => SocialProvider
  findStorage: (name: string) => FileStorage
  clock: () => Date
  /** Nothing is begun after this instant. */
  until: Date
  /** Nothing is begun once this returns true: the process is about to end. */
  stopping?: () => boolean
}

/** Whether another offer may begin. */
export const mayBegin = ({ clock, until, stopping }: Pick<PostingOptions, 'clock' | 'until' | 'stopping'>) =>
  clock() < until && !stopping?.()

/**
 * Publishes the posts that are due. Each is marked `publishing` before it is offered, so a post whose worker died becomes uncertain and is
 * not offered again automatically: publishing twice is worse than not publishing. Returns how many were offered.
 */
export async function publishDue(options: PostingOptions): Promise<number> {
  await abandonPosts(options.pool, options.clock())
  let offered = 0
  const lane = async () => {
    while (mayBegin(options)) {
      const post = await claim(options)
      if (!post) return
      offered += 1
      await record(options, post, await offer(options, post))
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return offered
}

const claim = ({ pool, clock }: PostingOptions): Promise<PostAtWork | null> => {
  const now = clock()
  return claimPost(pool, { reference: randomUUID(), lease: new Date(now.getTime() + LEASE_MS) }, now)
}

type Offered = SocialOutcome<PublishedPost>

const notOffered = (response: string): Offered => ({
  outcome: 'never_left',
  response,
  sender_rejected: false,
})
const hopeless = (response: string): Offered => ({
  outcome: 'refused_for_good',
  code: null,
  response,
  blames: 'message',
})

async function offer(options: PostingOptions, post: PostAtWork): Promise<Offered> {
  if (post.driver === null) return hopeless('Its account was removed. Choose another.')
  if (post.account_status === 'disconnected') return notOffered('Reconnect the account.')
  const image = await readImage(options, post)
  if (image && 'outcome' in image) return image
  // A process that was suspended must not offer a post that another worker may have taken over.
  if (options.clock().getTime() > (post.offered_at?.getTime() ?? 0) + BEGIN_MS)
    return notOffered('It took too long to start.')
  const provider = providerFor(options, post.driver)
  if ('outcome' in provider) return provider
  return provider
    .publish(postAccount(post), { text: post.text, image }, post.reference ?? post.id)
    .catch((error: unknown) => ({ outcome: 'unknown', response: errorMessage(error) }))
}

/** The provider the account was connected with; an instance may be configured without it. */
function providerFor({ findProvider }: PostingOptions, driver: string): SocialProvider | Offered {
  try {
    return findProvider(driver)
  } catch (error) {
    return notOffered(errorMessage(error))
  }
}

async function readImage(
  { findStorage }: PostingOptions,
  { id }: PostAtWork,
): Promise<SocialImage | Offered | null> {
  const file = await db.socialPostAttachment.findFirst({ where: { post_id: id } })
  if (!file) return null
  try {
    const bytes = await findStorage(file.storage).read(file.location)
    if (!bytes) return hopeless('Its image is missing from storage. Choose it again.')
    return { filename: file.filename, content_type: file.content_type, bytes }
  } catch (error) {
    return notOffered(`Its image could not be read: ${errorMessage(error)}`)
  }
}

const errorMessage = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function record({ pool, clock }: PostingOptions, post: PostAtWork, offered: Offered): Promise<void> {
  const now = clock()
  switch (offered.outcome) {
    case 'accepted':
      await writePublished(pool, post, { ...offered.result, at: now }, now)
      return
    case 'unknown':
      return writeUncertain(pool, post, offered.response, now)
    case 'refused_for_good':
      return writeRefused(pool, post, { ...offered, may_retry: false, retry_after_seconds: null }, now)
    case 'refused_for_now':
      return writeRefused(pool, post, { ...offered, may_retry: true }, now)
    case 'never_left':
      if (offered.sender_rejected) await lost(pool, post, offered.response, now)
      return writeRefused(pool, post, { ...offered, may_retry: true, retry_after_seconds: null }, now)
  }
}

/** Marks the account as disconnected: the network requires the owner to sign in again. */
const lost = (pool: Pool, post: PostAtWork, reason: string, now: Date) =>
  inTransaction(pool, async (client) => {
    if (post.connected_account_id) await disconnectAccount(client, post.connected_account_id, reason, now)
  })
