import { z } from 'zod'
import { type ApiAnswer, askApi, clean, type MailApiOptions } from '#lib/providers/mail-api/http'
import type { SheetAnswer, SheetFault, SheetReader } from '#lib/providers/sheets/port'

export const SHEETS_ORIGIN = 'https://sheets.googleapis.com'
export const SHEETS_SCOPE = 'https://www.googleapis.com/auth/spreadsheets.readonly'

/** Rows per request: about the 2 MB per response that Google recommends. */
const ROWS = 5_000

const Spreadsheet = z.object({
  properties: z.object({ title: z.string() }),
  sheets: z
    .array(
      z.object({
        properties: z.object({
          sheetId: z.number(),
          title: z.string(),
          gridProperties: z.object({ rowCount: z.number() }).optional(),
        }),
      }),
    )
    .default([]),
})
const Values = z.object({ values: z.array(z.array(z.unknown())).default([]) })
const Said = z.object({ error: z.object({ message: z.string(), status: z.string().optional() }) })

type Refusal = Extract<SheetAnswer, { ok: false }>

const refusal = (fault: SheetFault, said: string, retry_after_ms: number | null = null): Refusal => ({
  ok: false,
  fault,
  said,
  retry_after_ms,
})

const FAULTS: Record<number, SheetFault> = {
  400: 'not_found',
  401: 'signed_out',
  403: 'no_access',
  404: 'not_found',
  429: 'busy',
  503: 'busy',
}

function toRefusal(answer: ApiAnswer, token: string): Refusal {
  if (answer.status === null) return refusal('unreachable', answer.error)
  const read = Said.safeParse(answer.body)
  const { message = '', status = '' } = read.success ? read.data.error : {}
  const said = clean(message, token) || `Google answered ${answer.status}.`
  const fault = status === 'RESOURCE_EXHAUSTED' ? 'busy' : (FAULTS[answer.status] ?? 'unreachable')
  return refusal(fault, said, answer.retry_after_ms)
}

const cellText = (cell: unknown) => (cell === null || cell === undefined ? '' : String(cell))

/** The driver for the Sheets API v4: reads a sheet's displayed values, some thousand rows at a time. */
export function createGoogleSheets(options: MailApiOptions): SheetReader {
  return {
    async read(token, { spreadsheet_id, gid, max_bytes }) {
      const at = `/v4/spreadsheets/${encodeURIComponent(spreadsheet_id)}`
      const fields = 'properties.title,sheets.properties(sheetId,title,gridProperties.rowCount)'
      const about = await askApi(options, token, { path: at, query: { fields } })
      if (about.status !== 200) return toRefusal(about, token)
      const { properties, sheets } = Spreadsheet.parse(about.body)
      const sheet = gid === null ? sheets[0] : sheets.find((one) => one.properties.sheetId === gid)
      if (!sheet) return refusal('not_found', 'The spreadsheet has no such sheet.')
      const { sheetId, title, gridProperties } = sheet.properties
      const last = gridProperties?.rowCount ?? 0
      const rows: string[][] = []
      let bytes = 0
      for (let from = 1; from <= last; from += ROWS) {
        const range = `'${title.replaceAll("'", "''")}'!${from}:${Math.min(last, from + ROWS - 1)}`
        const call = {
          path: `${at}/values/${encodeURIComponent(range)}`,
          query: { majorDimension: 'ROWS', valueRenderOption: 'FORMATTED_VALUE' },
          max_bytes: 2 * max_bytes,
        }
        const answer = await askApi(options, token, call)
        if (answer.status !== 200) return toRefusal(answer, token)
        const read = Values.safeParse(answer.body)
        bytes += answer.bytes.length
        if (!read.success || bytes > max_bytes) return refusal('too_large', 'The sheet is too large.')
        // Google leaves out empty rows at the end of a range; the rows of the next range must keep their positions.
        while (read.data.values.length > 0 && rows.length < from - 1) rows.push([])
        for (const row of read.data.values) rows.push(row.map(cellText))
      }
      return { ok: true, table: { title: properties.title, sheet: title, gid: sheetId, rows } }
    },
  }
}
