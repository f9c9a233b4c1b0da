export type SheetAddress = { spreadsheet_id: string; gid: number | null }

/** The spreadsheet and sheet in a URL of Google Sheets; null for any other URL. */
export function readSheetAddress(address: string): SheetAddress | null {
  const url = URL.parse(address.trim())
  if (url?.hostname !== 'docs.google.com') return null
  const spreadsheet_id = /^\/spreadsheets\/(?:u\/\d{1,2}\/)?d\/([\w-]{10,200})(?:\/|$)/.exec(
    url.pathname,
  )?.[1]
  if (!spreadsheet_id) return null
  const gid = url.searchParams.get('gid') ?? /^#gid=(\d{1,10})/.exec(url.hash)?.[1]
  return { spreadsheet_id, gid: gid !== undefined && /^\d{1,10}$/.test(gid) ? Number(gid) : null }
}

export const sheetUrl = ({ spreadsheet_id, gid }: SheetAddress): string =>
  `https://docs.google.com/spreadsheets/d/${spreadsheet_id}/edit${gid === null ? '' : `#gid=${gid}`}`

/** The rows as csv that is parsed without changes: every cell is quoted, and none is guarded against formulas. */
export const tableCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`).join('')
