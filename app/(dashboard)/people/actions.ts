'use server'

import * as operations from '#lib/operations/leads/people'
import { action, formAction } from '../../action.ts'
import { formText } from '../../form-result.ts'

const anew = '/people'

export const keepTags = action(
  operations.updatePerson,
  (person_id: string, version: number, tags: string[]) => ({
    params: { person_id },
    body: { tags, version },
  }),
  { anew, said: 'The tag is removed.' },
)

export const addTag = formAction(
  operations.updatePerson,
  (data, person_id: string, version: number, tags: string[]) => ({
    params: { person_id },
    body: { tags: [...tags, formText(data, 'tag').trim()], version },
  }),
  { anew, said: 'The tag is added.', control: (path) => path.replace(/^tags.*$/, 'tag') },
)

export const mergePerson = action(
  operations.mergePeople,
  (into: string, from: string) => ({ body: { into, from } }),
  { anew, said: 'They are one person now.' },
)

export const splitPerson = action(
  operations.splitPerson,
  (person_id: string, part: string) => ({ params: { person_id }, body: { person_ids: [part] } }),
  { anew, said: 'They are two people again.' },
)
