import type { Metadata } from 'next'
import { PersonTable } from '#components/leads/people/person-table'
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

const counted = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'person' : 'people'}`

const ABOVE = [
  { href: '/people', label: 'People' },
  { href: '/companies', label: 'Companies' },
]

export default async function CompanyPage({ params, searchParams }: PageProps<'/companies/[company_id]'>) {
  const { workspace_id } = await requireUser(ReadCompany)
  const { company_id } = parseParams(ReadCompany.params, await params)
  const { page, page_size, sort } = parseQuery(ListPeople.query, await searchParams)
  const company = ReadCompany.response.parse(await orNotFound(readCompany(workspace_id, company_id)))
  const [list, zone] = await Promise.all([
    listPeople(workspace_id, { company_id, page, page_size, sort }, new Date()),
    workspaceTimezone(workspace_id),
  ])
  const { items, ...pages } = ListPeople.response.parse(list)
  const { name, domain, people_count, contacted_count, replied_count } = company
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={ABOVE} />}
        title={name ?? domain}
        description={`${domain} · ${counted(people_count)} · ${contacted_count.toLocaleString('en')} contacted, ${replied_count.toLocaleString('en')} replied`}
      />
      <PageBody>
        {items.length > 0 ? (
          <PersonTable
            people={items}
            {...pages}
            path={`/companies/${company_id}`}
            query={{ sort }}
            now={new Date().toISOString()}
            zone={zone}
          />
        ) : (
          <Panel>
            <EmptyState title="Nobody is left at this company" />
          </Panel>
        )}
      </PageBody>
    </>
  )
}
