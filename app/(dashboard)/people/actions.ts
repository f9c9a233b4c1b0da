'use server'

import { revalidatePath } from 'next/cache'
import type { Query } from '#components/ui/query-href'
import { MAX_PEOPLE_AT_ONCE, type Person } from '#lib/contracts/leads/people'
import * as operations from '#lib/operations/leads/people'
import { action, formAction, perform } from '../../action.ts'
import { formText, formVersion } from '../../form-result.ts'

const anew = '/people'

export const editPerson = formAction(
  operations.updatePerson,
  (data, person_id: string) => ({
    params: { person_id },
    body: {
      first_name: formText(data, 'first_name') || null,
      last_name: formText(data, 'last_name') || null,
      title: formText(data, 'title') || null,
      company: formText(data, 'company') || null,
      country: formText(data, 'country') || null,
      phone: formText(data, 'phone') || null,
      version: formVersion(data),
    },
  }),
  { anew, said: 'Details saved.' },
)

export const keepTags = action(
  operations.updatePerson,
  (person_id: string, version: number, tags: string[]) => ({
    params: { person_id },
    body: { tags, version },
  }),
  { anew, said: 'Tag removed.' },
)

export const addTag = formAction(
  operations.updatePerson,
  (data, person_id: string, version: number, tags: string[]) => ({
    params: { person_id },
    body: { tags: [...tags, formText(data, 'tag').trim()], version },
  }),
  { anew, said: 'Tag added.', control: (path) => path.replace(/^tags.*$/, 'tag') },
)

export const mergePerson = action(
  operations.mergePeople,
  (into: string, from: string) => ({ body: { into, from } }),
  { anew, said: 'Merged into one person.' },
)

export const splitPerson = action(
  operations.splitPerson,
  (person_id: string, part: string) => ({ params: { person_id }, body: { person_ids: [part] } }),
  { anew, said: 'Split into two people again.' },
)

/** Redirects to the dataset's page, where a campaign can be created. */
export const makeDataset = formAction(
  operations.createPeopleDataset,
  (data, filters: Query) => ({ body: { dataset_name: formText(data, 'dataset_name'), filters } }),
  { anew: '/datasets', to: ({ dataset_id }) => `/datasets/${dataset_id}` },
)

/** Uses the selection, whatever the filters are now. */
export const makeChosenList = formAction(
  operations.createPeopleDataset,
  (data, person_ids: string[]) => ({ body: { dataset_name: formText(data, 'dataset_name'), person_ids } }),
  { anew: '/datasets', to: ({ dataset_id }) => `/datasets/${dataset_id}` },
)

const people = (count: number) => (count === 1 ? '1 person' : `${count.toLocaleString('en')} people`)

export const tagSelected = formAction(
  operations.tagPeople,
  (data, person_ids: string[]) => ({ body: { person_ids, add_tags: [formText(data, 'tag').trim()] } }),
  {
    anew,
    said: ({ changed }, ids) =>
      `${people(changed.length)} tagged${changed.length < ids.length ? '; the others had it, or have no room for one more' : ''}.`,
    control: (path) => path.replace(/^add_tags.*$/, 'tag'),
  },
)

export async function suppressSelected(person_ids: string[]) {
  const answer = await perform(operations.suppressPeople, { body: { person_ids } })
  revalidatePath(anew)
  return answer
}

/** The people matching these filters, in this order, from the start of the list. */
export async function selectablePeople(filters: Query) {
  const chosen: Person[] = []
  let total = Number.POSITIVE_INFINITY
  for (let page = 1; chosen.length < Math.min(total, MAX_PEOPLE_AT_ONCE); page += 1) {
    const listed = await perform(operations.listPeople, {
      query: { ...filters, page: String(page), page_size: '100' },
    })
    chosen.push(...listed.items)
    total = listed.items.length === 0 ? chosen.length : listed.total
  }
  return { people: chosen, total }
}
