'use client'

import { List, ShieldOff, Tag } from 'lucide-react'
import { type ReactNode, useState, useTransition } from 'react'
import { ExportSelected } from '#components/lists/export-selected'
import { createTicks, useKeptSelection } from '#components/lists/kept-selection'
import { NameDialog } from '#components/lists/name-dialog'
import { SelectAll } from '#components/lists/select-all'
import { SelectionBar } from '#components/lists/selection'
import type { FormAction, FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { counted } from '#components/ui/counted'
import { type Confirmation, ConfirmDialog } from '#components/ui/overlays/confirm-dialog'
import { toast } from '#components/ui/overlays/toast'
import type { Person } from '#lib/contracts/leads/people'
import { personName } from '#lib/domain/leads/person-name'

type ForPeople = (person_ids: string[], ...form: Parameters<FormAction>) => Promise<FormResult>
export type PersonActs = {
  tag: ForPeople
  makeList: ForPeople
  suppress: (person_ids: string[]) => Promise<{ added: number; leads_ended: number }>
  /** Loads all people of the list, on every page. */
  all: () => Promise<{ people: Person[]; total: number }>
  /** Most people per request. */
  most: number
}

export const TickedPeople = createTicks<Person>()

type Props = { acts: PersonActs; total: number; children: ReactNode }

const FOREVER = { duration: Number.POSITIVE_INFINITY }
const LOST = 'The server could not be reached. Reload to see who was changed.'

/** Tags, exports, suppresses, or makes a list of the selected people, across pages. */
export function PersonSelection({ acts, total, children }: Props) {
  const [asked, setAsked] = useState<Confirmation | null>(null)
  const [isPending, startTransition] = useTransition()
  const { rows, place, clear, replace } = useKeptSelection(TickedPeople, acts.most)
  const ids = rows.map(({ person_id }) => person_id)

  function attempt(work: () => Promise<void>) {
    startTransition(() => work().catch(() => void toast.error(LOST, FOREVER)))
  }
  const suppress = () =>
    attempt(async () => {
      const { added, leads_ended } = await acts.suppress(ids)
      const ended = leads_ended === 1 ? '1 lead' : `${leads_ended.toLocaleString('en')} leads`
      toast.success(`${added.toLocaleString('en')} added to the suppressions, ${ended} ended.`)
      clear()
    })
  const selectAll = () =>
    attempt(async () => {
      const { people, total: matching } = await acts.all()
      replace(people.map((person) => [person.person_id, person]))
      if (matching > people.length) toast(`The first ${counted(people.length, 'people')} are selected.`)
    })
  /** Clears the selection after tagging; an error keeps it. */
  const tag: FormAction = async (previous, data) => {
    const result = await acts.tag(ids, previous, data)
    if (!result.ok) return result
    // The form disappears with the bar, so the result is shown in a toast.
    toast.success(result.message ?? 'Tagged.')
    clear()
    return { ok: true }
  }
  return (
    <>
      {place(children)}
      <SelectionBar label="Selected people" count={rows.length} clear={clear}>
        <SelectAll
          {...{ total, most: acts.most }}
          count={rows.length}
          isBusy={isPending}
          onClick={selectAll}
        />
        <Named
          people={ids.length}
          tag={tag}
          makeList={(previous, data) => acts.makeList(ids, previous, data)}
        />
        <ExportSelected filename="People.csv" head={[...HEAD]} rows={rows.map(toCells)} />
        <Button size="sm" aria-busy={isPending} onClick={() => setAsked(buildConfirmation(rows))}>
          <ShieldOff aria-hidden /> Suppress
        </Button>
      </SelectionBar>
      <ConfirmDialog confirmation={asked} onConfirm={suppress} onClose={() => setAsked(null)} />
    </>
  )
}

type NamedProps = { people: number; tag: FormAction; makeList: FormAction }

/** Actions that ask for a name first. */
function Named({ people, tag, makeList }: NamedProps) {
  return (
    <>
      <NameDialog
        size="sm"
        action={tag}
        basis={people}
        open={
          <>
            <Tag aria-hidden /> Tag
          </>
        }
        title={`Tag ${counted(people, 'people')}`}
        description="Filter this list by tag. Lists made from it get the tags as a column."
        field={{ label: 'Tag', name: 'tag', maxLength: 50, placeholder: 'partner' }}
        submit="Add tag"
      />
      <NameDialog
        size="sm"
        action={makeList}
        basis={people}
        open={
          <>
            <List aria-hidden /> Make a list
          </>
        }
        title={`Make a list of ${counted(people, 'people')}`}
        description="Start a campaign from its page."
        field={{ label: 'Name', name: 'dataset_name', maxLength: 255, placeholder: 'Quiet since summer' }}
        submit="Make list"
      />
    </>
  )
}

const HEAD = ['email', 'first_name', 'last_name', 'title', 'company', 'country', 'phone', 'profile'] as const
const toCells = (person: Person) => HEAD.map((key) => person[key])

function buildConfirmation(people: Person[]): Confirmation {
  const [first] = people
  const isOne = people.length === 1
  return {
    title:
      isOne && first
        ? `Suppress ${personName(first)}?`
        : `Suppress these ${counted(people.length, 'people')}?`,
    description: `Their waiting leads end in all campaigns, and later campaigns skip ${isOne ? 'this person' : 'them'}. You can remove addresses from the list later, but ended leads stay ended.`,
    label: `Suppress ${people.length.toLocaleString('en')}`,
    danger: true,
  }
}
