'use client'

import { type ReactNode, useState, useTransition } from 'react'
import { SelectionBar, UNDO_MS, useSelection } from '#components/lists/selection'
import { Button } from '#components/ui/controls/button'
import { type Confirmation, ConfirmDialog } from '#components/ui/overlays/confirm-dialog'
import { toast } from '#components/ui/overlays/toast'

export type Entry = { value: string; reason: string }
export type AllowAgain = (suppression_ids: string[]) => Promise<Entry[]>
export type SuppressAgain = (entries: Entry[]) => Promise<number>

type Row = { suppression_id: string; value: string }
type Props = { rows: Row[]; allow: AllowAgain; suppress: SuppressAgain; children: ReactNode }

const LOST = 'The server could not be reached. Reload to see the current list.'
const counted = (count: number) => (count === 1 ? '1 entry' : `${count.toLocaleString('en')} entries`)

/** What is ticked inside is taken off the list together; its receipt puts all of it back, each with its reason. */
export function SuppressionSelection({ rows, allow, suppress, children }: Props) {
  const [asked, setAsked] = useState<Confirmation | null>(null)
  const [isPending, startTransition] = useTransition()
  const { place, ticked, clear } = useSelection(rows.map(({ suppression_id }) => suppression_id).join())
  const selected = rows.filter(({ suppression_id }) => ticked.includes(suppression_id))

  function attempt(work: () => Promise<void>) {
    startTransition(() => work().catch(() => void toast.error(LOST, { duration: Number.POSITIVE_INFINITY })))
  }

  const putBack = (entries: Entry[]) =>
    attempt(async () => void toast.success(`${counted(await suppress(entries))} listed again.`))

  const takeOff = () =>
    attempt(async () => {
      const entries = await allow(selected.map(({ suppression_id }) => suppression_id))
      toast.success(`${counted(entries.length)} can be contacted again.`, {
        duration: UNDO_MS,
        action: { label: 'Undo', onClick: () => putBack(entries) },
      })
      clear()
    })

  return (
    <div ref={place}>
      {children}
      <SelectionBar label="Selected suppressions" count={selected.length} clear={clear}>
        <Button size="sm" disabled={isPending} onClick={() => setAsked(buildConfirmation(selected))}>
          Allow {selected.length} again
        </Button>
      </SelectionBar>
      <ConfirmDialog confirmation={asked} onConfirm={takeOff} onClose={() => setAsked(null)} />
    </div>
  )
}

function buildConfirmation(rows: Row[]): Confirmation {
  const [first] = rows
  return {
    title:
      rows.length === 1
        ? `Allow contact with ${first?.value} again?`
        : `Allow contact with these ${counted(rows.length)} again?`,
    description: 'New campaigns can contact them. Leads they ended stay ended.',
    label: `Allow ${rows.length} again`,
    danger: true,
  }
}
