import {
  cellRef,
  cleanText,
  isErrorText,
  isFilledRow,
  MAX_CELL_CHARS,
  type SheetRow,
} from '#lib/domain/datasets/cells'
import { readEmailCell } from '#lib/domain/datasets/email-address'
import { type ImportPlan, OTHER_EMAILS_FIELD, withOtherEmails } from '#lib/domain/datasets/plan'

export const REJECT_CODES = ['missing_email', 'invalid_email', 'duplicate_email', 'too_long'] as const
export type RejectCode = (typeof REJECT_CODES)[number]

/** A row that became a lead. `data` holds every filled cell by field, including the address. */
export type KeptRow = { email: string | null; data: Record<string, string> }

/** A row that was refused, with the cell to look at in the spreadsheet program. */
export type RefusedRow = {
  row_number: number
  cell: string | null
  column_name: string | null
  code: RejectCode
  reason: string
  value: string | null
}

export type RowVerdict =
  | { kind: 'kept'; lead: KeptRow }
  | { kind: 'refused'; reject: RefusedRow }
  | { kind: 'blank' }

const MAX_SHOWN_VALUE_CHARS = 300

/**
 * Checks the rows of one sheet in order. Every filled row is either kept or refused; rows without a filled cell, and those down
 * to the header, are `blank` and not counted. Of equal addresses the first one wins.
 */
export function rowJudge(plan: ImportPlan): (row: SheetRow) => RowVerdict {
  const firstRowByAddress = new Map<string, number>()

  return (row) => {
    if (plan.header_row !== null && row.row_number <= plan.header_row) return { kind: 'blank' }
    if (!isFilledRow(row.cells)) return { kind: 'blank' }

    const long = row.cells.findIndex((cell) => cell.length > MAX_CELL_CHARS)
    if (long !== -1)
      return refuse(plan, row, long, 'too_long', `The cell has more than ${MAX_CELL_CHARS} characters.`)
    const address = judgeAddress(plan, row, firstRowByAddress)
    if (address.kind === 'refused') return address
    return {
      kind: 'kept',
      lead: { email: address.email, data: buildLeadData(plan, row, address.email, address.others) },
    }
  }
}

type AddressVerdict =
  | { kind: 'refused'; reject: RefusedRow }
  | { kind: 'usable'; email: string | null; others: string[] }

function judgeAddress(
  plan: ImportPlan,
  row: SheetRow,
  firstRowByAddress: Map<string, number>,
): AddressVerdict {
  const column = plan.email_column
  if (column === null) return { kind: 'usable', email: null, others: [] }
  const reading = readEmailCell(row.cells[column] ?? '')
  if (reading.kind === 'missing') {
    if (!plan.email_required) return { kind: 'usable', email: null, others: [] }
    return refuse(plan, row, column, 'missing_email', 'The row has no email address.')
  }
  if (reading.kind === 'invalid') return refuse(plan, row, column, 'invalid_email', reading.reason)

  const firstRow = firstRowByAddress.get(reading.email)
  if (firstRow !== undefined) {
    return refuse(plan, row, column, 'duplicate_email', `Row ${firstRow} already has this address.`)
  }
  firstRowByAddress.set(reading.email, row.row_number)
  return { kind: 'usable', email: reading.email, others: reading.others }
}

function refuse(plan: ImportPlan, row: SheetRow, column: number, code: RejectCode, reason: string) {
  const shown = cleanText(row.cells[column] ?? '')
    .slice(0, MAX_SHOWN_VALUE_CHARS)
    .toWellFormed()
  const reject: RefusedRow = {
    row_number: row.row_number,
    cell: cellRef(row.row_number, column),
    column_name: plan.columnName(column),
    code,
    reason,
    value: shown === '' ? null : shown,
  }
  return { kind: 'refused' as const, reject }
}

/** The other cells of a refused row, by field: all except an address that is at fault and cells that are too long to store. */
export function cellsBeside(
  plan: ImportPlan,
  { row_number, cells }: SheetRow,
  code: RejectCode,
): Record<string, string> {
  const kept = cells.map((cell) => (cell.length > MAX_CELL_CHARS ? '' : cell))
  const data = buildLeadData(plan, { row_number, cells: kept }, null, [])
  const address = addressBeside(plan, { row_number, cells }, code)
  if (address !== null) data.email = address
  return data
}

/** The address of a refused row, unless the address is at fault. */
export function addressBeside(plan: ImportPlan, { cells }: SheetRow, code: RejectCode): string | null {
  if (code !== 'too_long' || plan.email_column === null) return null
  const cell = cells[plan.email_column] ?? ''
  return (cell.length <= MAX_CELL_CHARS && cleanText(cell)) || null
}

/** Leaves out cells of broken formulas: nobody wants "#N/A" in a greeting. */
function buildLeadData(
  plan: ImportPlan,
  row: SheetRow,
  email: string | null,
  others: string[],
): Record<string, string> {
  const data: Record<string, string> = {}
  const { cells } = row
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index] ?? ''
    if (cell === '' || index === plan.email_column) continue
    const text = cleanText(cell)
    if (text !== '' && !isErrorText(text)) data[plan.columnField(index)] = text
  }
  if (email !== null) data.email = email
  if (others.length > 0) data[OTHER_EMAILS_FIELD] = withOtherEmails(data[OTHER_EMAILS_FIELD], others)
  return data
}
