'use server'

import { revalidatePath } from 'next/cache'
import type { FetchAnswer } from '#components/datasets/import-answers'
import type { FixedRow } from '#components/datasets/reject-table'
import { type RowLine, rowLine } from '#components/datasets/row-line'
import type { AddRowsAnswer, GivenRows } from '#components/datasets/rows/added-rows'
import type { RowsAnswer } from '#components/datasets/rows/row-bar'
import type {
  ChangesAnswer,
  Confirmed,
  ConnectAnswer,
  SyncAnswer,
} from '#components/datasets/rows/sync-answers'
import type { CellAnswer, CellChange } from '#components/datasets/rows/use-cell-edits'
import { counted } from '#components/ui/counted'
import type { Query } from '#components/ui/query-href'
import { MAX_ROWS_REMOVED } from '#lib/contracts/datasets/dataset-rows'
import * as rows from '#lib/operations/datasets/dataset-rows'
import { listDatasetRows } from '#lib/operations/datasets/datasets'
import * as sheets from '#lib/operations/datasets/google-sheets'
import * as sessions from '#lib/operations/enrichment/dataset-sessions'
import { findEmails } from '#lib/operations/enrichment/email-finder'
import { verifyDataset } from '#lib/operations/enrichment/verification'
import { action, answered, formAction, perform } from '../../../action.ts'
import { formNumber, formText, formVersion } from '../../../form-result.ts'

const anew = '/datasets'
const started = {
  anew,
  said: 'Started. This page shows the progress.',
  /** A problem of `options.x` belongs to the control `x`. */
  control: (path: string) => path.replace(/^options\./, '').split('.')[0] ?? path,
}

export const enrich = formAction(
  sessions.processDataset,
  (data, dataset_id: string) => ({
    params: { dataset_id },
    body: {
      pipeline_type: 'enrichment',
      options: {
        rules: data.getAll('rules'),
        providers: data.getAll('providers'),
        max_cost: formNumber(data, 'max_cost'),
        overwrite: data.has('overwrite'),
      },
    },
  }),
  started,
)

export const extract = formAction(
  sessions.processDataset,
  (data, dataset_id: string) => {
    const column = formText(data, 'column')
    const columns = column === '' ? null : [column]
    const options = { kinds: data.getAll('kinds'), columns, overwrite: data.has('overwrite') }
    return { params: { dataset_id }, body: { pipeline_type: 'extraction', options } }
  },
  started,
)

export const findAddresses = formAction(
  findEmails,
  (data, dataset_id: string) => ({
    body: { dataset_id, min_confidence: formNumber(data, 'min_confidence') },
  }),
  started,
)

export const verifyAddresses = formAction(
  verifyDataset,
  (data, dataset_id: string) => ({
    params: { dataset_id },
    body: {
      providers: data.getAll('providers'),
      max_cost: formNumber(data, 'max_cost'),
      recheck: data.has('recheck'),
    },
  }),
  started,
)

const thisSession = (dataset_id: string, session_id: string) => ({ params: { dataset_id, session_id } })

export const cancelSession = action(sessions.cancelDatasetSession, thisSession, {
  anew,
  said: 'Session cancelled.',
})

const KEPT = {
  filled: 'rows have values in it',
  used_by_step: 'a campaign step uses it',
  used_by_form: 'a form uses it',
} as const

export const undoSession = action(sessions.undoDatasetSession, thisSession, {
  anew,
  said: ({ restored, kept, columns }) =>
    [
      `${counted(restored, 'cells')} restored.`,
      ...(kept > 0 ? [`${kept.toLocaleString('en')} kept.`] : []),
      ...columns.flatMap(({ name, kept_reason }) =>
        kept_reason === null ? [] : [`The column “${name}” stays: ${KEPT[kept_reason]}.`],
      ),
    ].join(' '),
})

export async function addRows(dataset_id: string, body: GivenRows): Promise<AddRowsAnswer> {
  const done = await answered(() => perform(rows.addDatasetRows, { params: { dataset_id }, body }))
  revalidatePath(anew, 'layout')
  return done
}

/** The Google sign-in page, which returns to this dataset. */
export async function connectSheets(dataset_id: string): Promise<ConnectAnswer> {
  const begun = await answered(() => perform(sheets.authorizeSheets, { body: { dataset_id } }))
  return begun.ok ? { ok: true, url: begun.answer.url } : begun
}

export const disconnectSheets = action(
  sheets.disconnectSheets,
  (sheet_account_id: string) => ({ params: { sheet_account_id } }),
  { anew, said: 'Google account disconnected.' },
)

/** Stores the given sheet, or the remembered one, as an upload. */
export async function fetchSheet(
  dataset_id: string,
  body: { url?: string; sheet_account_id?: string },
): Promise<FetchAnswer> {
  const made = await answered(() => perform(sheets.fetchSheet, { params: { dataset_id }, body }))
  return made.ok ? { ok: true, upload: made.answer } : made
}

/** What the table would change; stores nothing. */
export async function compareTable(dataset_id: string, upload_id: string): Promise<ChangesAnswer> {
  const given = { params: { dataset_id, upload_id }, body: {} }
  const read = await answered(() => perform(rows.compareTable, given))
  return read.ok ? { ok: true, changes: read.answer } : read
}

export async function syncTable(
  dataset_id: string,
  { upload_id, ...body }: Confirmed & { upload_id: string; digest: string },
): Promise<SyncAnswer> {
  const given = { params: { dataset_id, upload_id }, body }
  const done = await answered(() => perform(rows.syncTable, given))
  revalidatePath(anew, 'layout')
  return done.ok ? { ok: true, done: done.answer } : done
}

export async function importFixed(dataset_id: string, fixed: FixedRow[]): Promise<AddRowsAnswer> {
  const given = { params: { dataset_id }, body: { rows: fixed } }
  const done = await answered(() => perform(rows.importDatasetRejects, given))
  revalidatePath(anew, 'layout')
  return done
}

const thisRow = (dataset_id: string, lead_index: number) => ({
  params: { dataset_id, lead_index: String(lead_index) },
})

/** Each cell is a control named by its column's key. */
export const editRow = formAction(
  rows.editDatasetRow,
  (data, dataset_id: string, lead_index: number) => ({
    ...thisRow(dataset_id, lead_index),
    body: {
      data: Object.fromEntries(
        [...data.entries()].flatMap(([name, cell]) =>
          name.startsWith('data.') ? [[name.slice(5), cell]] : [],
        ),
      ),
      version: formVersion(data),
    },
  }),
  { anew, said: 'Row saved.' },
)

/** Edits one cell and returns its row. */
export async function editCell(
  dataset_id: string,
  { lead_index, version, key, value }: CellChange,
): Promise<CellAnswer> {
  const given = { ...thisRow(dataset_id, lead_index), body: { data: { [key]: value }, version } }
  const done = await answered(() => perform(rows.editDatasetRow, given))
  if (!done.ok) return done
  revalidatePath(anew, 'layout')
  return { ok: true, row: rowLine(done.answer) }
}

export async function removeRows(dataset_id: string, lead_indexes: number[]): Promise<RowsAnswer> {
  const given = { params: { dataset_id }, body: { lead_indexes } }
  const done = await answered(() => perform(rows.removeDatasetRows, given))
  if (!done.ok) return done
  revalidatePath(anew, 'layout')
  return { ok: true, removed: done.answer.removed.length }
}

/** The rows matching these filters, in this order, from the start of the list. */
export async function selectableRows(dataset_id: string, filters: Query) {
  const chosen: RowLine[] = []
  let total = Number.POSITIVE_INFINITY
  for (let page = 1; chosen.length < Math.min(total, MAX_ROWS_REMOVED); page += 1) {
    const query = { ...filters, page: String(page), page_size: '100' }
    const listed = await perform(listDatasetRows, { params: { dataset_id }, query })
    chosen.push(...listed.items.map((row) => rowLine(row)))
    total = listed.items.length === 0 ? chosen.length : listed.total
  }
  return { rows: chosen, total }
}

export const removeRow = action(rows.removeDatasetRow, thisRow, { anew, said: 'Row removed.' })
