import type { FormResult } from '#components/ui/controls/action-form'

/** The result of adding rows. */
export type AddedRows = {
  added: number
  updated: number
  skipped: { index: number; code: string; message: string }[]
}
export type GivenRows = { rows: Record<string, string>[]; on_conflict: 'skip' | 'update' }
export type AddRowsAnswer = { ok: true; answer: AddedRows } | Extract<FormResult, { ok: false }>
export type AddRowsAct = (given: GivenRows) => Promise<AddRowsAnswer>

/** Rows being entered. `mapping` is null while the columns are guessed automatically. */
export type RowsDraft = {
  way: string
  text: string
  mapping: Record<string, string> | null
  row: Record<string, string>
}
export const NO_ROWS: RowsDraft = { way: 'table', text: '', mapping: null, row: {} }

/** How a table's or a campaign's rows are called. */
export type RowNoun = 'rows' | 'leads'

export const countText = (many: number, noun: RowNoun) =>
  `${many.toLocaleString('en')} ${many === 1 ? noun.slice(0, -1) : noun}`

export const addedText = ({ added, updated, skipped }: AddedRows, noun: RowNoun): string =>
  [
    `${countText(added, noun)} added`,
    ...(updated > 0 ? [`${updated.toLocaleString('en')} updated`] : []),
    ...(skipped.length > 0 ? [`${skipped.length.toLocaleString('en')} skipped`] : []),
  ].join(', ')
