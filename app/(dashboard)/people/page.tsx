import { Users } from 'lucide-react'
import type { Metadata } from 'next'
import { z } from 'zod'
import { PersonFilters } from '#components/leads/people/person-filters'
import { PersonTable } from '#components/leads/people/person-table'
import { LinkButton } from '#components/ui/controls/link-button'
import { SearchInput } from '#components/ui/controls/search-input'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { ListCampaigns } from '#lib/contracts/campaigns/campaigns'
import { wholeNumber } from '#lib/contracts/fields'
import { ListPeople } from '#lib/contracts/leads/people'
import { requireUser } from '#lib/http/session'
import { listCampaigns } from '#lib/services/campaigns/campaigns'
import { listPeople } from '#lib/services/leads/people/list'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { parseQuery } from '../../page-input.ts'

export const metadata: Metadata = { title: 'People' }

const DAY_MS = 86_400_000

/** An empty control asks for nothing, and days are counted back from now. */
const Shown = z.looseObject({ days: wholeNumber(1, 3_650).optional().catch(undefined) })

const withoutEmpty = (given: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))

export default async function PeoplePage({ searchParams }: PageProps<'/people'>) {
  const user = await requireUser(ListPeople)
  const { days, ...given } = parseQuery(Shown, withoutEmpty(await searchParams))
  const now = new Date()
  const since = days && new Date(now.getTime() - days * DAY_MS).toISOString()
  const query = parseQuery(ListPeople.query, { ...given, ...(since && { last_contacted_after: since }) })
  const [list, { campaigns }, zone] = await Promise.all([
    listPeople(user.workspace_id, query),
    listCampaigns(user, ListCampaigns.query.parse({ page_size: 100 })),
    workspaceTimezone(user.workspace_id),
  ])
  const { items, ...pages } = ListPeople.response.parse(list)
  const { search, replied, contacted, title, country, tag, campaign_id } = query
  const shown = { search, replied, contacted, days, title, country, tag, campaign_id }
  const isFiltered = Object.values(shown).some((value) => value !== undefined)
  return (
    <>
      <PageHeader
        title="People"
        description="Everybody in your campaigns, each once, with what passed between you."
        actions={<LinkButton href="/companies">Companies</LinkButton>}
      />
      <PageBody>
        {(pages.total > 0 || isFiltered) && (
          <>
            <SearchInput path="/people" query={shown} label="Search people" className="w-full sm:w-64" />
            <PersonFilters query={shown} campaigns={campaigns.map(toOption)} />
          </>
        )}
        {items.length > 0 ? (
          <PersonTable
            people={items}
            {...pages}
            path="/people"
            query={shown}
            now={now.toISOString()}
            zone={zone}
          />
        ) : (
          <Panel>{isFiltered ? <NobodyMatches /> : <Nobody />}</Panel>
        )}
      </PageBody>
    </>
  )
}

const toOption = ({ campaign_id, name }: { campaign_id: string; name: string }) => ({
  value: campaign_id,
  label: name,
})

const NobodyMatches = () => (
  <EmptyState title="Nobody matches" action={<LinkButton href="/people">Show all people</LinkButton>} />
)

const Nobody = () => (
  <EmptyState
    icon={<Users />}
    title="No people yet"
    description="Leads become people when their campaign is launched."
    action={<LinkButton href="/campaigns">Go to campaigns</LinkButton>}
  />
)
