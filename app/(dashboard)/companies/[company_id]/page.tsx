import type { Metadata } from 'next'
import { CompanyFigures } from '#components/leads/people/company-figures'
import { PersonTable } from '#components/leads/people/person-table'
import { PersonTimeline } from '#components/leads/people/person-timeline'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { ReadCompany } from '#lib/contracts/leads/companies'
import { ListPeople } from '#lib/contracts/leads/people'
import { requireUser } from '#lib/http/session'
import { readCompany } from '#lib/services/leads/people/companies'
import { listPeople } from '#lib/services/leads/people/list'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { orNotFound, parseParams, parseQuery } from '../../../page-input.ts'

export const metadata: Metadata = { title: 'Company' }

const ABOVE = [
  { href: '/people', label: 'People' },
  { href: '/companies', label: 'Companies' },
]

export default async function CompanyPage({ params, searchParams }: PageProps<'/companies/[company_id]'>) {
  const { workspace_id } = await requireUser(ReadCompany)
  const { company_id } = parseParams(ReadCompany.params, await params)
  const { page, page_size, sort } = parseQuery(ListPeople.query, await searchParams)
  const now = new Date()
  const company = ReadCompany.response.parse(await orNotFound(readCompany(workspace_id, company_id, now)))
  const [list, zone] = await Promise.all([
    listPeople(workspace_id, { company_id, page, page_size, sort }, now),
    workspaceTimezone(workspace_id),
  ])
  const { items, ...pages } = ListPeople.response.parse(list)
  const { name, domain, touches } = company
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={ABOVE} />}
        title={name ?? domain}
        description={name === null ? undefined : domain}
      />
      <PageBody>
        <CompanyFigures company={company} now={now.toISOString()} zone={zone} />
        {items.length > 0 ? (
          <PersonTable
            people={items}
            {...pages}
            path={`/companies/${company_id}`}
            query={{ sort }}
            now={now.toISOString()}
            zone={zone}
          />
        ) : (
          <Panel>
            <EmptyState title="No people left at this company" />
          </Panel>
        )}
        <Panel title="Timeline" flush>
          {touches.length > 0 ? (
            <PersonTimeline touches={touches} zone={zone} />
          ) : (
            <EmptyState title="Nothing sent to this company yet" />
          )}
        </Panel>
      </PageBody>
    </>
  )
}
