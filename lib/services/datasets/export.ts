import type { z } from 'zod'
import type { ExportDataset } from '#lib/contracts/datasets/datasets'
import type { FileAnswer } from '#lib/contracts/fields'
import { db } from '#lib/db/client'
import { ownValue } from '#lib/domain/text/own-value'
import { asRecord } from '#lib/domain/text/record'
import { getDataset } from '#lib/services/datasets/datasets'
import { withExportSeat } from '#lib/services/files/export-seats'
import { tableFile } from '#lib/services/files/table-file'

const PAGE = 2_000

type Wanted = z.output<typeof ExportDataset.query>
type Read = (
  leadIndexes: number[],
) => Promise<(leadIndex: number, key: string, cell: string | null) => string | null>

/** Every row of a dataset as a table, read page by page while it is written. */
export async function exportDataset(
  workspaceId: string,
  datasetId: string,
  { format, sources }: Wanted,
): Promise<FileAnswer> {
  const { dataset_name, columns } = await getDataset(workspaceId, datasetId)
  const changed = sources ? await changedFields(workspaceId, datasetId) : new Set<string>()
  const names = columns.flatMap(({ key, name }) => (changed.has(key) ? [name, `${name} (source)`] : [name]))
  const keys = columns.map((column) => column.key)
  const read = await sourceReader(workspaceId, datasetId, changed)
  return withExportSeat(
    workspaceId,
    tableFile(dataset_name, format, names, pages(workspaceId, datasetId, keys, changed, read)),
  )
}

async function* pages(
  workspaceId: string,
  datasetId: string,
  keys: string[],
  changed: Set<string>,
  read: Read,
) {
  for (let after = -1; ; ) {
    const rows = await db.datasetRow.findMany({
      where: { dataset_id: datasetId, workspace_id: workspaceId, lead_index: { gt: after } },
      orderBy: { lead_index: 'asc' },
      take: PAGE,
    })
    const last = rows.at(-1)
    if (!last) return
    const findSource = await read(rows.map(({ lead_index }) => lead_index))
    yield rows.map(({ lead_index, data }) => {
      const cells = asRecord(data)
      return keys.flatMap((key) => {
        const kept = ownValue(cells, key) ?? null
        const cell = kept === null ? null : String(kept)
        return changed.has(key) ? [cell, findSource(lead_index, key, cell)] : [cell]
      })
    })
    after = last.lead_index
  }
}

/** The columns in which a session changed any cell. */
async function changedFields(workspaceId: string, datasetId: string): Promise<Set<string>> {
  const groups = await db.datasetCellChange.groupBy({
    by: ['field'],
    where: { workspace_id: workspaceId, dataset_id: datasetId, undone_at: null },
  })
  return new Set(groups.map(({ field }) => field))
}

/** Describes where cells came from, read for the rows of one page at a time. */
async function sourceReader(workspaceId: string, datasetId: string, changed: Set<string>): Promise<Read> {
  if (changed.size === 0) return async () => () => null
  const sessions = await db.datasetSession.findMany({
    where: { workspace_id: workspaceId, dataset_id: datasetId },
    select: { session_id: true, work: true },
  })
  const works = new Map(sessions.map(({ session_id, work }) => [session_id, work.replaceAll('_', ' ')]))
  return async (leadIndexes) => {
    const changes = await db.datasetCellChange.findMany({
      where: {
        workspace_id: workspaceId,
        dataset_id: datasetId,
        lead_index: { in: leadIndexes },
        undone_at: null,
      },
      orderBy: { change_id: 'asc' },
    })
    // Changes are in order, so the latest one of a cell wins.
    const latest = new Map(changes.map((change) => [`${change.lead_index} ${change.field}`, change]))
    return (leadIndex, key, cell) => {
      const change = latest.get(`${leadIndex} ${key}`)
      // A cell that was overwritten since does not come from this change.
      if (!change || change.new_value !== cell) return null
      const { rule, source, certainty, session_id, created_at } = change
      const day = created_at.toISOString().slice(0, 10)
      return `${works.get(session_id) ?? 'session'}: ${rule} from ${source}, ${certainty}, session ${session_id}, ${day}`
    }
  }
}
