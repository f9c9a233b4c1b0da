import type { Pool } from 'pg'
import { inTransaction } from '#lib/db/transaction'
import { nextMetrics } from '#lib/domain/social/social-post'
import { type SocialPostMetrics, SocialReadError } from '#lib/providers/social/port'
import { mayBegin, type PostingOptions } from '#lib/services/posts/publish'
import { type PostAtWork, postAccount, WITH_ACCOUNT } from '#lib/services/posts/state'

const HOUR_MS = 3_600_000
const LANES = 4
/** Most posts counted per call. */
const MOST = 400

type CountOptions = Omit<PostingOptions, 'findStorage'>

/** Asks the networks for the metrics of published posts that are due for it; returns how many were counted. */
export async function countPosts(options: CountOptions): Promise<number> {
  let [counted, taken] = [0, 0]
  const lane = async () => {
    while (mayBegin(options) && taken < MOST) {
      taken += 1
      const post = await nextToCount(options)
      if (!post) return
      if (await count(options, post)) counted += 1
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return counted
}

/**
 * The next count is scheduled before the network is asked, so that a post whose count crashes the worker is not asked for over and over.
 */
async function nextToCount({ pool, clock }: CountOptions): Promise<PostAtWork | null> {
  const now = clock()
  const { rows } = await pool.query<PostAtWork>(
    `WITH taken AS (
       UPDATE social_posts SET next_metrics_at = $2 WHERE id = (
         SELECT p.id FROM social_posts p WHERE p.next_metrics_at <= $1
         ORDER BY p.next_metrics_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING *)
     SELECT taken.*, ${WITH_ACCOUNT} FROM taken LEFT JOIN connected_accounts a ON a.account_id = connected_account_id`,
    [now, new Date(now.getTime() + HOUR_MS)],
  )
  return rows[0] ?? null
}

async function count({ pool, findProvider, clock }: CountOptions, post: PostAtWork): Promise<boolean> {
  const { published_at, provider_post_id } = post
  // Without an account there is no way to ask any more.
  if (post.driver === null || !published_at || !provider_post_id) {
    await setNext(pool, post.id, null)
    return false
  }
  try {
    const counts = await findProvider(post.driver).postMetrics(postAccount(post), provider_post_id)
    const now = clock()
    await write(pool, post, counts, nextMetrics(published_at, now), now)
    return true
  } catch (error) {
    if (!(error instanceof SocialReadError)) throw error
    const now = clock()
    const next = nextMetrics(published_at, now)
    const wait = new Date(now.getTime() + (error.retry_after_seconds ?? 0) * 1_000)
    await setNext(pool, post.id, error.reason === 'not_found' ? null : next && wait > next ? wait : next)
    return false
  }
}

const setNext = (pool: Pool, id: string, next: Date | null) =>
  pool.query('UPDATE social_posts SET next_metrics_at = $2 WHERE id = $1', [id, next])

/** Bounded to what the column holds. Networks have reported negative numbers. */
const bounded = (value: number | null) =>
  value === null ? null : Math.min(Math.max(Math.trunc(value), 0), 2 ** 31 - 1)

/** Writes the newest counts to the post and to its history. Counts that the network does not report stay as they were. */
async function write(pool: Pool, post: PostAtWork, counts: SocialPostMetrics, next: Date | null, now: Date) {
  const { impressions, reactions, comments, reposts } = counts
  const values = [impressions, reactions, comments, reposts].map(bounded)
  await inTransaction(pool, async (client) => {
    await client.query(
      `INSERT INTO social_post_metrics (post_id, at, workspace_id, impressions, reactions, comments, reposts)
       SELECT id, $2, workspace_id, $3, $4, $5, $6 FROM social_posts WHERE id = $1 ON CONFLICT DO NOTHING`,
      [post.id, now, ...values],
    )
    await client.query(
      `UPDATE social_posts SET metrics_updated_at = $2, impressions = coalesce($3, impressions),
         reactions = coalesce($4, reactions), comments = coalesce($5, comments), reposts = coalesce($6, reposts),
         next_metrics_at = $7
       WHERE id = $1`,
      [post.id, now, ...values, next],
    )
  })
}
