'use client'

import type { RefObject } from 'react'
import { Avatar } from '#components/ui/avatar'
import { MAX_TYPED, MOST_OFFERED, type Offer, OfferedList, useOffered } from './offered.tsx'

export type Person = { user_id: string; name: string }

/** Those whom the word behind the last @ before the caret may mean. */
const matching = (people: Person[]) => (value: string, caret: number) => {
  const at = value.lastIndexOf('@', caret - 1)
  const typed = value.slice(at + 1, caret).toLowerCase()
  if (at < 0 || typed.includes('\n') || typed.length > MAX_TYPED) return { at, candidates: [] }
  const candidates = people
    .filter(({ name }) => name.toLowerCase().startsWith(typed) && name.length > typed.length)
    .map(({ user_id, name }) => ({ id: user_id, name }))
  return { at, candidates: candidates.slice(0, MOST_OFFERED) }
}

/** Names offered while one is typed behind an @. */
export const useOfferedPeople = (frame: RefObject<HTMLElement | null>, people: Person[]) =>
  useOffered(frame, {
    find: matching(people),
    put: (control, from, { name }) => control.setRangeText(`@${name} `, from, control.selectionStart, 'end'),
  })

type Props = { id: string; offered: Offer[]; chosen: number; take: (person: Offer) => void }

export const OfferedPeople = ({ id, ...props }: Props) => (
  <OfferedList id={`${id}-people`} label="Members" look={({ name }) => <Avatar name={name} />} {...props} />
)
