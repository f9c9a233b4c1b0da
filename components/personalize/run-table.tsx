import Link from 'next/link'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { Query } from '#components/ui/query-href'
import { RelativeTime } from '#components/ui/zoned-time'
import type { PersonalizationRun } from '#lib/contracts/personalize/personalize'
import { RunStatus } from './run-status.tsx'

type Props = {
  items: PersonalizationRun[]
  total: number
  page: number
  page_size: number
  query: Query
  now: string
}

export function RunTable({ items, query, now, ...list }: Props) {
  return (
    <Panel flush>
      <Table caption="Personalization runs">
        <thead>
          <tr>
            <Th>Dataset</Th>
            <Th>Status</Th>
            <Th numeric>Written</Th>
            <Th numeric>Flagged</Th>
            <Th numeric>Approved</Th>
            <Th>Writer</Th>
            <Th>Started</Th>
          </tr>
        </thead>
        <tbody>
          {items.map((run) => (
            <Tr key={run.run_id}>
              <Td lead>
                <Link
                  href={`/personalize/${run.run_id}`}
                  data-row-link
                  className="rounded-xs font-medium wrap-anywhere hover:underline"
                >
                  {run.dataset_name}
                </Link>
              </Td>
              <Td label="Status">
                <RunStatus run={run} />
              </Td>
              <Td label="Written" numeric>
                {run.generated_count.toLocaleString('en')} of {run.total.toLocaleString('en')}
              </Td>
              <Td label="Flagged" numeric>
                {run.flagged_count.toLocaleString('en')}
              </Td>
              <Td label="Approved" numeric>
                {run.approved_count.toLocaleString('en')}
              </Td>
              <Td label="Writer">{run.model}</Td>
              <Td label="Started">
                <RelativeTime at={run.created_at} now={now} />
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <Pagination path="/personalize" query={query} noun="runs" {...list} />
    </Panel>
  )
}
