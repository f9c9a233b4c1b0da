import type { RowPage } from '#components/lists/use-row-pages'
import { SearchInput } from '#components/ui/controls/search-input'
import { Panel } from '#components/ui/layout/panel'
import { Th } from '#components/ui/layout/table'
import { type Query, queryHref } from '#components/ui/query-href'
import type { Output } from '#lib/contracts/contract'
import type { ReadDataset } from '#lib/contracts/datasets/datasets'
import { DatasetRows } from './dataset-rows.tsx'
import type { RowLine } from './row-line.tsx'
import type { RowActs } from './rows/row-drawer.tsx'

type Props = {
  path: string
  /** The words of the address; without the page. */
  query: Query
  dataset: Pick<Output<typeof ReadDataset>, 'dataset_id' | 'columns'>
  first: RowPage<RowLine>
  acts: RowActs
}

/** The leads as the cells showed them. Wide by nature, so it scrolls sideways under a fixed first column. */
export function RowTable({ path, query, dataset, first, acts }: Props) {
  const { columns } = dataset
  return (
    <Panel
      title="Leads"
      flush
      action={<SearchInput path={path} query={query} label="Search leads" className="w-full sm:w-64" />}
    >
      <DatasetRows
        path={path}
        source={queryHref(`${path}/rows`, query, {})}
        query={query}
        dataset={dataset}
        acts={acts}
        first={first}
        head={
          <tr>
            <Th className="sticky left-0 w-18 bg-surface" numeric>
              #
            </Th>
            {columns.map(({ key, name }) => (
              <Th
                key={key}
                className={key === 'email' ? 'w-80 truncate' : 'truncate'}
                title={name === key ? undefined : `Column “${name}”`}
              >
                {key}
              </Th>
            ))}
          </tr>
        }
      />
    </Panel>
  )
}
