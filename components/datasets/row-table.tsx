import type { ReactNode } from 'react'
import { type ColumnChoice, ColumnChooser } from '#components/lists/column-chooser'
import { SortTh } from '#components/lists/sort-th'
import type { RowPage } from '#components/lists/use-row-pages'
import { type Chip, FilterChips } from '#components/ui/controls/filter-chips'
import { SearchInput } from '#components/ui/controls/search-input'
import { Panel } from '#components/ui/layout/panel'
import { Th } from '#components/ui/layout/table'
import { type Query, queryHref } from '#components/ui/query-href'
import type { Output } from '#lib/contracts/contract'
import { MAX_ROWS_SEARCHED_WHOLE, type ReadDataset } from '#lib/contracts/datasets/datasets'
import { ALSO_IN, type AlsoIn } from '#lib/domain/datasets/also-in'
import { DatasetRows } from './dataset-rows.tsx'
import type { RowLine } from './row-line.tsx'
import type { SelectedRowActs } from './rows/row-bar.tsx'
import type { RowActs } from './rows/row-drawer.tsx'
import { RowSelection } from './rows/row-selection.tsx'

type Props = {
  path: string
  /** The query parameters without the page. */
  query: Query
  dataset: Pick<Output<typeof ReadDataset>, 'dataset_id' | 'columns'>
  choice?: ColumnChoice
  first: RowPage<RowLine>
  /** The number of rows, and how many are in other datasets too; null: too many to count. */
  rows: number
  also_in: Record<AlsoIn, number> | null
  acts: RowActs
  /** Given if several rows can be removed at once. */
  selected?: SelectedRowActs
}

const WORDS: Record<AlsoIn, string> = {
  earlier_row: 'Duplicates in this dataset',
  other_dataset: 'Also in another dataset',
  campaign: 'Already in a campaign',
}

/** A filter for duplicates, if there are any or their number is unknown. */
function buildChips({ path, query, rows, also_in, first }: Props): Chip[] {
  const count = (name: AlsoIn) =>
    also_in?.[name] ?? (query.also_in === name && !query.search ? first.total : undefined)
  const some = ALSO_IN.filter((name) => count(name) !== 0 || query.also_in === name)
  if (some.length === 0) return []
  const chip = (name: AlsoIn): Chip => {
    const href = queryHref(path, query, { also_in: name })
    const known = count(name)
    return {
      href,
      label: WORDS[name],
      ...(known !== undefined && { count: known }),
      current: query.also_in === name,
    }
  }
  const all = { href: queryHref(path, query, { also_in: undefined }), label: 'All', count: rows }
  return [{ ...all, current: !query.also_in }, ...some.map(chip)]
}

const searchLabel = (rows: number) =>
  rows > MAX_ROWS_SEARCHED_WHOLE ? 'Search names, companies, emails' : 'Search all cells'

/** The rows. Wide by nature, so the table scrolls sideways under a fixed first column. */
export function RowTable(props: Props) {
  const { path, query, dataset, choice, first, acts, selected } = props
  const byKey = new Map(dataset.columns.map((column) => [column.key, column]))
  const shown = choice ? choice.shown.flatMap((key) => byKey.get(key) ?? []) : dataset.columns
  const chips = buildChips(props)
  return (
    <Panel
      title="Leads"
      flush
      action={
        <>
          <SearchInput path={path} query={query} label={searchLabel(props.rows)} className="w-full sm:w-64" />
          {choice && dataset.columns.length > 1 && <ColumnChooser choice={choice} />}
        </>
      }
    >
      {chips.length > 0 && (
        <div className="min-w-0 px-3 py-2">
          <FilterChips label="Duplicates" chips={chips} />
        </div>
      )}
      <Selectable {...props}>
        <DatasetRows
          path={path}
          source={queryHref(`${path}/rows`, query, {})}
          query={query}
          dataset={dataset}
          shown={shown}
          acts={acts}
          isSelectable={selected !== undefined}
          first={first}
          head={<RowHead path={path} query={query} shown={shown} />}
        />
      </Selectable>
    </Panel>
  )
}

const RowHead = ({
  path,
  query,
  shown,
}: Pick<Props, 'path' | 'query'> & { shown: Props['dataset']['columns'] }) => (
  <tr>
    <Th className="sticky left-0 w-26 bg-surface" numeric>
      #
    </Th>
    {shown.map(({ key, name }) => (
      <SortTh
        key={key}
        {...{ path, query }}
        column={key}
        className={key === 'email' ? 'w-80 truncate' : 'truncate'}
        title={name === key ? undefined : `Column “${name}”`}
      >
        {key}
      </SortTh>
    ))}
  </tr>
)

function Selectable({ query, dataset, first, selected, children }: Props & { children: ReactNode }) {
  if (!selected) return children
  const { sort: _, ...filters } = query
  return (
    // Other filters reset the selection; another sort order does not.
    <RowSelection key={JSON.stringify(filters)} acts={selected} total={first.total} columns={dataset.columns}>
      {children}
    </RowSelection>
  )
}
