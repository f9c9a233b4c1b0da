'use client'

import { clsx } from 'clsx'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { controlClass } from '#components/ui/controls/control-class'

type Props = {
  /** The column's display name. */
  label: string
  /** The row's number, counted from 1. */
  place: number
  value: string
  from: string | undefined
  /** Returns why it was not saved, or null. */
  save: (value: string) => Promise<string | null>
  /** Closes the editor and moves to the next cell (1), the previous one (-1) or none (0). */
  onDone: (way: -1 | 0 | 1) => void
}

/**
 * Edits one cell: Enter saves, Tab saves and moves on, Esc cancels. A refused value stays with its reason.
 */
export function CellEditor({ label, place, value, from, save, onDone }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const isOver = useRef(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  useEffect(() => input.current?.select(), [])

  function close(way: -1 | 0 | 1) {
    isOver.current = true
    onDone(way)
  }
  async function finish(way: -1 | 0 | 1) {
    const written = input.current?.value.trim() ?? value
    if (isOver.current || isPending) return
    if (written === value) return close(way)
    setPending(true)
    const refusal = await save(written)
    setPending(false)
    if (refusal === null) return close(way)
    setProblem(refusal)
    input.current?.focus()
  }
  function press(event: KeyboardEvent) {
    if (!['Enter', 'Escape', 'Tab'].includes(event.key) || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') close(0)
    else finish(event.key === 'Enter' ? 0 : event.shiftKey ? -1 : 1)
  }
  const said = problem ?? from
  return (
    <div className="relative">
      <input
        ref={input}
        // biome-ignore lint/a11y/noAutofocus: it stands where the focus was
        autoFocus
        defaultValue={value}
        readOnly={isPending}
        aria-busy={isPending}
        aria-label={`${label} of row ${place}`}
        aria-invalid={problem !== null}
        aria-describedby={said ? id : undefined}
        maxLength={32_000}
        onKeyDown={press}
        // A refused value is discarded with Esc only.
        onBlur={() => problem === null && finish(0)}
        className={clsx(
          controlClass,
          'relative -mx-2.5 h-8 w-[calc(100%+1.25rem)] scroll-mt-10 scroll-ml-20 max-sm:max-w-56',
        )}
      />
      {said && <Said id={id} text={said} isProblem={problem !== null} />}
    </div>
  )
}

/** Why it was not saved, or else the cell's source. */
const Said = ({ id, text, isProblem }: { id: string; text: string; isProblem: boolean }) => (
  <p
    id={id}
    role={isProblem ? 'alert' : undefined}
    className={clsx(
      'absolute top-full -left-2.5 z-20 mt-1 w-max max-w-72 rounded-sm bg-raised px-2.5 py-1.5 text-sm whitespace-normal shadow-raised',
      isProblem ? 'text-danger' : 'text-muted',
    )}
  >
    {text}
  </p>
)
