import { Send, Trash2 } from 'lucide-react'
import Link from 'next/link'
import type { FormResult } from '#components/ui/action-form'
import { Menu } from '#components/ui/menu'
import { MenuAction, MenuLink } from '#components/ui/menu-item'
import { Pagination } from '#components/ui/pagination'
import { Panel } from '#components/ui/panel'
import { ProgressLine } from '#components/ui/progress'
import type { Query } from '#components/ui/query-href'
import { Table, Td, Th, Tr } from '#components/ui/table'
import { RelativeTime } from '#components/ui/zoned-time'
import type { Dataset } from '#lib/contracts/datasets'
import { DatasetStatus, isUnderway } from './dataset-status.tsx'

type Props = {
  datasets: Dataset[]
  total: number
  page: number
  page_size: number
  query: Query
  now: string
  remove: (dataset_id: string) => Promise<FormResult>
}

export function DatasetTable({ datasets, total, page, page_size, query, now, remove }: Props) {
  return (
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
            <DatasetRow key={dataset.dataset_id} dataset={dataset} now={now} remove={remove} />
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
}

function DatasetRow({ dataset, now, remove }: { dataset: Dataset; now: string; remove: Props['remove'] }) {
  const { dataset_id: id, dataset_name: name, row_count: rows, reject_count: rejects } = dataset
  return (
    <Tr>
      <Td lead>
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
