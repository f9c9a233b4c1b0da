import type { z } from 'zod'
import {
  type ExportSuppressions,
  type ListSuppressions,
  MAX_REASONS,
  type ReadSuppressionReasons,
} from '#lib/contracts/leads/suppressions'
import { db } from '#lib/db/client'
import { likeText } from '#lib/db/like'
import { rowsOfPage } from '#lib/db/page'
import { DAY_MS } from '#lib/domain/calendar/zoned-time'
import { readSuppression } from '#lib/domain/leads/suppression-value'

type Query = z.output<typeof ListSuppressions.query>
type Filters = Omit<z.output<typeof ExportSuppressions.query>, 'format'>
type Parent = { workspace_id: string; name: string }

/** The parent workspace, whose list applies here too. */
export async function findParent(workspaceId: string): Promise<Parent | null> {
  const workspace = await db.workspace.findUnique({
    where: { workspace_id: workspaceId },
    select: { parent: { select: { workspace_id: true, name: true } } },
  })
  return workspace?.parent ?? null
}

/** Normalizes a search: profiles and numbers in any spelling, addresses and domains also in part. */
function searched(search: string): string {
  const reading = readSuppression(search)
  const [value = ''] = 'values' in reading ? reading.values : []
  return value !== '' && !value.includes('@') ? value : search.toLowerCase()
}

/** Which lists to read: the workspace's own, its parent's, or both. */
export function listsAsked(workspaceId: string, parent: Parent | null, from: Filters['from']): string[] {
  const own = from === 'parent' ? [] : [workspaceId]
  return parent && from !== 'own' ? [...own, parent.workspace_id] : own
}

/** The filter conditions for entries of these lists. */
export const entryFilter = (lists: string[], { search, reason, added_in_days }: Filters, now: Date) => ({
  workspace_id: { in: lists },
  ...(search ? { value: { contains: likeText(searched(search)) } } : {}),
  ...(reason ? { reason } : {}),
  ...(added_in_days ? { created_at: { gte: new Date(now.getTime() - added_in_days * DAY_MS) } } : {}),
})

/** Newest first, unless `sort` says otherwise. */
function toOrder(sort: Query['sort']) {
  const way = sort?.startsWith('-') ? ('desc' as const) : ('asc' as const)
  const newest = [{ created_at: 'desc' as const }, { suppression_id: 'desc' as const }]
  if (sort === 'value' || sort === '-value') return [{ value: way }, ...newest]
  if (sort === 'reason' || sort === '-reason') return [{ reason: way }, ...newest]
  return sort === 'created_at' ? [{ created_at: way }, { suppression_id: way }] : newest
}

export async function listSuppressions(workspaceId: string, query: Query, now: Date) {
  const { page, page_size, sort, ...filters } = query
  const parent = await findParent(workspaceId)
  const where = entryFilter(listsAsked(workspaceId, parent, filters.from), filters, now)
  const [items, total] = await Promise.all([
    db.suppression.findMany({ where, orderBy: toOrder(sort), ...rowsOfPage({ page, page_size }) }),
    db.suppression.count({ where }),
  ])
  const withSource = items.map((item) => {
    const inherited_from = item.workspace_id === workspaceId ? null : parent
    return { ...item, inherited_from }
  })
  return { items: withSource, total, page, page_size }
}

/** The number of entries per reason, whichever reason is selected. */
export async function countReasons(
  workspaceId: string,
  filters: z.output<typeof ReadSuppressionReasons.query>,
  now: Date,
) {
  const parent = await findParent(workspaceId)
  const counted = await db.suppression.groupBy({
    by: ['reason'],
    where: entryFilter(listsAsked(workspaceId, parent, filters.from), filters, now),
    _count: { reason: true },
    orderBy: [{ _count: { reason: 'desc' } }, { reason: 'asc' }],
    take: MAX_REASONS,
  })
  return { items: counted.map(({ reason, _count }) => ({ reason, count: _count.reason })) }
}
