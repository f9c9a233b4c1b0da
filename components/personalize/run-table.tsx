import { type Column, ListTable } from '#components/lists/list-table'
import { Link } from '#components/ui/controls/link'
import type { Query } from '#components/ui/query-href'
import { RelativeTime } from '#components/ui/relative-time'
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

const buildColumns = (now: string): Column<PersonalizationRun>[] => [
  {
    label: 'Dataset',
    sort: { column: 'dataset_name' },
    cell: ({ run_id, dataset_name }) => (
      <Link
        href={`/personalize/${run_id}`}
        data-row-link
        className="rounded-xs font-medium wrap-anywhere hover:underline"
      >
        {dataset_name}
      </Link>
    ),
  },
  { label: 'Status', cell: (run) => <RunStatus run={run} /> },
  {
    label: 'Written',
    sort: { column: 'generated_count', first: 'down' },
    numeric: true,
    cell: ({ generated_count, total }) =>
      `${generated_count.toLocaleString('en')} of ${total.toLocaleString('en')}`,
  },
  {
    label: 'Flagged',
    sort: { column: 'flagged_count', first: 'down' },
    numeric: true,
    cell: ({ flagged_count }) => flagged_count.toLocaleString('en'),
  },
  {
    label: 'Approved',
    sort: { column: 'approved_count', first: 'down' },
    numeric: true,
    cell: ({ approved_count }) => approved_count.toLocaleString('en'),
  },
  { label: 'Writer', cell: ({ model }) => model },
  {
    label: 'Started',
    sort: { column: 'created_at', first: 'down' },
    cell: ({ created_at }) => <RelativeTime at={created_at} now={now} />,
  },
]

export function RunTable({ items, now, ...pages }: Props) {
  return (
    <ListTable
      {...pages}
      caption="Personalization runs"
      noun="runs"
      path="/personalize"
      columns={buildColumns(now)}
      rows={items}
      rowKey={({ run_id }) => run_id}
    />
  )
}
