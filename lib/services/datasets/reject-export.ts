import type { z } from 'zod'
import { type ExportDataset, KeptReject } from '#lib/contracts/datasets/datasets'
import type { FileAnswer } from '#lib/contracts/fields'
import { db } from '#lib/db/client'
import { getDataset } from '#lib/services/datasets/datasets'
import { seated } from '#lib/services/files/export-seats'
import { tableFile } from '#lib/services/files/table-file'

const PAGE = 2_000

type Wanted = Pick<z.output<typeof ExportDataset.query>, 'format'>

/** Every refused row with the cell that is at fault and why, and the address where that is another cell, in the order of the file. */
export async function exportRejects(
  workspaceId: string,
  datasetId: string,
  { format }: Wanted,
): Promise<FileAnswer> {
  const { dataset_name } = await getDataset(workspaceId, datasetId)
  const names = ['row', 'cell', 'column', 'value', 'reason', 'email']
  return seated(
    workspaceId,
    tableFile(`${dataset_name} refused`, format, names, rejectPages(workspaceId, datasetId)),
  )
}

async function* rejectPages(workspaceId: string, datasetId: string) {
  for (let after = 0n; ; ) {
    const rejects = await db.datasetReject.findMany({
      where: { dataset_id: datasetId, workspace_id: workspaceId, reject_id: { gt: after } },
      orderBy: { reject_id: 'asc' },
      take: PAGE,
    })
    const last = rejects.at(-1)
    if (!last) return
    yield rejects.map(({ row_number, cell, column_name, value, reason, data }) => [
      row_number,
      cell,
      column_name,
      value,
      reason,
      KeptReject.shape.data.parse(data)?.email ?? null,
    ])
    after = last.reject_id
  }
}
