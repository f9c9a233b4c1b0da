'use client'

import { type KeyboardEvent, type RefObject, useState } from 'react'
import { Avatar } from '#components/ui/avatar'
import { menuItemClass } from '#components/ui/overlays/menu-item-class'

export type Person = { user_id: string; name: string }

const SHOWN = 6
const MAX_TYPED = 60

/** Those whom the word behind the last @ before the caret may mean. */
function matching({ value, selectionStart }: HTMLTextAreaElement, people: Person[]) {
  const at = value.lastIndexOf('@', selectionStart - 1)
  const typed = value.slice(at + 1, selectionStart).toLowerCase()
  if (at < 0 || typed.includes('\n') || typed.length > MAX_TYPED) return { at, candidates: [] }
  const candidates = people.filter(
    ({ name }) => name.toLowerCase().startsWith(typed) && name.length > typed.length,
  )
  return { at, candidates: candidates.slice(0, SHOWN) }
}

/** Names offered while one is typed behind an @, chosen by the arrow keys and Enter. */
export function useOfferedPeople(frame: RefObject<HTMLElement | null>, people: Person[]) {
  const [offered, setOffered] = useState<Person[]>([])
  const [chosen, setChosen] = useState(0)
  const field = () => frame.current?.querySelector('textarea')

  function offer() {
    const control = field()
    setOffered(control ? matching(control, people).candidates : [])
    setChosen(0)
  }
  function take(person: Person | undefined) {
    const control = field()
    if (!control || !person) return
    const { at } = matching(control, people)
    control.setRangeText(`@${person.name} `, at, control.selectionStart, 'end')
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

type Props = { id: string; offered: Person[]; chosen: number; take: (person: Person) => void }

export function OfferedPeople({ id, offered, chosen, take }: Props) {
  return (
    <div
      id={`${id}-people`}
      role="listbox"
      aria-label="Members"
      hidden={offered.length === 0}
      className="absolute bottom-full left-0 z-10 min-w-56 rounded-md bg-raised p-1 shadow-raised"
    >
      {offered.map((person, index) => (
        <button
          key={person.user_id}
          id={`${id}-${index}`}
          type="button"
          role="option"
          aria-selected={index === chosen}
          tabIndex={-1}
          className={`${menuItemClass()} ${index === chosen ? 'bg-hover' : ''}`}
          // Before the field loses the focus.
          onMouseDown={(event) => {
            event.preventDefault()
            take(person)
          }}
        >
          <Avatar name={person.name} /> {person.name}
        </button>
      ))}
    </div>
  )
}
