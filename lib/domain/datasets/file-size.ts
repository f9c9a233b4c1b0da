/** Most bytes of one spreadsheet, wherever the instance is hosted. */
export const SPREADSHEET_BYTES = 25 * 1024 * 1024
