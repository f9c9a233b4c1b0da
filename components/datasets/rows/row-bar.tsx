'use client'

import { Trash2 } from 'lucide-react'
import { useState, useTransition } from 'react'
import { ExportSelected } from '#components/lists/export-selected'
import { SelectAll } from '#components/lists/select-all'
import { SelectionBar } from '#components/lists/selection'
import { Button } from '#components/ui/controls/button'
import { counted } from '#components/ui/counted'
import { type Confirmation, ConfirmDialog } from '#components/ui/overlays/confirm-dialog'
import { toast } from '#components/ui/overlays/toast'
import { ownValue } from '#lib/domain/text/own-value'
import type { RowLine } from '../row-line.tsx'

export type RowsAnswer = { ok: true; removed: number } | { ok: false; message: string }
export type SelectedRowActs = {
  remove: (lead_indexes: number[]) => Promise<RowsAnswer>
  /** Loads all rows of the list, including those not scrolled to. */
  all: () => Promise<{ rows: RowLine[]; total: number }>
  /** Most rows per request. */
  most: number
}

type Props = {
  acts: SelectedRowActs
  total: number
  columns: { name: string; key: string }[]
  rows: RowLine[]
  clear: () => void
  replace: (all: [id: string, row: RowLine][]) => void
}

const FOREVER = { duration: Number.POSITIVE_INFINITY }
const LOST = 'The server could not be reached. Reload to see which rows are left.'

/** Actions for the selected rows. */
export function RowBar({ acts, total, columns, rows, clear, replace }: Props) {
  const [asked, setAsked] = useState<Confirmation | null>(null)
  const [isPending, startTransition] = useTransition()

  function attempt(work: () => Promise<void>) {
    startTransition(() => work().catch(() => void toast.error(LOST, FOREVER)))
  }
  const remove = () =>
    attempt(async () => {
      const answer = await acts.remove(rows.map(({ lead_index }) => lead_index))
      if (!answer.ok) return void toast.error(answer.message, FOREVER)
      toast.success(`${counted(answer.removed, 'rows')} removed.`)
      clear()
    })
  const selectAll = () =>
    attempt(async () => {
      const { rows: all, total: matching } = await acts.all()
      replace(all.map((row) => [String(row.lead_index), row]))
      if (matching > all.length)
        toast(`The first ${counted(all.length, 'rows')} of ${matching.toLocaleString('en')} are selected.`)
    })

  return (
    <>
      <SelectionBar label="Selected rows" count={rows.length} clear={clear}>
        <SelectAll
          {...{ total, most: acts.most }}
          count={rows.length}
          isBusy={isPending}
          onClick={selectAll}
        />
        <ExportSelected
          filename="Rows.csv"
          head={columns.map(({ name }) => name)}
          rows={rows.map(({ cells }) => columns.map(({ key }) => ownValue(cells, key) ?? null))}
        />
        <Button
          size="sm"
          variant="danger"
          aria-busy={isPending}
          onClick={() => setAsked(buildConfirmation(rows))}
        >
          <Trash2 aria-hidden /> Remove {rows.length.toLocaleString('en')}
        </Button>
      </SelectionBar>
      {asked && <ConfirmDialog confirmation={asked} onConfirm={remove} onClose={() => setAsked(null)} />}
    </>
  )
}

function buildConfirmation(rows: RowLine[]): Confirmation {
  const [first] = rows
  const isOne = rows.length === 1
  return {
    title:
      isOne && first
        ? `Remove ${first.cells.email ?? `row ${first.lead_index + 1}`} from the dataset?`
        : `Remove these ${counted(rows.length, 'rows')} from the dataset?`,
    description: `Leads of the ${isOne ? 'row' : 'rows'} that wait for a step are skipped in all campaigns. This cannot be undone.`,
    label: `Remove ${counted(rows.length, 'rows')}`,
    danger: true,
  }
}
