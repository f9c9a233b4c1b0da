import type { Pool, PoolClient } from 'pg'
import { pool as ourPool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { findPublished, nextCheck } from '#lib/domain/social/social-post'
import { AppError } from '#lib/errors'
import { SocialReadError } from '#lib/providers/social/port'
import { type Asking, accountsFor } from '#lib/services/instance/given-senders'
import { checkGiven, getSocialPost, ownAccount } from '#lib/services/posts/posts'
import { mayBegin, type PostingOptions } from '#lib/services/posts/publish'
import {
  type PostAtWork,
  postAccount,
  resolvePost,
  WITH_ACCOUNT,
  writePublished,
} from '#lib/services/posts/state'

type Looking = Pick<PostingOptions, 'pool' | 'findProvider' | 'clock'>

/** Looks for uncertain posts on their accounts, each when it is due; returns how many were found. */
export async function settleUncertain(options: PostingOptions): Promise<number> {
  let settled = 0
  while (mayBegin(options)) {
    const post = await nextUncertain(options)
    if (!post) break
    if (await lookFor(options, post)) settled += 1
  }
  return settled
}

/** The next look is scheduled before the network is asked, so that a post that crashes its worker does not hold up the others. */
async function nextUncertain({ pool, clock }: Looking): Promise<PostAtWork | null> {
  const now = clock()
  const { rows } = await pool.query<PostAtWork>(
    `WITH looked AS (
       UPDATE social_posts SET next_check_at = $1::timestamptz + interval '5 minutes' WHERE id = (
         SELECT id FROM social_posts WHERE uncertain AND next_check_at <= $1
         ORDER BY next_check_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING *)
     SELECT looked.*, ${WITH_ACCOUNT} FROM looked LEFT JOIN connected_accounts a ON a.account_id = connected_account_id`,
    [now],
  )
  return rows[0] ?? null
}

/** Whether the network shows the post, which is then marked as published. If not found, it is looked for again later. */
async function lookFor({ pool, findProvider, clock }: Looking, post: PostAtWork): Promise<boolean> {
  const retryAfter = await seek({ pool, findProvider, clock }, post)
  if (retryAfter === 'found') return true
  const now = clock()
  const next = nextCheck(post.offered_at ?? post.updated_at, now)
  const earliest = new Date(now.getTime() + retryAfter * 1_000)
  await pool.query('UPDATE social_posts SET next_check_at = $2 WHERE id = $1 AND uncertain', [
    post.id,
    next && next < earliest ? earliest : next,
  ])
  return false
}

/** `found`, or the minimum number of seconds to wait before asking again. */
async function seek({ pool, findProvider, clock }: Looking, post: PostAtWork): Promise<'found' | number> {
  if (post.driver === null || !post.offered_at) return 0
  const offer = { text: post.text, offered_at: post.offered_at }
  try {
    const recent = await findProvider(post.driver).recentPosts(postAccount(post))
    const isFound = await inTransaction(pool, async (client) => {
      const evidence = findPublished(offer, recent, await knownPosts(client, post))
      return evidence !== null && writePublished(client, post, evidence, clock())
    })
    return isFound ? 'found' : 0
  } catch (error) {
    if (error instanceof SocialReadError) return error.retry_after_seconds ?? 0
    throw error
  }
}

/** Posts that are already matched on the account. The account is locked, so that two equal posts cannot claim the same publication. */
async function knownPosts(client: PoolClient, post: PostAtWork): Promise<Set<string>> {
  const account = [post.connected_account_id]
  await client.query('SELECT 1 FROM connected_accounts WHERE account_id = $1 FOR NO KEY UPDATE', account)
  const { rows } = await client.query<{ provider_post_id: string }>(
    `SELECT provider_post_id FROM social_posts WHERE connected_account_id = $1 AND provider_post_id IS NOT NULL
     ORDER BY created_at DESC LIMIT 5000`,
    account,
  )
  return new Set(rows.map((row) => row.provider_post_id))
}

async function uncertainPost(pool: Pool, workspaceId: string, postId: string): Promise<PostAtWork> {
  const { rows } = await pool.query<PostAtWork>(
    `SELECT p.*, ${WITH_ACCOUNT} FROM social_posts p LEFT JOIN connected_accounts a ON a.account_id = connected_account_id
     WHERE id = $1 AND p.workspace_id = $2`,
    [postId, workspaceId],
  )
  const [post] = rows
  if (!post) throw new AppError('post_not_found')
  if (!post.uncertain) throw new AppError('post_not_uncertain')
  return post
}

/**
 * The owner's decision on an uncertain post. Before it is offered again the account is checked once more: a post found there is not
 * published twice, whatever the owner decides.
 */
export async function resolveSocialPost(
  user: Asking,
  postId: string,
  resolution: 'published' | 'publish_again',
  findProvider: PostingOptions['findProvider'],
  now: Date,
) {
  const { workspace_id: workspaceId } = user
  const options = { pool: ourPool(), findProvider, clock: () => now }
  const post = await uncertainPost(options.pool, workspaceId, postId)
  if (resolution === 'publish_again' && post.connected_account_id)
    checkGiven(await ownAccount(workspaceId, post.connected_account_id), await accountsFor(user))
  if (await lookFor(options, post)) return getSocialPost(workspaceId, postId, now)
  const isSettled = await resolvePost(
    options.pool,
    post,
    resolution === 'published' ? 'confirm' : 'publish_again',
    now,
  )
  if (!isSettled) throw new AppError('post_not_uncertain')
  return getSocialPost(workspaceId, postId, now)
}
