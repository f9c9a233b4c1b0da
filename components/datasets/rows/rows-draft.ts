/** What is written of rows that are not added yet. `mapping` is null as long as the columns become what they seem to hold. */
export type RowsDraft = {
  way: string
  text: string
  mapping: Record<string, string> | null
  row: Record<string, string>
}
export const NO_ROWS: RowsDraft = { way: 'table', text: '', mapping: null, row: {} }
