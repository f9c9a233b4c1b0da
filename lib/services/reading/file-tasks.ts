import type { PreviewRows } from '#lib/domain/datasets/preview-rows'
import { openSheetFile } from '#lib/providers/spreadsheet/open-file'
import type { SheetFile } from '#lib/providers/spreadsheet/port'
import type { LeadBatch, LeadRowsJob } from '#lib/services/reading/lead-rows'
import type { RowCheckJob } from '#lib/services/reading/row-check'
import { previewWorkbook } from '#lib/services/reading/spreadsheet-preview'

/**
 * The tasks on files, named by path; reader/files.ts calls them. A new reader shows the first rows of a file first and loads other code
 * only when needed.
 */
export const FILE_TASKS = {
  preview: ({ path, filename, rows }: { path: string; filename: string; rows: PreviewRows }) =>
    opened(path, (file) => previewWorkbook(file, filename, rows)),
  check: ({ path, job }: { path: string; job: RowCheckJob }) =>
    opened(path, async (file) => {
      const { checkRows } = await import('#lib/services/reading/row-check')
      return checkRows(file, job)
    }),
  suppressions: (path: string) =>
    opened(path, async (file) => {
      const { readSuppressionList } = await import('#lib/services/reading/suppression-list')
      return readSuppressionList(file)
    }),
  lead_rows: ({ path, job }: { path: string; job: LeadRowsJob }, hand: (batch: LeadBatch) => Promise<void>) =>
    opened(path, async (file) => {
      const { leadRows } = await import('#lib/services/reading/lead-rows')
      const batches = leadRows(file, job)
      let next = await batches.next()
      for (; !next.done; next = await batches.next()) await hand(next.value)
      return next.value
    }),
}

async function opened<Answer>(path: string, read: (file: SheetFile) => Promise<Answer>): Promise<Answer> {
  const file = openSheetFile(path)
  try {
    return await read(file)
  } finally {
    file.close()
  }
}
