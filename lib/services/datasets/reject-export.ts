import type { z } from 'zod'
import { type ExportDataset, KeptReject } from '#lib/contracts/datasets/datasets'
import type { FileAnswer } from '#lib/contracts/fields'
import { db } from '#lib/db/client'
import { freeNames } from '#lib/domain/datasets/columns'
import { columnFinder } from '#lib/domain/datasets/given-rows'
import { ownValue } from '#lib/domain/text/own-value'
import { type DatasetColumn, getDataset } from '#lib/services/datasets/datasets'
import { withExportSeat } from '#lib/services/files/export-seats'
import { tableFile } from '#lib/services/files/table-file'

const PAGE = 2_000

type Wanted = Pick<z.output<typeof ExportDataset.query>, 'format'>

/**
 * Every refused row as it was in the file, followed by its position, the column at fault and the reason, in the order of the file. Once
 * corrected, the exported file can be imported.
 */
export async function exportRejects(
  workspaceId: string,
  datasetId: string,
  { format }: Wanted,
): Promise<FileAnswer> {
  const { dataset_name, columns } = await getDataset(workspaceId, datasetId)
  const own = columns.map(({ name }) => name)
  const free = freeNames(new Set(own), (text, n) => `${text} (${n})`)
  const names = [...own, ...['row', 'cell', 'column', 'reason'].map(free)]
  return withExportSeat(
    workspaceId,
    tableFile(`${dataset_name} refused`, format, names, rejectPages(workspaceId, datasetId, columns)),
  )
}

async function* rejectPages(workspaceId: string, datasetId: string, columns: DatasetColumn[]) {
  const { findKey } = columnFinder(columns)
  for (let after = 0n; ; ) {
    const rejects = await db.datasetReject.findMany({
      where: { dataset_id: datasetId, workspace_id: workspaceId, reject_id: { gt: after } },
      orderBy: { reject_id: 'asc' },
      take: PAGE,
    })
    const last = rejects.at(-1)
    if (!last) return
    yield rejects.map(({ row_number, cell, column_name, value, reason, data }) => {
      const cells = KeptReject.shape.data.parse(data) ?? {}
      const faulty = column_name === null ? null : findKey(column_name)
      const own = columns.map(({ key }) => (key === faulty ? value : (ownValue(cells, key) ?? null)))
      return [...own, row_number, cell, column_name, reason]
    })
    after = last.reject_id
  }
}
