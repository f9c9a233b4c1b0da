'use client'

import { clsx } from 'clsx'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { controlClass } from '#components/ui/controls/control-class'

type Props = {
  /** The name that people know the column by. */
  label: string
  /** The place of its row, counted from 1. */
  place: number
  value: string
  from: string | undefined
  /** Answers why it was not saved. */
  save: (value: string) => Promise<string | null>
  /** Closed; on to the next cell (1), to the one before (-1), or nowhere (0). */
  onDone: (way: -1 | 0 | 1) => void
}

/** One cell as text: Enter saves, Tab saves and goes on, Esc leaves it as it was. What is refused stays, with its reason. */
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
        // What was refused is given up by Esc alone.
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

/** Why it was not saved, else where it was found. */
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
