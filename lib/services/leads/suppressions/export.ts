import type { z } from 'zod'
import type { FileAnswer } from '#lib/contracts/fields'
import type { ExportSuppressions } from '#lib/contracts/leads/suppressions'
import { db } from '#lib/db/client'
import { withExportSeat } from '#lib/services/files/export-seats'
import { tableFile } from '#lib/services/files/table-file'
import { entryFilter, findParent, listsAsked } from '#lib/services/leads/suppressions/list'

const PAGE = 2_000
const COLUMNS = ['value', 'reason', 'inherited_from', 'created_at', 'suppression_id']

type Where = ReturnType<typeof entryFilter>

/** The workspace's list followed by its parent's, read page by page while the file is written. */
export async function exportSuppressions(
  workspaceId: string,
  { format, ...filters }: z.output<typeof ExportSuppressions.query>,
  now: Date,
): Promise<FileAnswer> {
  const parent = await findParent(workspaceId)
  const lists = listsAsked(workspaceId, parent, filters.from).map((id) => ({
    where: entryFilter([id], filters, now),
    name: id === workspaceId ? null : (parent?.name ?? null),
  }))
  return withExportSeat(workspaceId, tableFile('Suppressions', format, COLUMNS, pages(lists)))
}

async function* pages(lists: { where: Where; name: string | null }[]) {
  for (const { where, name } of lists) {
    let after: { created_at: Date; suppression_id: string } | undefined
    do {
      const rows = await db.suppression.findMany({
        where: { AND: [where, after ? isAfter(after) : {}] },
        orderBy: [{ created_at: 'asc' }, { suppression_id: 'asc' }],
        take: PAGE,
      })
      after = rows.length === PAGE ? rows.at(-1) : undefined
      yield rows.map(({ value, reason, created_at, suppression_id }) => [
        value,
        reason,
        name,
        created_at.toISOString(),
        suppression_id,
      ])
    } while (after)
  }
}

/** Entries after a position in the order; `gte` lets Postgres use the index. */
const isAfter = ({ created_at, suppression_id }: { created_at: Date; suppression_id: string }) => ({
  created_at: { gte: created_at },
  OR: [{ created_at: { gt: created_at } }, { suppression_id: { gt: suppression_id } }],
})
