import { copyField, copyJson, copyLine } from '#lib/db/copy-text'
import type { SheetRow } from '#lib/domain/datasets/cells'
import {
  type ColumnMapping,
  type ImportPlan,
  OTHER_EMAILS_FIELD,
  OTHER_EMAILS_NAME,
  planImport,
} from '#lib/domain/datasets/plan'
import { cellsBeside, type RefusedRow, rowJudge } from '#lib/domain/datasets/rows'
import type { SheetHead } from '#lib/domain/datasets/sheet-head'
import type { SheetFile } from '#lib/providers/spreadsheet/port'
import { openWorkbook } from '#lib/providers/spreadsheet/workbook'
import { withHead } from '#lib/services/reading/sheet-batches'

/** Rows per batch: about 400 kB of COPY text. */
const LEADS_PER_BATCH = 2_000

export type LeadRowsJob = {
  filename: string
  sheet: string
  mapping: ColumnMapping
  email_required: boolean
  dataset_id: string
  workspace_id: string
  /** The columns that the dataset has already, by name. */
  keys?: [name: string, key: string][]
}

/** Lines for `COPY dataset_rows` and `COPY dataset_rejects`, with the number of each. */
export type LeadBatch = { rows: Uint8Array; rejects: Uint8Array; kept: number; refused: number }

/** The columns that the dataset has, once all rows are read. */
export type LeadColumns = { name: string; key: string }[]

/**
 * Turns one sheet into the lines of its dataset: `lead_index` numbers the kept rows from 0 without gaps. Throws SpreadsheetError, and plain
 * errors for a sheet or mapping that the file does not have, which the upload has checked before. Blocks: run it in a worker.
 */
export async function* leadRows(file: SheetFile, job: LeadRowsJob): AsyncGenerator<LeadBatch, LeadColumns> {
  const book = await openWorkbook(file, job.filename)
  const sheet = book.sheets.find(({ name }) => name === job.sheet)
  if (!sheet) throw new Error(`The file has no sheet "${job.sheet}".`)
  const { head, batches } = await withHead(book.rows(sheet.index))
  const planned = planImport({ ...head, ...job, keys: new Map(job.keys) })
  if (!planned.ok) throw new Error(planned.problems.map((problem) => problem.message).join(' '))
  const writer = batchWriter(job, planned.plan)
  for await (const batch of batches) {
    for (const row of batch) {
      writer.add(row)
      if (writer.isFull()) yield writer.take()
    }
  }
  const last = writer.take()
  if (last.kept + last.refused > 0) yield last
  return toLeadColumns(planned.plan, head, writer.width(), writer.usedKeys)
}

/** Named columns, unnamed ones that have values, and the column for further addresses of cells with several. */
function toLeadColumns(
  plan: ImportPlan,
  head: SheetHead,
  width: number,
  used: ReadonlySet<string>,
): LeadColumns {
  const columns = Array.from({ length: Math.max(width, head.header.length) }, (_, index) => index)
    .map((index) => ({ index, name: plan.columnName(index), key: plan.columnField(index) }))
    .filter(({ index, key }) => used.has(key) || (head.header[index] ?? '').trim() !== '')
    .map(({ name, key }) => ({ name, key }))
  const added = used.has(OTHER_EMAILS_FIELD) && !columns.some(({ key }) => key === OTHER_EMAILS_FIELD)
  return added ? [...columns, { name: OTHER_EMAILS_NAME, key: OTHER_EMAILS_FIELD }] : columns
}

function batchWriter({ dataset_id, workspace_id }: LeadRowsJob, plan: ImportPlan) {
  const judge = rowJudge(plan)
  const encoder = new TextEncoder()
  const usedKeys = new Set<string>()
  const [ofDataset, ofWorkspace] = [copyField(dataset_id), copyField(workspace_id)]
  let width = 0
  let leadIndex = 0
  let rows: string[] = []
  let rejects: string[] = []

  function add(row: SheetRow) {
    const verdict = judge(row)
    if (verdict.kind === 'blank') return
    width = Math.max(width, row.cells.length)
    if (verdict.kind === 'refused') return void rejects.push(rejectLine(verdict.reject, row))
    const { email, data } = verdict.lead
    for (const key in data) usedKeys.add(key)
    rows.push(`${ofDataset}\t${leadIndex++}\t${ofWorkspace}\t${copyField(email)}\t${copyJson(data)}\n`)
  }

  function rejectLine(reject: RefusedRow, row: SheetRow) {
    const { row_number, cell, column_name, code, reason, value } = reject
    const data = JSON.stringify(cellsBeside(plan, row, code))
    return copyLine([dataset_id, workspace_id, row_number, cell, column_name, code, reason, value, data])
  }

  function take(): LeadBatch {
    const batch = {
      rows: encoder.encode(rows.join('')),
      rejects: encoder.encode(rejects.join('')),
      kept: rows.length,
      refused: rejects.length,
    }
    rows = []
    rejects = []
    return batch
  }

  const isFull = () => rows.length + rejects.length >= LEADS_PER_BATCH
  return { add, take, isFull, width: () => width, usedKeys }
}
