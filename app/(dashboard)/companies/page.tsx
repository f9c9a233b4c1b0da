import { Building2 } from 'lucide-react'
import type { Metadata } from 'next'
import { CompanyTable } from '#components/leads/people/company-table'
import { FilterChips } from '#components/ui/controls/filter-chips'
import { LinkButton } from '#components/ui/controls/link-button'
import { SearchInput } from '#components/ui/controls/search-input'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { type Query, queryHref } from '#components/ui/query-href'
import { ListCompanies } from '#lib/contracts/leads/companies'
import { MAX_COUNTED } from '#lib/contracts/leads/people'
import { requireUser } from '#lib/http/session'
import { countCompanies, listCompanies } from '#lib/services/leads/people/companies'
import { parseQuery } from '../../page-input.ts'

export const metadata: Metadata = { title: 'Companies' }

const PATH = '/companies'
const STATES = [
  { label: 'All', replied: undefined },
  { label: 'Replied', replied: 'true' },
  { label: 'No reply yet', replied: 'false' },
] as const

export default async function CompaniesPage({ searchParams }: PageProps<'/companies'>) {
  const { workspace_id } = await requireUser(ListCompanies)
  const query = parseQuery(ListCompanies.query, await searchParams)
  const { search, replied, sort } = query
  const shown = { search, replied, sort }
  const [list, counts] = await Promise.all([
    listCompanies(workspace_id, query),
    countStates(workspace_id, search),
  ])
  const { items, ...pages } = ListCompanies.response.parse(list)
  const isFiltered = search !== undefined || replied !== undefined
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/people', label: 'People' }]} />}
        title="Companies"
        description="Companies of the people in your campaigns, by the domain of their addresses."
      />
      <PageBody>
        {(pages.total > 0 || isFiltered) && <Filters query={shown} counts={counts} />}
        {items.length > 0 ? (
          <CompanyTable companies={items} {...pages} query={shown} />
        ) : (
          <Panel>{isFiltered ? <NoneMatches /> : <None />}</Panel>
        )}
      </PageBody>
    </>
  )
}

/**
 * The counts in their order. If there are too many companies, replies are not counted, because the page would
 * have to wait.
 */
async function countStates(workspaceId: string, search: string | undefined): Promise<number[]> {
  const all = await countCompanies(workspaceId, { search })
  if (all >= MAX_COUNTED) return []
  const replied = await countCompanies(workspaceId, { search, replied: 'true' })
  return [all, replied, all - replied]
}

const Filters = ({ query, counts }: { query: Query; counts: number[] }) => (
  <>
    <FilterChips
      label="Replies"
      chips={STATES.map(({ label, replied }, index) => ({
        label,
        href: queryHref(PATH, query, { replied }),
        current: query.replied === replied,
        ...(counts[index] !== undefined && { count: counts[index] }),
      }))}
    />
    <SearchInput path={PATH} query={query} label="Search companies" className="w-full sm:w-64" />
  </>
)

const NoneMatches = () => (
  <EmptyState title="No companies match" action={<LinkButton href={PATH}>Show all companies</LinkButton>} />
)

const None = () => (
  <EmptyState
    icon={<Building2 />}
    title="No companies yet"
    description="Companies appear when you launch a campaign. Free email providers do not count as companies."
    action={<LinkButton href="/campaigns">Go to campaigns</LinkButton>}
  />
)
