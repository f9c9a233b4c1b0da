'use client'

import type { RefObject } from 'react'
import { type Offer, OfferedList, useOffered } from '#components/messages/offered/offered'
import { putText } from '#components/messages/offered/put-text'
import { Avatar } from '#components/ui/avatar'

const MAX_TYPED = 60
const MOST_OFFERED = 6

export type Person = { user_id: string; name: string }

/** People matching the word after the last "@" before the caret. */
function findMatching(people: Person[], value: string, caret: number): { at: number; candidates: Offer[] } {
  const at = value.lastIndexOf('@', caret - 1)
  const typed = value.slice(at + 1, caret).toLowerCase()
  if (at < 0 || typed.includes('\n') || typed.length > MAX_TYPED) return { at, candidates: [] }
  const candidates = people
    .filter(({ name }) => name.toLowerCase().startsWith(typed) && name.length > typed.length)
    .map(({ user_id, name }) => ({ id: user_id, name }))
  return { at, candidates: candidates.slice(0, MOST_OFFERED) }
}

/** Suggests names while the user types after "@". */
export function useOfferedPeople(frame: RefObject<HTMLElement | null>, people: Person[]) {
  const field = () => frame.current?.querySelector('textarea')
  return useOffered({
    find: () => {
      const control = field()
      return control ? findMatching(people, control.value, control.selectionStart).candidates : []
    },
    put: ({ name }) => {
      const control = field()
      if (!control) return
      const { at } = findMatching(people, control.value, control.selectionStart)
      putText(control, `@${name} `, at, control.selectionStart)
    },
  })
}

type Props = { id: string; offered: Offer[]; chosen: number; take: (person: Offer) => void }

export const OfferedPeople = ({ id, ...props }: Props) => (
  <OfferedList id={`${id}-people`} label="Members" look={({ name }) => <Avatar name={name} />} {...props} />
)
