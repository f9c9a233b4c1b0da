import Link from 'next/link'
import { type Column, ListTable } from '#components/lists/list-table'
import type { Query } from '#components/ui/query-href'
import type { Company } from '#lib/contracts/leads/companies'
import { MAX_COUNTED } from '#lib/contracts/leads/people'

type Props = { companies: Company[]; total: number; page: number; page_size: number; query: Query }

const COLUMNS: Column<Company>[] = [
  {
    label: 'Company',
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
  { label: 'Domain', cell: ({ domain }) => <span className="wrap-anywhere">{domain}</span> },
  { label: 'People', numeric: true, cell: ({ people_count }) => people_count.toLocaleString('en') },
]

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
