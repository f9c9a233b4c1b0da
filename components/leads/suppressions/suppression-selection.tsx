'use client'

import { ShieldCheck } from 'lucide-react'
import { type ReactNode, useState, useTransition } from 'react'
import { ExportSelected } from '#components/lists/export-selected'
import { createTicks, useKeptSelection } from '#components/lists/kept-selection'
import { SelectAll } from '#components/lists/select-all'
import { SelectionBar, UNDO_MS } from '#components/lists/selection'
import { Button } from '#components/ui/controls/button'
import { counted } from '#components/ui/counted'
import { type Confirmation, ConfirmDialog } from '#components/ui/overlays/confirm-dialog'
import { toast } from '#components/ui/overlays/toast'
import type { Suppression } from '#lib/contracts/leads/suppressions'

export type TickedSuppression = Pick<Suppression, 'suppression_id' | 'value' | 'reason' | 'created_at'>
export type Entry = { value: string; reason: string }
export type SuppressionActs = {
  allow: (suppression_ids: string[]) => Promise<Entry[]>
  suppress: (entries: Entry[]) => Promise<number>
  /** Loads all entries of the workspace's own list, on every page. */
  all: () => Promise<{ rows: TickedSuppression[]; total: number }>
  /** Most entries per request. */
  most: number
}

export const TickedSuppressions = createTicks<TickedSuppression>()

type Props = { acts: SuppressionActs; total: number; children: ReactNode }

const LOST = 'The server could not be reached. Reload to see the current list.'

/**
 * Removes the selected entries, across pages, from the list; the toast offers to restore all of them with
 * their reasons.
 */
export function SuppressionSelection({ acts, total, children }: Props) {
  const [asked, setAsked] = useState<Confirmation | null>(null)
  const [isPending, startTransition] = useTransition()
  const { rows, place, clear, replace } = useKeptSelection(TickedSuppressions, acts.most)

  function attempt(work: () => Promise<void>) {
    startTransition(() => work().catch(() => void toast.error(LOST, { duration: Number.POSITIVE_INFINITY })))
  }

  const putBack = (entries: Entry[]) =>
    attempt(
      async () => void toast.success(`${counted(await acts.suppress(entries), 'entries')} listed again.`),
    )

  const takeOff = () =>
    attempt(async () => {
      const entries = await acts.allow(rows.map(({ suppression_id }) => suppression_id))
      toast.success(`${counted(entries.length, 'entries')} can be contacted again.`, {
        duration: UNDO_MS,
        action: { label: 'Undo', onClick: () => putBack(entries) },
      })
      clear()
    })

  const selectAll = () =>
    attempt(async () => {
      const { rows: all, total: matching } = await acts.all()
      replace(all.map((row) => [row.suppression_id, row]))
      if (matching > all.length)
        toast(`The first ${counted(all.length, 'entries')} of ${matching.toLocaleString('en')} are selected.`)
    })

  return (
    <>
      {place(children)}
      <SelectionBar label="Selected suppressions" count={rows.length} clear={clear}>
        <SelectAll
          count={rows.length}
          total={total}
          most={acts.most}
          isBusy={isPending}
          onClick={selectAll}
        />
        <ExportSelected
          filename="Suppressions.csv"
          head={['value', 'reason', 'created_at']}
          rows={rows.map(({ value, reason, created_at }) => [value, reason, created_at])}
        />
        <Button size="sm" aria-busy={isPending} onClick={() => setAsked(buildConfirmation(rows))}>
          <ShieldCheck aria-hidden /> Allow {rows.length.toLocaleString('en')} again
        </Button>
      </SelectionBar>
      <ConfirmDialog confirmation={asked} onConfirm={takeOff} onClose={() => setAsked(null)} />
    </>
  )
}

function buildConfirmation(rows: TickedSuppression[]): Confirmation {
  const [first] = rows
  return {
    title:
      rows.length === 1
        ? `Allow contact with ${first?.value} again?`
        : `Allow contact with these ${counted(rows.length, 'entries')} again?`,
    description: 'New campaigns can contact them. Leads they ended stay ended.',
    label: `Allow ${rows.length.toLocaleString('en')} again`,
    danger: true,
  }
}
