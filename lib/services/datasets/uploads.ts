import type { z } from 'zod'
import { ColumnMapping, type ImportSpreadsheet, type SheetPreview } from '#lib/contracts/datasets/uploads'
import { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import { jsonText } from '#lib/db/json-text'
import { defaultSheet } from '#lib/domain/datasets/default-sheet'
import { planImport } from '#lib/domain/datasets/plan'
import type { PreviewRows } from '#lib/domain/datasets/preview-rows'
import { AppError, type ErrorCode, invalid, ValidationError } from '#lib/errors'
import { DatasetProcessRequested } from '#lib/events/catalog'
import { emit } from '#lib/events/client'
import { SpreadsheetError, type SpreadsheetErrorCode } from '#lib/providers/spreadsheet/port'
import { getDataset } from '#lib/services/datasets/datasets'
import { adoptFetched, adoptUpload, createUpload, openUpload } from '#lib/services/files/uploads'
import { type Incoming, incomingFile, type WorkingCopy, withCopy } from '#lib/services/files/working-copy'
import { expectFile, readPreview } from '#lib/services/reading/files'

const REFUSALS: Record<SpreadsheetErrorCode, ErrorCode> = {
  not_a_spreadsheet: 'not_a_spreadsheet',
  encrypted: 'spreadsheet_encrypted',
  damaged: 'spreadsheet_damaged',
  too_large: 'spreadsheet_too_large',
}

/** Creates the address to upload a file to. The file will be previewed once it is there. */
export async function announceFile(
  workspaceId: string,
  file: { filename: string; size_bytes: number },
  now: Date,
) {
  const address = await createUpload(workspaceId, file, now)
  expectFile()
  return address
}

/** Previews every sheet of a file. Nothing is stored. */
export const previewSpreadsheet = (workspaceId: string, file: Incoming, rows: PreviewRows) =>
  withCopy(file, (copy) => previewCopy(workspaceId, copy, rows))

async function previewCopy(workspaceId: string, { path, filename, size }: WorkingCopy, rows: PreviewRows) {
  if (size === 0) throw new AppError('not_a_spreadsheet', { message: 'The file is empty.' })
  return readPreview(workspaceId, path, filename, rows).catch(refuseFile)
}

/** Turns a file's fault into an error for the uploader. */
export function refuseFile(error: unknown): never {
  if (error instanceof SpreadsheetError)
    throw new AppError(REFUSALS[error.code], { message: error.message, cause: error })
  throw error
}

/** Which sheet of a file to import, and the mapping of its columns. */
export type Wanted = Omit<z.output<typeof ImportSpreadsheet.body>, 'file'>

function chooseSheet(sheets: SheetPreview[], wanted: string | undefined): SheetPreview {
  // Sorted explicitly, because an object lists numeric names such as "2026" before all others.
  const inOrder = sheets.toSorted((one, other) => one.index - other.index)
  const chosen = wanted ? sheets.find((sheet) => sheet.name === wanted) : defaultSheet(inOrder)
  if (wanted && !chosen) throw invalid(['body', 'sheet'], `the file has no sheet "${wanted}"`)
  if (!chosen || chosen.row_count === 0) throw new AppError('spreadsheet_without_rows')
  return chosen
}

/**
 * The file's sheet and column mapping, checked against each other; refuses what could not be imported. Pass `first` for `rows` if the
 * caller reads the other rows next and gets their errors then.
 */
export async function readyForImport(
  workspaceId: string,
  copy: WorkingCopy,
  wanted: Wanted,
  rows: PreviewRows = 'all',
) {
  const preview = await previewCopy(workspaceId, copy, rows)
  const sheet = chooseSheet(Object.values(preview.sheets), wanted.sheet)
  const mapping = wanted.mapping ?? ColumnMapping.parse(sheet.suggested_mapping)
  checkMapping(sheet, mapping, wanted.pipeline_type)
  return { preview, sheet, mapping }
}

/**
 * Stores the file and requests the import of its rows; the dataset is listed at once as `queued`. The sheet and the mapping are checked
 * first, so that an error is reported in the response.
 */
export async function importSpreadsheet(
  workspaceId: string,
  { file, ...wanted }: z.output<typeof ImportSpreadsheet.body>,
  now: Date,
) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return importFetched(workspaceId, { filename: incomingFile(file).filename, bytes }, wanted, now)
}

/** `importSpreadsheet` for a file that was already fetched. */
export async function importFetched(
  workspaceId: string,
  file: { filename: string; bytes: Uint8Array },
  wanted: Wanted,
  now: Date,
) {
  const incoming = { filename: file.filename, parts: [file.bytes] }
  const data = await withCopy(incoming, (copy) => newDataset(workspaceId, copy, wanted))
  const dataset = await adoptFetched(workspaceId, file, now, (tx) => createDataset(tx, data))
  return begun(workspaceId, dataset)
}

/** `importSpreadsheet` for a file in object storage, which stays there until its rows are imported. */
export async function importUpload(workspaceId: string, upload_id: string, wanted: Wanted, now: Date) {
  const file = await openUpload(workspaceId, upload_id, now)
  const data = await withCopy(file, (copy) => newDataset(workspaceId, copy, wanted))
  const dataset = await db.$transaction(async (tx) => {
    const made = await createDataset(tx, data)
    await adoptUpload(tx, { workspace_id: workspaceId, upload_id, dataset_id: made.dataset_id })
    return made
  })
  return begun(workspaceId, dataset)
}

/** Writes the dataset and its import session. */
async function newDataset(workspaceId: string, copy: WorkingCopy, wanted: Wanted) {
  const { preview, sheet, mapping } = await readyForImport(workspaceId, copy, wanted)
  const { filename } = preview
  const session = {
    workspace_id: workspaceId,
    filename,
    pipeline_type: wanted.pipeline_type ?? null,
    // The counts are known, because all rows were read.
    leads_count: sheet.row_count ?? 0,
  }
  return {
    workspace_id: workspaceId,
    dataset_name: wanted.dataset_name ?? filename,
    source_type: preview.format,
    sessions: { create: session },
    upload: { create: { workspace_id: workspaceId, filename, sheet: sheet.name, mapping } },
  }
}

type Tx = Prisma.TransactionClient

async function createDataset(tx: Tx, data: Awaited<ReturnType<typeof newDataset>>) {
  const dataset = await tx.dataset.create({ data, include: { sessions: true } })
  const { mapping } = data.upload.create
  // In SQL, because Prisma drops a key `__proto__`.
  if (Object.hasOwn(mapping, '__proto__'))
    await tx.$executeRaw`UPDATE uploads SET mapping = ${jsonText(mapping)}::jsonb
      WHERE workspace_id = ${data.workspace_id}::uuid AND dataset_id = ${dataset.dataset_id}::uuid`
  return dataset
}

async function begun(
  workspace_id: string,
  { dataset_id, sessions }: { dataset_id: string; sessions: { session_id: string }[] },
) {
  const session_id = sessions[0]?.session_id
  if (session_id) await emit(DatasetProcessRequested.create({ workspace_id, dataset_id, session_id }))
  return getDataset(workspace_id, dataset_id)
}

/** Enrichment and extraction may find addresses later; every other use of a dataset needs them. */
export const needsEmail = (pipeline: Wanted['pipeline_type'] | null) =>
  pipeline !== 'enrichment' && pipeline !== 'extraction'

function checkMapping(
  sheet: SheetPreview,
  mapping: NonNullable<Wanted['mapping']>,
  pipeline: Wanted['pipeline_type'],
) {
  const header: string[] = []
  for (const { index, name } of sheet.columns) header[index] = name
  const planned = planImport({
    header,
    header_row: sheet.header_row,
    mapping,
    email_required: needsEmail(pipeline),
  })
  if (planned.ok) return
  throw new ValidationError(
    planned.problems.map(({ code, column, message }) => ({
      loc: ['body', 'mapping', ...(column ? [column] : [])],
      msg: message,
      type: code,
    })),
  )
}
