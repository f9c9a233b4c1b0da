import type { z } from 'zod'
import type { FileAnswer } from '#lib/contracts/fields'
import type { ExportSuppressions } from '#lib/contracts/leads/suppressions'
import { db, pool } from '#lib/db/client'
import { seated } from '#lib/services/files/export-seats'
import { tableFile } from '#lib/services/files/table-file'

const PAGE = 2_000
const COLUMNS = ['value', 'reason', 'inherited_from', 'created_at', 'suppression_id']

type Entry = { suppression_id: string; value: string; reason: string; created_at: Date }

/** The list of the workspace and then its parent's, read page by page while the file is written. */
export async function exportSuppressions(
  workspaceId: string,
  { format }: z.output<typeof ExportSuppressions.query>,
): Promise<FileAnswer> {
  const workspace = await db.workspace.findUnique({
    where: { workspace_id: workspaceId },
    select: { parent: { select: { workspace_id: true, name: true } } },
  })
  const lists = [
    { workspace_id: workspaceId, name: null },
    ...(workspace?.parent ? [{ ...workspace.parent }] : []),
  ]
  return seated(workspaceId, tableFile('Suppressions', format, COLUMNS, pages(lists)))
}

async function* pages(lists: { workspace_id: string; name: string | null }[]) {
  for (const { workspace_id, name } of lists) {
    let after: Pick<Entry, 'created_at' | 'suppression_id'> | undefined
    do {
      const { rows } = await pool().query<Entry>(
        `SELECT suppression_id, value, reason, created_at FROM suppressions
         WHERE workspace_id = $1 AND ($2::timestamptz IS NULL OR (created_at, suppression_id) > ($2, $3::uuid))
         ORDER BY created_at, suppression_id LIMIT $4`,
        [workspace_id, after?.created_at ?? null, after?.suppression_id ?? null, PAGE],
      )
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
