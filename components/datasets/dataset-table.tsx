import { Send, Trash2 } from 'lucide-react'
import Link from 'next/link'
import type { FormResult } from '#components/ui/controls/action-form'
import { Checkbox } from '#components/ui/controls/checkbox'
import { ProgressLine } from '#components/ui/feedback/progress'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { Menu } from '#components/ui/overlays/menu'
import { MenuAction, MenuLink } from '#components/ui/overlays/menu-item'
import type { Query } from '#components/ui/query-href'
import { RelativeTime } from '#components/ui/zoned-time'
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
  /** Given where several can be deleted at once. */
  removeAll?: DeleteDatasets
}

export function DatasetTable({ datasets, total, page, page_size, query, now, remove, removeAll }: Props) {
  const table = (
    <Panel flush>
      <Table caption="Datasets">
        <thead>
          <tr>
            <Th>Dataset</Th>
            <Th>Status</Th>
            <Th numeric>Leads</Th>
            <Th numeric>Refused</Th>
            <Th>Imported</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {datasets.map((dataset) => (
            <DatasetRow
              key={dataset.dataset_id}
              dataset={dataset}
              now={now}
              remove={remove}
              isSelectable={removeAll !== undefined}
            />
          ))}
        </tbody>
      </Table>
      <Pagination
        path="/datasets"
        query={query}
        page={page}
        page_size={page_size}
        total={total}
        noun="datasets"
      />
    </Panel>
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
    >
      {table}
    </DatasetSelection>
  )
}

type RowProps = Pick<Props, 'now' | 'remove'> & { dataset: Dataset; isSelectable: boolean }

function DatasetRow({ dataset, now, remove, isSelectable }: RowProps) {
  const { dataset_id: id, dataset_name: name, row_count: rows, reject_count: rejects } = dataset
  return (
    <Tr>
      <Td lead>
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
      </Td>
      <Td label="Status">
        {dataset.status === null ? (
          '–'
        ) : (
          <span className="inline-flex items-center gap-2">
            <DatasetStatus dataset={dataset} />
            {isUnderway(dataset) && (
              <span className="w-20">
                <ProgressLine
                  label={`Progress of ${name}`}
                  value={dataset.progress_percentage ?? undefined}
                />
              </span>
            )}
          </span>
        )}
      </Td>
      <Td label="Leads" numeric>
        {rows.toLocaleString('en')}
      </Td>
      <Td label="Refused" numeric>
        {rejects === 0 ? (
          <span className="text-muted">0</span>
        ) : (
          <Link href={`/datasets/${id}/rejects`} className="rounded-xs underline underline-offset-4">
            {rejects.toLocaleString('en')}
          </Link>
        )}
      </Td>
      <Td label="Imported">
        <RelativeTime at={dataset.created_at} now={now} />
      </Td>
      <Td className="w-px">
        <Menu label={`More for ${name}`}>
          <MenuLink href={`/campaigns/new?dataset_id=${id}`}>
            <Send aria-hidden /> New campaign with it
          </MenuLink>
          <MenuAction
            act={remove.bind(null, id)}
            danger
            confirm={{
              title: `Delete dataset “${name}” and its ${rows.toLocaleString('en')} leads?`,
              description: 'This cannot be undone. A dataset that a campaign uses cannot be deleted.',
              label: `Delete ${rows.toLocaleString('en')} leads`,
              danger: true,
            }}
          >
            <Trash2 aria-hidden /> Delete
          </MenuAction>
        </Menu>
      </Td>
    </Tr>
  )
}
