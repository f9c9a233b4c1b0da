/** The largest spreadsheet in bytes, on every kind of host. */
export const SPREADSHEET_BYTES = 25 * 1024 * 1024
