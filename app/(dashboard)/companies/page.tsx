import { Building2 } from 'lucide-react'
import type { Metadata } from 'next'
import { CompanyTable } from '#components/leads/people/company-table'
import { LinkButton } from '#components/ui/controls/link-button'
import { SearchInput } from '#components/ui/controls/search-input'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { ListCompanies } from '#lib/contracts/leads/companies'
import { requireUser } from '#lib/http/session'
import { listCompanies } from '#lib/services/leads/people/companies'
import { parseQuery } from '../../page-input.ts'

export const metadata: Metadata = { title: 'Companies' }

export default async function CompaniesPage({ searchParams }: PageProps<'/companies'>) {
  const user = await requireUser(ListCompanies)
  const query = parseQuery(ListCompanies.query, await searchParams)
  const { items, ...pages } = ListCompanies.response.parse(await listCompanies(user.workspace_id, query))
  const isFiltered = query.search !== undefined
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/people', label: 'People' }]} />}
        title="Companies"
        description="Companies of the people in your campaigns, by the domain of their addresses."
      />
      <PageBody>
        {(pages.total > 0 || isFiltered) && (
          <SearchInput path="/companies" query={query} label="Search companies" className="w-full sm:w-64" />
        )}
        {items.length > 0 ? (
          <CompanyTable companies={items} {...pages} query={query} />
        ) : (
          <Panel>
            {isFiltered ? (
              <EmptyState
                title="No companies match"
                action={<LinkButton href="/companies">Show all companies</LinkButton>}
              />
            ) : (
              <EmptyState
                icon={<Building2 />}
                title="No companies yet"
                description="Companies appear when a campaign is launched. Addresses at free email providers have none."
                action={<LinkButton href="/campaigns">Go to campaigns</LinkButton>}
              />
            )}
          </Panel>
        )}
      </PageBody>
    </>
  )
}
