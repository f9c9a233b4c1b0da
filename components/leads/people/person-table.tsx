import type { ColumnChoice } from '#components/lists/column-chooser'
import { type Choosable, shownColumns } from '#components/lists/columns'
import { type Column, ListTable } from '#components/lists/list-table'
import { Link } from '#components/ui/controls/link'
import { Badge } from '#components/ui/feedback/badge'
import type { Query } from '#components/ui/query-href'
import { RelativeTime } from '#components/ui/relative-time'
import { MAX_COUNTED, type Person } from '#lib/contracts/leads/people'
import { PERSON_COLUMNS, type PersonColumn } from '#lib/domain/leads/person-columns'
import { personAddress, personName } from '#lib/domain/leads/person-name'
import { type PersonActs, PersonSelection } from './person-selection.tsx'
import { PersonPageTick, PersonTick } from './person-tick.tsx'

type Props = {
  people: Person[]
  total: number
  page: number
  page_size: number
  path: string
  query: Query
  now: string
  zone: string
  choice?: Pick<ColumnChoice, 'shown'>
  /** Given if several people can be changed at once. */
  acts?: PersonActs
}

/** Columns besides the name, which always comes first. */
const LABELS: Record<PersonColumn, string> = {
  company: 'Company',
  title: 'Title',
  tags: 'Tags',
  last_contacted_at: 'Last contacted',
  replied: 'Replied',
  country: 'Country',
  phone: 'Phone',
  profile: 'Profile',
  created_at: 'Added',
}
const EXTRA: PersonColumn[] = ['country', 'phone', 'profile', 'created_at']

export const PERSON_CHOICES: Choosable[] = PERSON_COLUMNS.map((key) => ({
  key,
  label: LABELS[key],
  isExtra: EXTRA.includes(key),
}))

const Tags = ({ tags }: Pick<Person, 'tags'>) => (
  <span className="inline-flex flex-wrap gap-1">
    {tags.map((tag) => (
      <Badge key={tag}>{tag}</Badge>
    ))}
  </span>
)

type Ticked = { people: Person[] } | null

const wordColumn = (key: 'country' | 'phone' | 'profile'): Column<Person> => ({
  key,
  label: LABELS[key],
  sort: { column: key },
  cell: (person) => orDash(person[key]),
})

const buildColumns = (now: string, zone: string, ticked: Ticked): Column<Person>[] => [
  {
    label: 'Name',
    sort: { column: 'name' },
    before: ticked && <PersonPageTick people={ticked.people} />,
    cell: (person) => (ticked ? <TickedName person={person} /> : <NameCell person={person} />),
  },
  {
    key: 'company',
    label: LABELS.company,
    sort: { column: 'company' },
    plain: true,
    cell: (person) => (person.company_id ? <CompanyLink person={person} /> : orDash(person.company)),
  },
  {
    key: 'title',
    label: LABELS.title,
    sort: { column: 'title' },
    className: 'max-sm:hidden!',
    cell: ({ title }) => orDash(title),
  },
  {
    key: 'tags',
    label: LABELS.tags,
    sort: { column: 'tags' },
    cell: ({ tags }) => (tags.length > 0 ? <Tags tags={tags} /> : '–'),
  },
  {
    key: 'last_contacted_at',
    label: LABELS.last_contacted_at,
    sort: { column: 'last_contacted_at', first: 'down' },
    plain: true,
    cell: ({ last_contacted_at }) =>
      last_contacted_at ? (
        <RelativeTime at={last_contacted_at} now={now} zone={zone} />
      ) : (
        <span className="text-muted">Never contacted</span>
      ),
  },
  {
    key: 'replied',
    label: LABELS.replied,
    sort: { column: 'replied', first: 'down' },
    cell: ({ replied }) => (replied ? <Badge tone="success">Replied</Badge> : '–'),
  },
  wordColumn('country'),
  wordColumn('phone'),
  wordColumn('profile'),
  {
    key: 'created_at',
    label: LABELS.created_at,
    sort: { column: 'created_at', first: 'down' },
    cell: ({ created_at }) => <RelativeTime at={created_at} now={now} zone={zone} />,
  },
]

/** The people of a list, linked to their history. */
export function PersonTable({ people, now, zone, choice, acts, ...pages }: Props) {
  const table = (
    <ListTable
      {...pages}
      caption="People"
      noun="people"
      countedTo={MAX_COUNTED}
      columns={buildColumns(now, zone, acts ? { people } : null)}
      shown={choice?.shown ?? shownColumns(PERSON_CHOICES, undefined)}
      rows={people}
      rowKey={({ person_id }) => person_id}
    />
  )
  if (!acts) return table
  const { sort: _, columns: __, ...filters } = pages.query
  return (
    // Other filters reset the selection; another page or order does not.
    <PersonSelection key={JSON.stringify(filters)} acts={acts} total={pages.total}>
      {table}
    </PersonSelection>
  )
}

/** Card layouts omit values that are only a dash. */
const orDash = (text: string | null) => (text ? <span className="wrap-anywhere">{text}</span> : '–')

const TickedName = ({ person }: { person: Person }) => (
  <span className="flex items-start gap-2.5">
    <PersonTick person={person} />
    <span className="min-w-0">
      <NameCell person={person} />
    </span>
  </span>
)

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

function CompanyLink({ person: { company, company_id } }: { person: Person }) {
  return (
    <Link href={`/companies/${company_id}`} className="rounded-xs wrap-anywhere hover:underline">
      {company ?? 'By its domain'}
    </Link>
  )
}
