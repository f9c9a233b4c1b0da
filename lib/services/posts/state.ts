import type { ClientBase, Pool, PoolClient } from 'pg'
import type { SocialPostModel } from '#lib/db/generated/models'
import { sqlList } from '#lib/db/statements'
import { inTransaction } from '#lib/db/transaction'
import { POST_MOVES, type PostVerb } from '#lib/domain/social/post-moves'
import { nextAttempt, nextMetrics } from '#lib/domain/social/social-post'
import type { PublishedPost, SocialAccountRef, SocialNetwork } from '#lib/providers/social/port'
import { tell } from '#lib/services/telling/tell'

/** A post with the account it is published from; `driver` is null if the account is gone. */
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

/*
 * The only writer of the status of posts. Guards and targets come from the domain's table of moves, and notifications are written in the
 * same transaction. A post is `publishing` under its own reference; a worker without that reference writes nothing.
 */

type Writer = Pool | PoolClient

/** SQL: the status a verb leads to, and whether the verb is allowed in a status. */
const to = (verb: PostVerb) => `'${POST_MOVES[verb].to}'::"SocialPostStatus"`
const may = (verb: PostVerb) => `status IN (${sqlList(POST_MOVES[verb].from)})`
const BY_REFERENCE = 'id = $1 AND reference = $2'

/** Whether the owner may still change the post. */
export const isOpenPost = ({ status }: Pick<SocialPostModel, 'status'>) =>
  POST_MOVES.schedule.from.some((open) => open === status)

/** Fields that schedule an open post, for an edit's own statement; they clear every trace of an earlier attempt. */
export const scheduledPost = (at: Date) => ({
  status: POST_MOVES.schedule.to,
  scheduled_at: at,
  next_attempt_at: at,
  retry_count: 0,
  last_error: null,
})

/** Fields that turn an open post back into a draft, in the same way. */
export const withdrawnPost = () => ({
  status: POST_MOVES.withdraw.to,
  next_attempt_at: null,
  retry_count: 0,
  last_error: null,
})

/** Claims the post that has been due longest for one worker until `lease`; null if none is due. */
export async function claimPost(
  db: Writer,
  { reference, lease }: { reference: string; lease: Date },
  now: Date,
): Promise<PostAtWork | null> {
  const { rows } = await db.query<PostAtWork>(
    `WITH claimed AS (
       UPDATE social_posts SET status = ${to('claim')}, reference = $2, offered_at = $1, lease_until = $3, updated_at = $1
       WHERE id = (
         SELECT id FROM social_posts WHERE ${may('claim')} AND next_attempt_at <= $1
         ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING *)
     SELECT claimed.*, ${WITH_ACCOUNT} FROM claimed LEFT JOIN connected_accounts a ON a.account_id = connected_account_id`,
    [now, reference, lease],
  )
  return rows[0] ?? null
}

/** Marks posts as uncertain whose worker has not reported within its lease. */
export async function abandonPosts(db: Writer, now: Date): Promise<void> {
  await db.query(
    `UPDATE social_posts SET uncertain = true, lease_until = NULL, next_check_at = $1, updated_at = $1,
       last_error = 'It was under way when its worker ended; it may be published.'
     WHERE ${may('confirm')} AND lease_until < $1`,
    [now],
  )
}

/** Marks a post as published. Returns false if another worker has settled it before. */
export async function writePublished(
  db: Writer,
  post: PostAtWork,
  found: PublishedPost & { at: Date },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE social_posts SET status = ${to('confirm')}, uncertain = false, published_at = $3, provider_post_id = $4,
       social_id = $5, share_url = $6, author_name = $7, author_id = $8, next_metrics_at = $9, last_error = NULL,
       reference = NULL, lease_until = NULL, next_check_at = NULL, next_attempt_at = NULL, updated_at = $10
     WHERE ${BY_REFERENCE} AND ${may('confirm')}`,
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

/** Nothing was published: the post is scheduled for another try, or failed after enough of them. */
export async function writeRefused(
  pool: Pool,
  { id, reference, retry_count }: PostAtWork,
  refusal: { response: string; may_retry: boolean; retry_after_seconds: number | null },
  now: Date,
): Promise<void> {
  const failures = retry_count + 1
  const next = refusal.may_retry ? nextAttempt(failures, now, refusal.retry_after_seconds) : null
  const verb = next ? 'retry' : 'give_up'
  const sql = `UPDATE social_posts SET status = ${to(verb)}, uncertain = false, retry_count = $3, next_attempt_at = $4,
       last_error = $5, reference = NULL, lease_until = NULL, next_check_at = NULL, updated_at = $6
     WHERE ${BY_REFERENCE} AND ${may(verb)} RETURNING workspace_id, id, connected_account_id, text, last_error`
  const error = refusal.response.slice(0, 1_000)
  const values = [id, reference, failures, next, error, now]
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<FailedPost>(sql, values)
    if (!next) for (const row of rows) await tellOfFailed(client, row, now)
  })
}

/** The outcome is unknown. The worker may still report, so the reference stays. */
export async function writeUncertain(
  db: Writer,
  { id, reference }: PostAtWork,
  response: string,
  now: Date,
): Promise<void> {
  await db.query(
    `UPDATE social_posts SET uncertain = true, lease_until = NULL, next_check_at = $3, last_error = $4, updated_at = $3
     WHERE ${BY_REFERENCE} AND ${may('confirm')}`,
    [id, reference, now, response.slice(0, 1_000)],
  )
}

/** The owner's decision on an uncertain post. False if it was settled or offered again since it was read. */
export async function resolvePost(
  db: Writer,
  { id, workspace_id, reference, offered_at }: PostAtWork,
  verb: 'confirm' | 'publish_again',
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE social_posts SET status = ${to(verb)}, uncertain = false, reference = NULL, next_check_at = NULL, lease_until = NULL,
       last_error = NULL, updated_at = $4, ${
         verb === 'confirm' ? 'published_at = $5' : 'next_attempt_at = $5, retry_count = 0'
       }
     WHERE ${BY_REFERENCE} AND workspace_id = $3 AND uncertain AND ${may(verb)}`,
    [id, reference, workspace_id, now, verb === 'confirm' ? offered_at : now],
  )
  return rowCount === 1
}

/**
 * For a restored database: posts that were due may have been published since the backup, so their owner must schedule them again. The
 * tables have the backup's version.
 */
export async function holdRestoredPosts(client: ClientBase): Promise<void> {
  await client.query(
    `UPDATE social_posts SET status = ${to('hold')}, next_attempt_at = NULL,
       last_error = 'Restored from a backup, which does not know what was published after it: look, and schedule it again.'
     WHERE ${may('hold')}`,
  )
}

type FailedPost = {
  workspace_id: string
  id: string
  connected_account_id: string | null
  text: string
  last_error: string | null
}

/** Only for posts scheduled to publish by themselves: nobody is watching when they fail. */
async function tellOfFailed(client: PoolClient, post: FailedPost, at: Date): Promise<void> {
  const { workspace_id, id: post_id, connected_account_id, last_error: error } = post
  const text = Array.from(post.text).slice(0, 500).join('')
  const name = Array.from(post.text.replace(/\s+/g, ' ')).slice(0, 60).join('')
  await tell(
    client,
    [{ type: 'post.failed', workspace_id, at, data: { post_id, connected_account_id, text, error } }],
    [{ workspace_id, kind: 'post_failed', data: { name, reason: error?.slice(0, 500) ?? null, post_id } }],
  )
}
