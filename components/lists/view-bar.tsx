import { onlyThese } from '#components/lists/columns'
import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { FilterChips } from '#components/ui/controls/filter-chips'
import { type Query, queryHref } from '#components/ui/query-href'
import type { View, ViewList } from '#lib/contracts/leads/views'
import { NameDialog } from './name-dialog.tsx'

const WORDS = {
  people: {
    path: '/people',
    example: 'Replied in Germany',
    saved:
      'Saves the filters and columns for everybody in the workspace. Dates are relative to the day it is opened.',
    deleted: 'It is deleted for everybody in the workspace. No people are deleted.',
  },
  inbox: {
    path: '/inbox',
    example: 'Interested, unassigned',
    saved: 'For everybody in the workspace. “Mine” means whoever opens the view.',
    deleted: 'It is deleted for everybody in the workspace. No conversations are deleted.',
  },
}
type Words = (typeof WORDS)[ViewList]

type Props = {
  list: ViewList
  views: View[]
  /** The number of rows in each view, if there are few enough to count. */
  counts?: number[] | null
  /** The active filters. */
  query: Query
  /** The shown columns if they differ from the default; absent for lists without a choice. */
  columns?: string[]
  /** Null for users who may not change views. */
  acts: Acts | null
}

type Acts = {
  save: (
    filters: Query,
    columns: string[],
    previous: FormResult | null,
    data: FormData,
  ) => Promise<FormResult>
  keepColumns?: (view_id: string, version: number, columns: string[]) => Promise<FormResult>
  rename: (
    view_id: string,
    version: number,
    previous: FormResult | null,
    data: FormData,
  ) => Promise<FormResult>
  remove: (view_id: string) => Promise<FormResult>
}

const said = (query: Query): string =>
  Object.entries(query)
    .flatMap(([key, value]) => (value === undefined || value === '' ? [] : `${key}=${value}`))
    .toSorted()
    .join('&')

/** Saved filters and columns, shared by the workspace; the current ones can be saved under a name. */
export function ViewBar({ list, views, counts, query, columns = [], acts }: Props) {
  const words = WORDS[list]
  const on = said(query)
  const current = views.find(({ filters }) => said(filters) === on)
  const isSomething = on !== '' || columns.length > 0
  if (views.length === 0 && !isSomething) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      {views.length > 0 && (
        <FilterChips
          label="Saved views"
          chips={views.map(({ name, filters, view_id, columns: its }, index) => ({
            label: name,
            href: queryHref(words.path, filters, { columns: its.length > 0 ? onlyThese(its) : undefined }),
            current: view_id === current?.view_id,
            ...(counts?.[index] !== undefined && { count: counts[index] }),
          }))}
        />
      )}
      {acts && <Changes current={current} isSomething={isSomething} {...{ words, query, columns, acts }} />}
    </div>
  )
}

type ChangesProps = {
  words: Words
  query: Query
  columns: string[]
  acts: Acts
  current: View | undefined
  isSomething: boolean
}

/** Actions for the active view, or saving the current filters. */
function Changes({ words, query, columns, acts, current, isSomething }: ChangesProps) {
  const { save, keepColumns, rename, remove } = acts
  return (
    <>
      {/* The same dialog before and after saving, so that it can show its own result. */}
      {(isSomething || current) && (
        <NameDialog
          {...(current ? renaming(current, rename) : saving(words, query, columns, save))}
          field={{
            label: 'Name',
            name: 'name',
            maxLength: 80,
            placeholder: words.example,
            defaultValue: current?.name ?? '',
          }}
        />
      )}
      {current && keepColumns && current.columns.join() !== columns.join() && (
        <ActionButton act={keepColumns.bind(null, current.view_id, current.version, columns)}>
          Keep these columns
        </ActionButton>
      )}
      {current && <RemoveButton view={current} words={words} remove={remove} />}
    </>
  )
}

const saving = (words: Words, query: Query, columns: string[], save: Acts['save']) => ({
  action: save.bind(null, query, columns),
  basis: said(query),
  open: 'Save view',
  title: 'Save these filters as a view',
  description: words.saved,
  submit: 'Save view',
})

const renaming = ({ view_id, version, name }: View, rename: Acts['rename']) => ({
  action: rename.bind(null, view_id, version),
  basis: version,
  open: 'Rename view',
  title: `Rename the view ${name}`,
  description: 'For everybody in the workspace.',
  submit: 'Rename',
})

type RemoveProps = { view: View; words: Words; remove: Acts['remove'] }

const RemoveButton = ({ view: { view_id, name }, words, remove }: RemoveProps) => (
  <ActionButton
    variant="ghost"
    act={remove.bind(null, view_id)}
    confirm={{
      title: `Delete the view ${name}?`,
      description: words.deleted,
      label: 'Delete view',
      danger: true,
    }}
  >
    Delete view
  </ActionButton>
)
