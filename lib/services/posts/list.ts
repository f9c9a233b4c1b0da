import type { z } from 'zod'
import type { ListSocialPosts } from '#lib/contracts/posts/social-posts'
import { db, pool } from '#lib/db/client'
import { inOrder } from '#lib/db/page'
import { listCursor } from '#lib/domain/text/list-cursor'
import { include, postAccounts, shownPost } from '#lib/services/posts/posts'

type Query = z.output<typeof ListSocialPosts.query>

/** SQL: sort keys of a post `p` of an account `a`. A post that was never counted is not treated as 0. */
const SORTED_BY: Record<string, string> = {
  text: 'lower(p.text)',
  status: 'p.status',
  account: 'lower(a.name)',
  at: 'coalesce(p.published_at, p.scheduled_at)',
  impressions: 'CASE WHEN p.metrics_updated_at IS NOT NULL THEN p.impressions END',
  reactions: 'CASE WHEN p.metrics_updated_at IS NOT NULL THEN p.reactions END',
}

export async function listSocialPosts(workspaceId: string, query: Query, now: Date) {
  const { connected_account_id, status } = query
  const where = {
    workspace_id: workspaceId,
    ...(connected_account_id ? { connected_account_id } : {}),
    ...(status ? { status } : {}),
  }
  const [page, total_count, accounts] = await Promise.all([
    query.sort ? sortedPosts(workspaceId, query, query.sort) : newestPosts(where, query),
    db.socialPost.count({ where }),
    postAccounts(workspaceId),
  ])
  const items = page.rows.map((row) => shownPost(row, now))
  return { items, accounts, next_after: page.next && listCursor(page.next), total_count }
}

async function newestPosts(where: { workspace_id: string }, { after, limit }: Query) {
  const at = after && new Date(after.at)
  const beyond = after && at && { OR: [{ created_at: { lt: at } }, { created_at: at, id: { lt: after.id } }] }
  const posts = await db.socialPost.findMany({
    where: { ...where, ...beyond },
    include,
    orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  const rows = posts.slice(0, limit)
  const last = posts.length > limit ? rows.at(-1) : undefined
  return { rows, next: last ? { at: last.created_at.getTime(), id: last.id } : null }
}

/** When sorted by a value that posts share, the cursor holds the number of posts shown so far instead of an instant. */
async function sortedPosts(workspaceId: string, query: Query, sort: string) {
  const { connected_account_id, status, after, limit } = query
  const skipped = after?.at ?? 0
  const way = sort.startsWith('-') ? 'DESC' : 'ASC'
  const { rows: ordered } = await pool().query<{ id: string }>(
    `SELECT p.id FROM social_posts p LEFT JOIN connected_accounts a ON a.account_id = p.connected_account_id
     WHERE p.workspace_id = $1 AND ($2::uuid IS NULL OR p.connected_account_id = $2)
       AND ($3::text IS NULL OR p.status::text = $3)
     ORDER BY ${SORTED_BY[sort.replace('-', '')]} ${way} NULLS LAST, p.id DESC OFFSET $4 LIMIT $5`,
    [workspaceId, connected_account_id ?? null, status ?? null, skipped, limit + 1],
  )
  const ids = ordered.slice(0, limit).map(({ id }) => id)
  const unordered = await db.socialPost.findMany({
    where: { workspace_id: workspaceId, id: { in: ids } },
    include,
  })
  const last = ids.at(-1)
  return {
    rows: inOrder(ids, unordered, ({ id }) => id),
    next: ordered.length > limit && last ? { at: skipped + limit, id: last } : null,
  }
}

/** The number of posts by status. */
export async function countPosts(workspace_id: string): Promise<Record<string, number>> {
  const rows = await db.socialPost.groupBy({ by: ['status'], where: { workspace_id }, _count: true })
  return Object.fromEntries(rows.map(({ status, _count }) => [status, _count]))
}
