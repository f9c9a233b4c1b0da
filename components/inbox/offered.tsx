'use client'

import { type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react'
import { menuItemClass } from '#components/ui/overlays/menu-item-class'

export type Offer = { id: string; name: string }
/** What is typed behind the mark, from where to where, and what it may mean. */
type Found = { at: number; candidates: Offer[] }
export type Find = (value: string, caret: number) => Found

export const MOST_OFFERED = 6
export const MAX_TYPED = 60

type Options = {
  find: Find
  /** Puts what was chosen in the place of what was typed. */
  put: (control: HTMLTextAreaElement, from: number, offer: Offer) => void
}

/** What is offered while it is typed, chosen by the arrow keys and Enter. */
export function useOffered(frame: RefObject<HTMLElement | null>, { find, put }: Options) {
  const [offered, setOffered] = useState<Offer[]>([])
  const [chosen, setChosen] = useState(0)
  const field = () => frame.current?.querySelector('textarea')

  function offer() {
    const control = field()
    setOffered(control ? find(control.value, control.selectionStart).candidates : [])
    setChosen(0)
  }
  function take(one: Offer | undefined) {
    const control = field()
    if (!control || !one) return
    put(control, find(control.value, control.selectionStart).at, one)
    control.dispatchEvent(new Event('input', { bubbles: true }))
    setOffered([])
    control.focus()
  }
  function onKey(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (offered.length === 0) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setChosen((chosen + step + offered.length) % offered.length)
    else if (event.key === 'Enter' || event.key === 'Tab') take(offered[chosen])
    else if (event.key === 'Escape') setOffered([])
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return { offered, chosen, offer, take, onKey, close: () => setOffered([]) }
}

type Props = {
  id: string
  label: string
  offered: Offer[]
  chosen: number
  take: (one: Offer) => void
  look?: (one: Offer) => ReactNode
}

export function OfferedList({ id, label, offered, chosen, take, look }: Props) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      hidden={offered.length === 0}
      className="absolute bottom-full left-0 z-10 max-w-full min-w-56 rounded-md bg-raised p-1 shadow-raised"
    >
      {offered.map((one, index) => (
        <button
          key={one.id}
          id={`${id}-${index}`}
          type="button"
          role="option"
          aria-selected={index === chosen}
          tabIndex={-1}
          className={`${menuItemClass()} ${index === chosen ? 'bg-hover' : ''}`}
          // Before the field loses the focus.
          onMouseDown={(event) => {
            event.preventDefault()
            take(one)
          }}
        >
          {look?.(one)} <span className="min-w-0 truncate">{one.name}</span>
        </button>
      ))}
    </div>
  )
}
