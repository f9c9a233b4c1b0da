import Link from 'next/link'
import { type Column, ListTable } from '#components/lists/list-table'
import { Badge } from '#components/ui/feedback/badge'
import type { Query } from '#components/ui/query-href'
import { RelativeTime } from '#components/ui/zoned-time'
import { MAX_COUNTED, type Person } from '#lib/contracts/leads/people'
import { personAddress, personName } from '#lib/domain/leads/person-name'

type Props = {
  people: Person[]
  total: number
  page: number
  page_size: number
  path: string
  query: Query
  now: string
  zone: string
}

const buildColumns = (now: string, zone: string): Column<Person>[] => [
  { label: 'Name', cell: (person) => <NameCell person={person} /> },
  { label: 'Company', cell: (person) => <CompanyCell person={person} /> },
  { label: 'Title', className: 'max-sm:hidden!', cell: ({ title }) => <Said text={title} /> },
  {
    label: 'Tags',
    cell: ({ tags }) =>
      tags.length > 0 ? (
        <span className="inline-flex flex-wrap gap-1">
          {tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </span>
      ) : (
        <Said text={null} />
      ),
  },
  {
    label: 'Last contacted',
    cell: ({ last_contacted_at }) =>
      last_contacted_at ? (
        <RelativeTime at={last_contacted_at} now={now} zone={zone} />
      ) : (
        <span className="text-muted">Never</span>
      ),
  },
  {
    label: 'Replied',
    cell: ({ replied }) =>
      replied ? <Badge tone="success">Replied</Badge> : <span className="text-muted">No</span>,
  },
]

/** Everybody of a list of people, with the way to what passed between you. */
export function PersonTable({ people, now, zone, ...pages }: Props) {
  return (
    <ListTable
      {...pages}
      caption="People"
      noun="people"
      countedTo={MAX_COUNTED}
      columns={buildColumns(now, zone)}
      rows={people}
      rowKey={({ person_id }) => person_id}
    />
  )
}

const Said = ({ text }: { text: string | null }) =>
  text ? <span className="wrap-anywhere">{text}</span> : <span className="text-muted">–</span>

function NameCell({ person }: { person: Person }) {
  const name = personName(person)
  const address = personAddress(person)
  return (
    <>
      <Link
        href={`/people/${person.person_id}`}
        data-row-link
        className="rounded-xs font-medium wrap-anywhere hover:underline"
      >
        {name}
      </Link>
      {address !== name && <span className="block font-normal wrap-anywhere text-muted">{address}</span>}
    </>
  )
}

function CompanyCell({ person: { company, company_id } }: { person: Person }) {
  if (!company_id) return <Said text={company} />
  return (
    <Link href={`/companies/${company_id}`} className="rounded-xs wrap-anywhere hover:underline">
      {company ?? 'By its domain'}
    </Link>
  )
}
