import { Send, Trash2 } from 'lucide-react'
import { type Column, ListTable } from '#components/lists/list-table'
import { type OthersWork, RowLock } from '#components/lists/row-lock'
import type { FormResult } from '#components/ui/controls/action-form'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Link } from '#components/ui/controls/link'
import { counted } from '#components/ui/counted'
import { ProgressLine } from '#components/ui/feedback/progress'
import { Menu } from '#components/ui/overlays/menu'
import { MenuAction, MenuLink } from '#components/ui/overlays/menu-item'
import type { Query } from '#components/ui/query-href'
import { RelativeTime } from '#components/ui/relative-time'
import type { Dataset } from '#lib/contracts/datasets/datasets'
import { DatasetSelection, type DeleteDatasets } from './dataset-selection.tsx'
import { DatasetStatus, isUnderway } from './dataset-status.tsx'

type Props = {
  datasets: Dataset[]
  total: number
  page: number
  page_size: number
  query: Query
  now: string
  remove: (dataset_id: string) => Promise<FormResult>
  /** Given if several datasets can be deleted at once. */
  removeAll?: DeleteDatasets
  /** Set for users who must not change datasets used by other users' campaigns. */
  others?: OthersWork | null
}

const buildColumns = (now: string, isSelectable: boolean): Column<Dataset>[] => [
  {
    label: 'Dataset',
    sort: { column: 'dataset_name' },
    cell: (dataset) => <DatasetName dataset={dataset} isSelectable={isSelectable} />,
  },
  {
    label: 'Status',
    cell: (dataset) => (dataset.status === null ? '–' : <DatasetProgress dataset={dataset} />),
  },
  {
    label: 'Leads',
    sort: { column: 'row_count', first: 'down' },
    numeric: true,
    cell: ({ row_count }) => row_count.toLocaleString('en'),
  },
  {
    label: 'Refused',
    sort: { column: 'reject_count', first: 'down' },
    numeric: true,
    cell: ({ dataset_id, reject_count }) =>
      reject_count === 0 ? (
        <span className="text-muted">0</span>
      ) : (
        <Link href={`/datasets/${dataset_id}/rejects`} className="rounded-xs underline underline-offset-4">
          {reject_count.toLocaleString('en')}
        </Link>
      ),
  },
  {
    label: 'Imported',
    sort: { column: 'created_at', first: 'down' },
    cell: ({ created_at }) => <RelativeTime at={created_at} now={now} />,
  },
]

export function DatasetTable({ datasets, now, remove, removeAll, others, ...pages }: Props) {
  const table = (
    <ListTable
      {...pages}
      caption="Datasets"
      noun="datasets"
      path="/datasets"
      columns={buildColumns(now, removeAll !== undefined)}
      rows={datasets}
      rowKey={({ dataset_id }) => dataset_id}
      actions={(dataset) => (
        <RowLock others={others} id={dataset.dataset_id}>
          <DatasetMenu dataset={dataset} remove={remove} />
        </RowLock>
      )}
    />
  )
  if (!removeAll) return table
  return (
    <DatasetSelection
      datasets={datasets.map(({ dataset_id, dataset_name, row_count }) => ({
        dataset_id,
        dataset_name,
        row_count,
      }))}
      remove={removeAll}
      others={others}
    >
      {table}
    </DatasetSelection>
  )
}

function DatasetName({ dataset, isSelectable }: { dataset: Dataset; isSelectable: boolean }) {
  const { dataset_id: id, dataset_name: name } = dataset
  return (
    <div className="flex min-w-0 items-start gap-3">
      {isSelectable && (
        <Checkbox label={`Select ${name}`} hideLabel data-select value={id} autoComplete="off" />
      )}
      <div className="min-w-0">
        <Link
          href={`/datasets/${id}`}
          data-row-link
          className="rounded-xs font-medium wrap-anywhere hover:underline"
        >
          {name}
        </Link>
        {dataset.filename && (
          <p className="text-xs font-normal text-muted wrap-anywhere">{dataset.filename}</p>
        )}
      </div>
    </div>
  )
}

function DatasetProgress({ dataset }: { dataset: Dataset }) {
  return (
    <span className="inline-flex items-center gap-2">
      <DatasetStatus dataset={dataset} />
      {isUnderway(dataset) && (
        <span className="w-20">
          <ProgressLine
            label={`Progress of ${dataset.dataset_name}`}
            value={dataset.progress_percentage ?? undefined}
          />
        </span>
      )}
    </span>
  )
}

function DatasetMenu({ dataset, remove }: Pick<Props, 'remove'> & { dataset: Dataset }) {
  const { dataset_id: id, dataset_name: name, row_count: rows } = dataset
  return (
    <Menu label={`More for ${name}`}>
      <MenuLink href={`/campaigns/new?dataset_id=${id}`}>
        <Send aria-hidden /> New campaign
      </MenuLink>
      <MenuAction
        act={remove.bind(null, id)}
        danger
        confirm={{
          title: `Delete dataset “${name}” and its ${counted(rows, 'leads')}?`,
          description: 'This cannot be undone. A dataset that a campaign uses cannot be deleted.',
          label: `Delete ${counted(rows, 'leads')}`,
          danger: true,
        }}
      >
        <Trash2 aria-hidden /> Delete
      </MenuAction>
    </Menu>
  )
}
