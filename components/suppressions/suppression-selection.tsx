'use client'

import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState, useTransition } from 'react'
import { boxesIn } from '#components/lists/select-boxes'
import { Button } from '#components/ui/button'
import { type Confirmation, ConfirmDialog } from '#components/ui/confirm-dialog'
import { IconButton } from '#components/ui/icon-button'
import { toast } from '#components/ui/toaster'

export type Entry = { value: string; reason: string }
export type AllowAgain = (suppression_ids: string[]) => Promise<Entry[]>
export type SuppressAgain = (entries: Entry[]) => Promise<number>

type Row = { suppression_id: string; value: string }
type Props = { rows: Row[]; allow: AllowAgain; suppress: SuppressAgain; children: ReactNode }

/** Longer than other receipts: it can still be taken back. */
const UNDO_MS = 10_000
const LOST = 'The server could not be reached. Reload to see what is listed.'
const counted = (count: number) => (count === 1 ? '1 entry' : `${count.toLocaleString('en')} entries`)

/** What is ticked inside is taken off the list together; its receipt puts all of it back, each with its reason. */
export function SuppressionSelection({ rows, allow, suppress, children }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [ticked, setTicked] = useState<string[]>([])
  const [asked, setAsked] = useState<Confirmation | null>(null)
  const [isPending, startTransition] = useTransition()
  const selected = rows.filter(({ suppression_id }) => ticked.includes(suppression_id))

  const shown = rows.map(({ suppression_id }) => suppression_id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows have other boxes
  useEffect(() => {
    const element = place.current
    const read = () => setTicked(boxesIn(element).flatMap((box) => (box.checked ? [box.value] : [])))
    function tick({ target }: Event) {
      if (target instanceof HTMLInputElement && target.matches('[data-select-all]'))
        for (const box of boxesIn(element)) box.checked = target.checked
      read()
    }
    read()
    element?.addEventListener('change', tick)
    return () => element?.removeEventListener('change', tick)
  }, [shown])

  function clear() {
    for (const box of place.current?.querySelectorAll<HTMLInputElement>('input[type=checkbox]') ?? [])
      box.checked = false
    setTicked([])
  }

  function attempt(work: () => Promise<void>) {
    startTransition(() => work().catch(() => void toast.error(LOST, { duration: Number.POSITIVE_INFINITY })))
  }

  const putBack = (entries: Entry[]) =>
    attempt(async () => void toast.success(`${counted(await suppress(entries))} listed again.`))

  const takeOff = () =>
    attempt(async () => {
      const entries = await allow(selected.map(({ suppression_id }) => suppression_id))
      toast.success(`${counted(entries.length)} may be written to again.`, {
        duration: UNDO_MS,
        action: { label: 'Undo', onClick: () => putBack(entries) },
      })
      clear()
    })

  return (
    <div ref={place}>
      {children}
      {selected.length > 0 && (
        <section
          aria-label="Selected suppressions"
          className="fixed bottom-20 left-1/2 z-20 flex -translate-x-1/2 items-center gap-2 rounded-md bg-raised py-2 pr-2 pl-4 text-sm whitespace-nowrap shadow-raised sm:bottom-6"
        >
          <p role="status" className="mr-2">
            {selected.length} selected
          </p>
          <Button size="sm" disabled={isPending} onClick={() => setAsked(questionOf(selected))}>
            Allow {selected.length} again
          </Button>
          <IconButton small label="Clear the selection" onClick={clear}>
            <X />
          </IconButton>
        </section>
      )}
      <ConfirmDialog confirmation={asked} onConfirm={takeOff} onClose={() => setAsked(null)} />
    </div>
  )
}

function questionOf(rows: Row[]): Confirmation {
  const [first] = rows
  return {
    title:
      rows.length === 1
        ? `Allow mail to ${first?.value} again?`
        : `Allow mail to these ${counted(rows.length)} again?`,
    description: 'Later campaigns may write to them. Leads that they ended stay ended.',
    label: `Allow ${rows.length} again`,
    danger: true,
  }
}
