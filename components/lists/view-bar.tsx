import { onlyThese } from '#components/lists/columns'
import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { FilterChips } from '#components/ui/controls/filter-chips'
import { type Query, queryHref } from '#components/ui/query-href'
import type { View } from '#lib/contracts/leads/views'
import { NameDialog } from './name-dialog.tsx'

const PATH = '/people'

type Props = {
  views: View[]
  /** How many people each of them has, where there are few enough to count. */
  counts: number[] | null
  /** The filters that are on. */
  query: Query
  /** The columns that are shown, where they are not what everybody sees. */
  columns: string[]
  save: (
    filters: Query,
    columns: string[],
    previous: FormResult | null,
    data: FormData,
  ) => Promise<FormResult>
  keepColumns: (view_id: string, version: number, columns: string[]) => Promise<FormResult>
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

/** Filters and columns under a name, one press away for everybody in the workspace; those that are on can be given one. */
export function ViewBar({ views, counts, query, columns, save, keepColumns, rename, remove }: Props) {
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
            href: queryHref(PATH, filters, { columns: its.length > 0 ? onlyThese(its) : undefined }),
            current: view_id === current?.view_id,
            ...(counts?.[index] !== undefined && { count: counts[index] }),
          }))}
        />
      )}
      {/* One and the same dialog before and after: what came of it is said by whom it was asked of. */}
      {(isSomething || current) && (
        <NameDialog
          {...(current ? renaming(current, rename) : saving(query, columns, save))}
          field={{
            label: 'Name',
            name: 'name',
            maxLength: 80,
            placeholder: 'Replied in Germany',
            defaultValue: current?.name ?? '',
          }}
        />
      )}
      {current && current.columns.join() !== columns.join() && (
        <ActionButton act={keepColumns.bind(null, current.view_id, current.version, columns)}>
          Keep these columns
        </ActionButton>
      )}
      {current && <RemoveButton view={current} remove={remove} />}
    </div>
  )
}

const saving = (query: Query, columns: string[], save: Props['save']) => ({
  action: save.bind(null, query, columns),
  basis: said(query),
  open: 'Save view',
  title: 'Save these filters as a view',
  description:
    'With the columns that are shown. Everybody in the workspace has it. Days are counted from whenever it is opened.',
  submit: 'Save view',
})

const renaming = ({ view_id, version, name }: View, rename: Props['rename']) => ({
  action: rename.bind(null, view_id, version),
  basis: version,
  open: 'Rename view',
  title: `Rename the view ${name}`,
  description: 'For everybody in the workspace.',
  submit: 'Rename',
})

type RemoveProps = { view: View; remove: Props['remove'] }

const RemoveButton = ({ view: { view_id, name }, remove }: RemoveProps) => (
  <ActionButton
    variant="ghost"
    act={remove.bind(null, view_id)}
    confirm={{
      title: `Delete the view ${name}?`,
      description: 'For everybody in the workspace. People stay as they are.',
      label: 'Delete view',
      danger: true,
    }}
  >
    Delete view
  </ActionButton>
)
