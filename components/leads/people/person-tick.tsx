'use client'

import { PageTick, RowTick } from '#components/lists/kept-selection'
import type { Person } from '#lib/contracts/leads/people'
import { personName } from '#lib/domain/leads/person-name'
import { TickedPeople } from './person-selection.tsx'

export const PersonTick = ({ person }: { person: Person }) => (
  <RowTick kept={TickedPeople} id={person.person_id} row={person} label={`Select ${personName(person)}`} />
)

export const PersonPageTick = ({ people }: { people: Person[] }) => (
  <PageTick kept={TickedPeople} shown={people.map((person) => [person.person_id, person])} />
)
