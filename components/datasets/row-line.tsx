import type { Output } from '#lib/contracts/contract'
import type { ListDatasetRows } from '#lib/contracts/datasets/datasets'
import type { DatasetCellChange } from '#lib/contracts/enrichment/dataset-sessions'
import { provenanceText } from './session-words.ts'

/** What the table shows of a row: its cells by column, and where those that a session filled came from. */
export type RowLine = {
  lead_index: number
  version: number
  cells: Record<string, string>
  from: Record<string, string>
}

type DatasetRow = Output<typeof ListDatasetRows>['items'][number]

/** A cell that was changed since a session filled it does not come from there any more. */
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
