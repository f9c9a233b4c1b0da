'use client'

import { Trash2 } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type ReactNode, useState, useTransition } from 'react'
import { LockedOthers, type OthersWork } from '#components/lists/row-lock'
import { SelectionBar, useSelection } from '#components/lists/selection'
import { Button } from '#components/ui/controls/button'
import { counted } from '#components/ui/counted'
import type { Confirmation } from '#components/ui/overlays/confirm-dialog'
import { toast } from '#components/ui/overlays/toast'

const ConfirmDialog = dynamic(
  () => import('#components/ui/overlays/confirm-dialog').then((module) => module.ConfirmDialog),
  { loading: () => null },
)

/** Returns what was deleted, and why the others were not. */
export type DeleteDatasets = (
  dataset_ids: string[],
) => Promise<{ deleted: string[]; refused: { dataset_id: string; reason: string }[] }>

type Row = { dataset_id: string; dataset_name: string; row_count: number }
type Props = {
  datasets: Row[]
  remove: DeleteDatasets
  others?: OthersWork | null | undefined
  children: ReactNode
}

const FOREVER = { duration: Number.POSITIVE_INFINITY }
const LOST = 'The server could not be reached. Reload to see which datasets are left.'

/** Deletes the selected datasets after a confirmation; those used by a campaign are kept and named. */
export function DatasetSelection({ datasets, remove, others, children }: Props) {
  const [asked, setAsked] = useState<Confirmation | null>(null)
  const [isPending, startTransition] = useTransition()
  const { place, ticked, clear } = useSelection(datasets.map(({ dataset_id }) => dataset_id).join())
  const selected = datasets.filter(({ dataset_id }) => ticked.includes(dataset_id))
  const own = selected.filter(({ dataset_id }) => !others?.ids.includes(dataset_id))

  const run = () =>
    startTransition(async () => {
      try {
        const { deleted, refused } = await remove(own.map(({ dataset_id }) => dataset_id))
        if (deleted.length > 0) toast.success(`${counted(deleted.length, 'datasets')} deleted.`)
        for (const { dataset_id, reason } of refused) {
          const name = own.find((row) => row.dataset_id === dataset_id)?.dataset_name
          toast.error(`“${name}” was not deleted. ${reason}`, FOREVER)
        }
        clear()
      } catch {
        toast.error(LOST, FOREVER)
      }
    })

  return (
    <div ref={place}>
      {children}
      <SelectionBar label="Selected datasets" count={selected.length} clear={clear}>
        {own.length > 0 && (
          <Button
            size="sm"
            variant="danger"
            aria-busy={isPending}
            onClick={() => setAsked(buildConfirmation(own))}
          >
            <Trash2 aria-hidden /> Delete {own.length}
          </Button>
        )}
        <LockedOthers others={others} ids={ticked} />
      </SelectionBar>
      {asked && <ConfirmDialog confirmation={asked} onConfirm={run} onClose={() => setAsked(null)} />}
    </div>
  )
}

function buildConfirmation(rows: Row[]): Confirmation {
  const leads = counted(
    rows.reduce((sum, { row_count }) => sum + row_count, 0),
    'leads',
  )
  const [first] = rows
  return {
    title:
      rows.length === 1
        ? `Delete dataset “${first?.dataset_name}” and its ${leads}?`
        : `Delete these ${counted(rows.length, 'datasets')} and their ${leads}?`,
    description: 'This cannot be undone. Datasets that a campaign uses are kept.',
    label: `Delete ${leads}`,
    danger: true,
  }
}
