import { type LeadBatch, type LeadRowsJob, leadRows } from '#lib/services/reading/lead-rows'
import { checkRows, type RowCheckJob } from '#lib/services/reading/row-check'
import { previewWorkbook } from '#lib/services/reading/spreadsheet-preview'
import { readSuppressionList } from '#lib/services/reading/suppression-list'

/** What is read of files: see reader/files.ts, which asks for it. */
export const FILE_TASKS = {
  preview: ({ bytes, filename }: { bytes: Uint8Array; filename: string }) => previewWorkbook(bytes, filename),
  check: ({ bytes, job }: { bytes: Uint8Array; job: RowCheckJob }) => checkRows(bytes, job),
  suppressions: (bytes: Uint8Array) => readSuppressionList(bytes),
  async lead_rows(
    { bytes, job }: { bytes: Uint8Array; job: LeadRowsJob },
    hand: (batch: LeadBatch) => Promise<void>,
  ) {
    const batches = leadRows(bytes, job)
    let next = await batches.next()
    for (; !next.done; next = await batches.next()) await hand(next.value)
    return next.value
  },
}
