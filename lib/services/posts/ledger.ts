import type { Pool, PoolClient } from 'pg'
import type { SocialPostModel } from '#lib/db/generated/models'
import { inTransaction } from '#lib/db/transaction'
import { nextAttempt, nextMetrics } from '#lib/domain/social/social-post'
import type { PublishedPost, SocialAccountRef, SocialNetwork } from '#lib/providers/social/port'
import { tell } from '#lib/services/telling/tell'

/** A post with the account it leaves from; `driver` is null where the account is gone. */
export type PostAtWork = SocialPostModel & {
  driver: string | null
  provider: SocialNetwork
  provider_account_id: string
  account_name: string
  account_handle: string | null
  account_status: 'connected' | 'failing' | 'disconnected'
}

export const WITH_ACCOUNT = `a.driver, a.provider, a.provider_account_id, a.name AS account_name,
  a.handle AS account_handle, a.status AS account_status`

export const postAccount = ({ provider_account_id, provider }: PostAtWork): SocialAccountRef => ({
  provider_account_id,
  network: provider,
})

type Writer = Pool | PoolClient

/** It stands on the network. Answers whether this is news: another may have settled it before. */
export async function writePublished(
  db: Writer,
  post: PostAtWork,
  found: PublishedPost & { at: Date },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE social_posts SET status = 'published', uncertain = false, published_at = $3, provider_post_id = $4,
       social_id = $5, share_url = $6, author_name = $7, author_id = $8, next_metrics_at = $9, last_error = NULL,
       reference = NULL, lease_until = NULL, next_check_at = NULL, next_attempt_at = NULL, updated_at = $10
     WHERE id = $1 AND reference = $2 AND status = 'publishing'`,
    [
      post.id,
      post.reference,
      found.at,
      found.provider_post_id,
      found.social_id,
      found.url,
      post.account_name,
      post.account_handle ?? post.provider_account_id,
      nextMetrics(found.at, now),
      now,
    ],
  )
  return rowCount === 1
}

/** Nothing was published: offered again in a while, or given up after enough of that. */
export async function writeRefused(
  pool: Pool,
  { id, reference, retry_count }: PostAtWork,
  refusal: { response: string; may_retry: boolean; retry_after_seconds: number | null },
  now: Date,
): Promise<void> {
  const failures = retry_count + 1
  const next = refusal.may_retry ? nextAttempt(failures, now, refusal.retry_after_seconds) : null
  const sql = `UPDATE social_posts SET status = $3::"SocialPostStatus", uncertain = false, retry_count = $4, next_attempt_at = $5,
       last_error = $6, reference = NULL, lease_until = NULL, next_check_at = NULL, updated_at = $7
     WHERE id = $1 AND reference = $2 AND status = 'publishing' RETURNING user_id, id, connected_account_id, text, last_error`
  const error = refusal.response.slice(0, 1_000)
  const values = [id, reference, next ? 'scheduled' : 'failed', failures, next, error, now]
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<FailedPost>(sql, values)
    if (!next) for (const row of rows) await tellOfFailed(client, row, now)
  })
}

/** Nobody knows. Its worker may still speak up, so the reference stays. */
export async function writeUncertain(
  db: Writer,
  { id, reference }: PostAtWork,
  response: string,
  now: Date,
): Promise<void> {
  await db.query(
    `UPDATE social_posts SET uncertain = true, lease_until = NULL, next_check_at = $3, last_error = $4, updated_at = $3
     WHERE id = $1 AND reference = $2 AND status = 'publishing'`,
    [id, reference, now, response.slice(0, 1_000)],
  )
}

type FailedPost = {
  user_id: string
  id: string
  connected_account_id: string | null
  text: string
  last_error: string | null
}

/** It was to leave by itself, at a time of its own: nobody looks when it is given up. */
async function tellOfFailed(client: PoolClient, post: FailedPost, at: Date): Promise<void> {
  const { user_id, id: post_id, connected_account_id, last_error: error } = post
  const text = Array.from(post.text).slice(0, 500).join('')
  const name = Array.from(post.text.replace(/\s+/g, ' ')).slice(0, 60).join('')
  await tell(
    client,
    [{ type: 'post.failed', user_id, at, data: { post_id, connected_account_id, text, error } }],
    [{ user_id, kind: 'post_failed', data: { name, reason: error?.slice(0, 500) ?? null, post_id } }],
  )
}
