'use client'

import { X } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from '#components/ui/controls/icon-button'
import { LockedButton, useLock } from '#components/ui/controls/lock'

/** How long a toast offers undo for a bulk action. */
export const UNDO_MS = 10_000

const boxesIn = (element: HTMLElement | null) => [
  ...(element?.querySelectorAll<HTMLInputElement>('input[data-select]') ?? []),
]

/** `x` toggles the focused row. */
export function tickFocused(event: KeyboardEvent) {
  if (event.key !== 'x' || event.ctrlKey || event.metaKey || event.altKey) return
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || !focused.matches('[data-row-link]')) return
  focused.closest('tr, li')?.querySelector<HTMLInputElement>('input[data-select]')?.click()
}

/**
 * The values of checked row boxes (`data-select`) inside `place`, whichever component rendered them; a box
 * with `data-select-all` checks them all. `shown` identifies the rows: other rows have other boxes.
 */
export function useSelection(shown: string) {
  const place = useRef<HTMLDivElement>(null)
  const [ticked, setTicked] = useState<string[]>([])
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
    document.addEventListener('keydown', tickFocused)
    return () => {
      element?.removeEventListener('change', tick)
      document.removeEventListener('keydown', tickFocused)
    }
  }, [shown])

  function clear() {
    const all = place.current?.querySelectorAll<HTMLInputElement>(
      'input[data-select], input[data-select-all]',
    )
    for (const box of all ?? []) box.checked = false
    setTicked([])
  }
  return { place, ticked, clear }
}

type BarProps = { label: string; count: number; clear: () => void; children: ReactNode }

/** Actions for the selection, below the list; nothing while nothing is selected. */
export const SelectionBar = (props: BarProps) => (props.count === 0 ? null : <Bar {...props} />)

/** When the bar disappears, moves the focus back to a row in the list that still exists. */
function useWayBack() {
  const bar = useRef<HTMLElement>(null)
  const selected = useRef<HTMLInputElement[]>([])
  useEffect(() => {
    selected.current = boxesIn(document.body).filter(({ checked }) => checked)
  })
  useLayoutEffect(() => {
    const element = bar.current
    return () => {
      if (!element?.contains(document.activeElement)) return
      // Elements behind an open dialog cannot take the focus.
      element.querySelector<HTMLDialogElement>('dialog[open]')?.close()
      const staying = boxesIn(document.body).find((box) => !selected.current.includes(box))
      const back = staying ?? document.getElementById('content')
      back?.focus()
    }
  }, [])
  return bar
}

function Bar({ label, count, clear, children }: BarProps) {
  const isLocked = useLock() !== null
  return (
    <section
      ref={useWayBack()}
      aria-label={label}
      className="fixed bottom-20 left-1/2 z-20 flex w-max max-w-[calc(100vw-1rem)] -translate-x-1/2 items-center gap-2 overflow-x-auto rounded-md bg-raised py-2 pr-2 pl-4 text-sm whitespace-nowrap shadow-raised max-sm:gap-1.5 max-sm:pl-3 sm:bottom-6"
    >
      <p role="status" className="sm:mr-2">
        {count.toLocaleString('en')} <span className="max-sm:sr-only">selected</span>
      </p>
      {isLocked ? <LockedButton size="sm">Change</LockedButton> : children}
      <IconButton small label="Clear the selection" onClick={clear}>
        <X />
      </IconButton>
    </section>
  )
}
