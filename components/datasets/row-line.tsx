import type { Output } from '#lib/contracts/contract'
import type { ListDatasetRows } from '#lib/contracts/datasets/datasets'
import type { DatasetCellChange } from '#lib/contracts/enrichment/dataset-sessions'
import { provenanceText } from './session-words.ts'

/**
 * The part of a row that the table shows: its cells by column, and the source of cells filled by a session.
 */
export type RowLine = {
  lead_index: number
  version: number
  cells: Record<string, string>
  from: Record<string, string>
}

type DatasetRow = Output<typeof ListDatasetRows>['items'][number]

/** A cell edited after a session filled it no longer has that source. */
export function rowLine(
  { lead_index, version, data }: DatasetRow,
  filled?: Record<string, DatasetCellChange>,
): RowLine {
  const cells = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, String(value ?? '')]))
  const from = Object.entries(filled ?? {})
    .filter(([key, { new_value }]) => cells[key] === new_value)
    .map(([key, change]) => [key, provenanceText(change)])
  return { lead_index, version, cells, from: Object.fromEntries(from) }
}
