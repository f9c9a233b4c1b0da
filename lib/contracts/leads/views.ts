import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  editedVersion,
  id,
  listEnvelope,
  paging,
  pathId,
  text,
  version,
} from '#lib/contracts/fields'
import { peopleFilters } from '#lib/contracts/leads/people'
import { PERSON_COLUMNS } from '#lib/domain/leads/person-columns'

const filters = () =>
  z.strictObject(peopleFilters().shape).describe('Those of `GET /people`, as a query gives them.')

const columns = () =>
  z
    .array(z.enum(PERSON_COLUMNS))
    .max(PERSON_COLUMNS.length)
    .refine((given) => new Set(given).size === given.length, { error: 'names a column twice' })
    .describe(
      'Columns of the list in the dashboard beside the name, in their order. Empty: those that each person chose.',
    )

export const View = z
  .object({
    view_id: id(),
    name: z.string(),
    filters: z.record(z.string(), z.union([z.string(), z.int()])),
    columns: columns(),
    version: version(),
    created_at: dateTime(),
    updated_at: dateTime(),
  })
  .meta({ id: 'View' })
export type View = z.output<typeof View>

const common = { tag: 'People', errors: 'flat' } as const
const params = z.object({ view_id: pathId() })
const name = () => text(1, 80).trim().min(1)

export const ListViews = contract({
  ...common,
  id: 'listViews',
  method: 'GET',
  path: '/views',
  summary: 'List saved views',
  description: 'Filters of people that somebody of the workspace saved, by name. Everybody in it has them.',
  query: z.object(paging),
  response: listEnvelope(View),
  status: 200,
  scope: 'read',
})

export const CreateView = contract({
  ...common,
  id: 'createView',
  method: 'POST',
  path: '/views',
  summary: 'Save a view',
  description:
    'For everybody in the workspace. Use `contacted_in_days` where the days are counted from whenever it is opened. 409 `view_exists` if the name is taken, `views_full` above 200 views.',
  body: z.object({ name: name(), filters: filters(), columns: columns().default([]) }),
  response: View,
  status: 201,
  scope: 'write',
  refusals: [409],
  example: { body: { name: 'Replied in Germany', filters: { replied: 'true', country: 'Germany' } } },
})

export const UpdateView = contract({
  ...common,
  id: 'updateView',
  method: 'PATCH',
  path: '/views/{view_id}',
  summary: 'Rename a view, or change its filters or columns',
  description: '`filters` and `columns` are each taken as a whole. 409 `view_exists` if the name is taken.',
  params,
  body: z
    .object({ name: name(), filters: filters(), columns: columns(), version: editedVersion() })
    .partial(),
  response: View,
  status: 200,
  scope: 'write',
  refusals: [404, 409],
})

export const DeleteView = contract({
  ...common,
  id: 'deleteView',
  method: 'DELETE',
  path: '/views/{view_id}',
  summary: 'Delete a view',
  description: 'For everybody. People stay as they are.',
  params,
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404],
  destructive: true,
})
