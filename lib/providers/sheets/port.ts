/** One sheet of a spreadsheet as displayed, without trailing empty rows and cells. */
export type SheetTable = { title: string; sheet: string; gid: number; rows: string[][] }

/**
 * Why nothing was read. `signed_out`: the account has to sign in again; `no_access`: it may not see the spreadsheet;
 * `not_found`: there is no such spreadsheet, or no such sheet in it; `too_large`; `busy`: temporarily refused; `unreachable`.
 */
export type SheetFault = 'signed_out' | 'no_access' | 'not_found' | 'too_large' | 'busy' | 'unreachable'

export type SheetAnswer =
  | { ok: true; table: SheetTable }
  | { ok: false; fault: SheetFault; said: string; retry_after_ms: number | null }

export interface SheetReader {
  /** `gid`: the number of the sheet in its URL; null: the first one. Reads at most `max_bytes` of text. */
  read(
    token: string,
    wanted: { spreadsheet_id: string; gid: number | null; max_bytes: number },
  ): Promise<SheetAnswer>
}
