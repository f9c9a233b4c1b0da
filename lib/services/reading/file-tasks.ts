import { openSheetFile } from '#lib/providers/spreadsheet/open-file'
import type { SheetFile } from '#lib/providers/spreadsheet/port'
import { type LeadBatch, type LeadRowsJob, leadRows } from '#lib/services/reading/lead-rows'
import { checkRows, type RowCheckJob } from '#lib/services/reading/row-check'
import { previewWorkbook } from '#lib/services/reading/spreadsheet-preview'
import { readSuppressionList } from '#lib/services/reading/suppression-list'

/** What is read of files, each of them named by its path: see reader/files.ts, which asks for it. */
export const FILE_TASKS = {
  preview: ({ path, filename }: { path: string; filename: string }) =>
    opened(path, (file) => previewWorkbook(file, filename)),
  check: ({ path, job }: { path: string; job: RowCheckJob }) => opened(path, (file) => checkRows(file, job)),
  suppressions: (path: string) => opened(path, readSuppressionList),
  lead_rows: ({ path, job }: { path: string; job: LeadRowsJob }, hand: (batch: LeadBatch) => Promise<void>) =>
    opened(path, async (file) => {
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
