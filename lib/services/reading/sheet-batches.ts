import { HEAD_ROWS, readHead, type SheetHead } from '#lib/domain/datasets/sheet-head'
import type { SheetRow } from '#lib/providers/spreadsheet/port'

/** Reads until the head of a sheet is known; `batches` then yields all its rows, including those of the head. */
export async function withHead(
  rows: AsyncIterable<SheetRow[]>,
): Promise<{ head: SheetHead; batches: AsyncIterable<SheetRow[]> }> {
  const rest = rows[Symbol.asyncIterator]()
  const firstRows: SheetRow[] = []
  while (firstRows.length < HEAD_ROWS) {
    const next = await rest.next()
    if (next.done) break
    firstRows.push(...next.value)
  }
  return { head: readHead(firstRows), batches: joined(firstRows, rest) }
}

async function* joined(firstRows: SheetRow[], rest: AsyncIterator<SheetRow[]>): AsyncGenerator<SheetRow[]> {
  try {
    if (firstRows.length > 0) yield firstRows
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
