/** Rows as csv programs write them: quoted where a cell holds what would end it. */
export const csvOf = (rows: string[][], delimiter: string): string =>
  rows
    .map((cells) =>
      cells
        .map((cell) => (/["\r\n,;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
        .join(delimiter),
    )
    .join('\r\n')
