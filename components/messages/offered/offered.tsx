'use client'

import { clsx } from 'clsx'
import { type ReactNode, type Ref, useRef, useState } from 'react'
import { menuItemClass } from '#components/ui/overlays/menu-item-class'

export type Offer = { id: string; name: string }

type Options = {
  /** The suggestions for the text before the caret. */
  find: () => Offer[]
  /** Replaces the typed text with the choice. */
  put: (offer: Offer) => void
}

type Pressed = Pick<KeyboardEvent, 'key' | 'preventDefault' | 'stopPropagation'>

const listIds = (offers: Offer[]) => offers.map(({ id }) => id).join()

/** Suggestions while typing, chosen with the arrow keys and Enter. */
export function useOffered({ find, put }: Options) {
  const [offered, setOffered] = useState<Offer[]>([])
  const [chosen, setChosen] = useState(0)
  // Dismissed suggestions stay hidden until the text changes.
  const isUnwanted = useRef(false)

  function offer() {
    const meant = find()
    if (meant.length === 0) isUnwanted.current = false
    const next = isUnwanted.current ? [] : meant
    if (listIds(next) === listIds(offered)) return
    setOffered(next)
    setChosen(0)
  }
  function take(one: Offer | undefined) {
    setOffered([])
    if (one) put(one)
  }
  function onKey(event: Pressed) {
    if (offered.length === 0) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setChosen((chosen + step + offered.length) % offered.length)
    else if (event.key === 'Enter' || event.key === 'Tab') take(offered[chosen])
    else if (event.key === 'Escape') {
      isUnwanted.current = true
      setOffered([])
    } else return
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
  ref?: Ref<HTMLDivElement>
  /** Position of the list; above the text by default. */
  className?: string
}

export function OfferedList({ id, label, offered, chosen, take, look, ref, className }: Props) {
  return (
    <div
      ref={ref}
      id={id}
      role="listbox"
      aria-label={label}
      hidden={offered.length === 0}
      className={clsx(
        'absolute max-w-full min-w-56 rounded-md bg-raised p-1 shadow-raised',
        className ?? 'bottom-full left-0 z-10',
      )}
    >
      {offered.map((one, index) => (
        <button
          key={one.id}
          id={`${id}-${index}`}
          type="button"
          role="option"
          aria-selected={index === chosen}
          tabIndex={-1}
          className={`${menuItemClass()} aria-selected:bg-accent-subtle aria-selected:text-accent-text`}
          // Runs before the field loses the focus.
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
