import type { ExportFormat, FileAnswer } from '#lib/contracts/fields'
import { db } from '#lib/db/client'
import { getDataset } from '#lib/services/datasets'
import { tableFile } from '#lib/services/table-file'

const PAGE = 2_000

/** Every kept row, read page by page while it is written. */
export async function exportDataset(
  userId: string,
  datasetId: string,
  format: ExportFormat,
): Promise<FileAnswer> {
  const { dataset_name, columns } = await getDataset(userId, datasetId)
  const names = columns.map((column) => column.name)
  const keys = columns.map((column) => column.key)
  return tableFile(dataset_name, format, names, pages(userId, datasetId, keys))
}

async function* pages(userId: string, datasetId: string, keys: string[]) {
  for (let after = -1; ; ) {
    const rows = await db.datasetRow.findMany({
      where: { dataset_id: datasetId, user_id: userId, lead_index: { gt: after } },
      orderBy: { lead_index: 'asc' },
      take: PAGE,
    })
    const last = rows.at(-1)
    if (!last) return
    yield rows.map((row) => {
      const data = row.data as Record<string, string>
      return keys.map((key) => data[key] ?? null)
    })
    after = last.lead_index
  }
}
