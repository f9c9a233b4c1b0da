import { z } from 'zod'
import type { PreviewRows } from '#lib/domain/datasets/preview-rows'
import type { Outcome } from '#lib/providers/reader/port'
import { SPREADSHEET_ERRORS, SpreadsheetError } from '#lib/providers/spreadsheet/port'
import type { LeadBatch, LeadColumns, LeadRowsJob } from '#lib/services/reading/lead-rows'
import { readers } from '#lib/services/reading/readers'
import type { RowCheck, RowCheckJob } from '#lib/services/reading/row-check'
import type { WorkbookPreview } from '#lib/services/reading/spreadsheet-preview'
import type { SuppressionList } from '#lib/services/reading/suppression-list'

/** A file of 25 MiB takes seconds; one that takes longer was made to. */
const CPU_SECONDS = 30
const SILENCE_MS = 120_000

const limitsFor = (owner: string) => ({ owner, deadline_ms: SILENCE_MS, cpu_ms: CPU_SECONDS * 1_000 })

/** Starts a reader while a file is still being uploaded. */
export const expectFile = () => readers().files.warm()

/** The content of the file at this path (see previewWorkbook), read in the reader. Throws SpreadsheetError. */
export async function readPreview(
  owner: string,
  path: string,
  filename: string,
  rows: PreviewRows = 'all',
): Promise<WorkbookPreview> {
  return taken(await readers().files.read('preview', { path, filename, rows }, limitsFor(owner)))
}

/** What an import of one sheet would do (see checkRows), read in the reader. Throws SpreadsheetError. */
export async function readCheck(owner: string, path: string, job: RowCheckJob): Promise<RowCheck> {
  return taken(await readers().files.read('check', { path, job }, limitsFor(owner)))
}

/** The values of a suppression list (see readSuppressionList), read in the reader. Throws SpreadsheetError. */
export async function readSuppressions(owner: string, path: string): Promise<SuppressionList> {
  return taken(await readers().files.read('suppressions', path, limitsFor(owner)))
}

/**
 * The rows of one sheet as COPY lines (see leadRows), read in the reader no faster than they are consumed. Leaving the loop ends the work.
 * Throws SpreadsheetError.
 */
export async function* readLeadRows(path: string, job: LeadRowsJob): AsyncGenerator<LeadBatch, LeadColumns> {
  return taken(yield* readers().files.readParts('lead_rows', { path, job }, limitsFor(job.workspace_id)))
}

const Code = z.enum(SPREADSHEET_ERRORS)

function taken<Value>(end: Outcome<Value>): Value {
  switch (end.outcome) {
    case 'done':
      return end.value
    case 'refused':
      throw new SpreadsheetError(Code.parse(end.code), end.message)
    case 'over_time':
      throw new SpreadsheetError(
        'too_large',
        `The file takes more than ${CPU_SECONDS} seconds to process. Split it into smaller files.`,
      )
    case 'over_memory':
      throw new SpreadsheetError(
        'too_large',
        'The file needs more than 300 MB of memory. Split it into smaller files or save it as CSV.',
      )
    case 'died':
    case 'absent':
      throw new Error(end.message)
  }
}
