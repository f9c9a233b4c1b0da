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
import { threadFilters } from '#lib/contracts/inbox/inbox'
import { peopleFilters } from '#lib/contracts/leads/people'
import { PERSON_COLUMNS } from '#lib/domain/leads/person-columns'

/** The lists that have saved views, each with its filters. */
export const VIEW_FILTERS = {
  people: z.strictObject(peopleFilters().shape),
  inbox: z.strictObject(threadFilters().shape),
}
export type ViewList = keyof typeof VIEW_FILTERS

const list = () => z.enum(['people', 'inbox'])
const filters = () =>
  z
    .union([VIEW_FILTERS.people, VIEW_FILTERS.inbox])
    .describe('Filters of `GET /people` or `GET /inbox/threads`, as in a query.')

const columns = () =>
  z
    .array(z.enum(PERSON_COLUMNS))
    .max(PERSON_COLUMNS.length)
    .refine((given) => new Set(given).size === given.length, { error: 'names a column twice' })
    .describe(
      'Columns shown next to the name in the dashboard’s people list, in order. Empty: each person’s own choice.',
    )

export const View = z
  .object({
    view_id: id(),
    list: list(),
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
  description: 'Saved filters for people or the inbox, by name, shared by everybody in the workspace.',
  query: z.object({ list: list().default('people'), ...paging }),
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
    'For everybody in the workspace. Use `contacted_in_days` for dates relative to opening, and `assignee: me` for whoever opens it. 409 `view_exists` if the name is taken, `views_full` above 200 views.',
  body: z.discriminatedUnion('list', [
    z.object({
      list: z.literal('people').optional().describe('The list it filters. Default: people.'),
      name: name(),
      filters: VIEW_FILTERS.people.describe('Filters of `GET /people`, as in a query.'),
      columns: columns().default([]),
    }),
    z.object({
      list: z.literal('inbox'),
      name: name(),
      filters: VIEW_FILTERS.inbox.describe('Filters of `GET /inbox/threads`, as in a query.'),
    }),
  ]),
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
  description:
    '`filters` and `columns` are each replaced as a whole. The list cannot change. 409 `view_exists` if the name is taken.',
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
  description: 'For everybody. The people and conversations it shows are kept.',
  params,
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404],
  destructive: true,
})
