import type { SheetReader } from '#lib/providers/sheets/port'

const ROWS = [
  ['Email', 'First name', 'Last name', 'Company', 'City'],
  ['nora@sandbox-sheet.example', 'Nora', 'Lind', 'Lind & Sons', 'Oslo'],
  ['tom@sandbox-sheet.example', 'Tom', 'Baker', 'Baker Ltd', 'Leeds'],
  ['not an address', 'Sam', 'Hill', 'Hill Inc', 'Austin'],
]

/** Every URL leads to the same spreadsheet: the whole flow without a Google account. */
export const sandboxSheets: SheetReader = {
  read: async (_token, { gid }) =>
    gid === null || gid === 0
      ? { ok: true, table: { title: 'Sandbox spreadsheet', sheet: 'People', gid: 0, rows: ROWS } }
      : { ok: false, fault: 'not_found', said: 'The spreadsheet has no such sheet.', retry_after_ms: null },
}
