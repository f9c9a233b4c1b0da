'use client'

import { PageTick, RowTick } from '#components/lists/kept-selection'
import { type TickedSuppression, TickedSuppressions } from './suppression-selection.tsx'

export const SuppressionTick = ({ row }: { row: TickedSuppression }) => (
  <RowTick kept={TickedSuppressions} id={row.suppression_id} row={row} label={`Select ${row.value}`} />
)

export const SuppressionPageTick = ({ rows }: { rows: TickedSuppression[] }) => (
  <PageTick kept={TickedSuppressions} shown={rows.map((row) => [row.suppression_id, row])} />
)
