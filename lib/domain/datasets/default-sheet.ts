/** The first sheet with rows (null: more than were counted), preferably a visible one. */
export function defaultSheet<Sheet extends { row_count: number | null; hidden: boolean }>(
  sheets: readonly Sheet[],
): Sheet | null {
  const withRows = sheets.filter((sheet) => sheet.row_count !== 0)
  return withRows.find((sheet) => !sheet.hidden) ?? withRows[0] ?? null
}
