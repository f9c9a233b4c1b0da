'use server'

import type { Query } from '#components/ui/query-href'
import type { ViewList } from '#lib/contracts/leads/views'
import * as views from '#lib/operations/leads/views'
import { action, formAction } from '../action.ts'
import { formText } from '../form-result.ts'

/** A view may belong to any list, so every page is refreshed. */
const anew = '/'

export const saveView = formAction(
  views.createView,
  (data, list: ViewList, filters: Query, columns: string[]) => ({
    body: { list, name: formText(data, 'name'), filters, ...(list === 'people' && { columns }) },
  }),
  { anew, said: 'View saved for everybody in the workspace.' },
)

export const renameView = formAction(
  views.updateView,
  (data, view_id: string, version: number) => ({
    params: { view_id },
    body: { name: formText(data, 'name'), version },
  }),
  { anew, said: 'View renamed.' },
)

export const keepColumns = action(
  views.updateView,
  (view_id: string, version: number, columns: string[]) => ({
    params: { view_id },
    body: { columns, version },
  }),
  { anew, said: 'The view shows these columns, for everybody in the workspace.' },
)

export const removeView = action(views.deleteView, (view_id: string) => ({ params: { view_id } }), {
  anew,
  said: 'View deleted.',
})
