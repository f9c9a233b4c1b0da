import { type Column, ListTable } from '#components/lists/list-table'
import { Link } from '#components/ui/controls/link'
import type { Query } from '#components/ui/query-href'
import type { Company } from '#lib/contracts/leads/companies'
import { MAX_COUNTED } from '#lib/contracts/leads/people'

type Props = { companies: Company[]; total: number; page: number; page_size: number; query: Query }

const COLUMNS: Column<Company>[] = [
  {
    label: 'Company',
    sort: { column: 'name' },
    cell: ({ company_id, name, domain }) => (
      <Link
        href={`/companies/${company_id}`}
        data-row-link
        className="rounded-xs font-medium wrap-anywhere hover:underline"
      >
        {name ?? domain}
      </Link>
    ),
  },
  {
    label: 'Domain',
    sort: { column: 'domain' },
    cell: ({ domain }) => <span className="text-muted wrap-anywhere">{domain}</span>,
  },
  {
    label: 'People',
    sort: { column: 'people_count', first: 'down' },
    numeric: true,
    cell: ({ people_count }) => people_count.toLocaleString('en'),
  },
  {
    label: 'Contacted',
    sort: { column: 'contacted_count', first: 'down' },
    numeric: true,
    cell: ({ contacted_count }) => <Count of={contacted_count} />,
  },
  {
    label: 'Replied',
    sort: { column: 'replied_count', first: 'down' },
    numeric: true,
    cell: ({ replied_count }) => <Count of={replied_count} />,
  },
]

/** A zero is shown muted. */
const Count = ({ of }: { of: number }) => (
  <span className={of === 0 ? 'text-muted' : undefined}>{of.toLocaleString('en')}</span>
)

export function CompanyTable({ companies, ...pages }: Props) {
  return (
    <ListTable
      {...pages}
      caption="Companies"
      noun="companies"
      path="/companies"
      countedTo={MAX_COUNTED}
      columns={COLUMNS}
      rows={companies}
      rowKey={({ company_id }) => company_id}
    />
  )
}
