import { Users } from 'lucide-react'
import type { Metadata } from 'next'
import type { z } from 'zod'
import { CONTACT_STATES, NO_CONTACT } from '#components/leads/people/contact-states'
import { PersonFilters } from '#components/leads/people/person-filters'
import { PERSON_CHOICES, PersonTable } from '#components/leads/people/person-table'
import { type ColumnChoice, ColumnChooser } from '#components/lists/column-chooser'
import { choiceText } from '#components/lists/columns'
import { NameDialog } from '#components/lists/name-dialog'
import { ViewBar } from '#components/lists/view-bar'
import { LinkButton } from '#components/ui/controls/link-button'
import { SearchInput } from '#components/ui/controls/search-input'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { ExportMenu } from '#components/ui/overlays/export-menu'
import { type Query, queryHref } from '#components/ui/query-href'
import { ListCampaigns } from '#lib/contracts/campaigns/campaigns'
import { ListPeople, MAX_PEOPLE_AT_ONCE } from '#lib/contracts/leads/people'
import { ListViews, type View } from '#lib/contracts/leads/views'
import { requireUser } from '#lib/http/session'
import { listCampaigns } from '#lib/services/campaigns/campaigns'
import { countPeople, listPeople, suggestTags } from '#lib/services/leads/people/list'
import { listViews } from '#lib/services/leads/people/views'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { parseQuery } from '../../page-input.ts'
import { columnChoice } from '../kept-columns.ts'
import { keepColumns, removeView, renameView, saveView } from '../view-actions.ts'
import { makeChosenList, makeDataset, selectablePeople, suppressSelected, tagSelected } from './actions.ts'

export const metadata: Metadata = { title: 'People' }

/** Drops empty form values. */
const withoutEmpty = (given: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))

const VIEW_ACTS = { save: saveView.bind(null, 'people'), keepColumns, rename: renameView, remove: removeView }

/** The list's query: the filters as a view stores them, with the view's columns and the sort order. */
function readAddress({ columns: said, ...given }: Record<string, string | string[] | undefined>) {
  const query = parseQuery(ListPeople.query, withoutEmpty(given))
  const { page: _, page_size: __, sort, last_contacted_before, last_contacted_after, ...plain } = query
  const filters = {
    ...plain,
    last_contacted_before: last_contacted_before?.toISOString(),
    last_contacted_after: last_contacted_after?.toISOString(),
  }
  const columns = typeof said === 'string' && said !== '' ? said : undefined
  const asked = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
  return { columns, query, asked, shown: { ...filters, columns, sort } }
}

export default async function PeoplePage({ searchParams }: PageProps<'/people'>) {
  const user = await requireUser(ListPeople)
  const now = new Date()
  const { columns, query, asked, shown } = readAddress(await searchParams)
  const [list, views, { campaigns }, tags, zone] = await Promise.all([
    listPeople(user.workspace_id, query, now),
    listViews(user.workspace_id, ListViews.query.parse({ page_size: 100 })),
    listCampaigns(user, ListCampaigns.query.parse({ page_size: 100 })),
    suggestTags(user.workspace_id),
    workspaceTimezone(user.workspace_id),
  ])
  const { items, ...pages } = ListPeople.response.parse(list)
  const [ofStates, ofViews] = await countChips(user.workspace_id, query, views.items, now)
  const choice = await columnChoice({ table: 'people', path: '/people', all: PERSON_CHOICES }, columns)
  const isFiltered = Object.keys(asked).length > 0
  return (
    <>
      <PageHeader
        title="People"
        description="Everybody from your campaigns and forms, past and present, listed once with every message both ways."
        actions={<Actions asked={asked} isEmpty={items.length === 0} />}
      />
      <PageBody>
        {(pages.total > 0 || isFiltered) && (
          <>
            <ViewBar
              list="people"
              views={views.items}
              counts={ofViews}
              query={asked}
              columns={isUsual(choice) ? [] : choice.shown}
              acts={VIEW_ACTS}
            />
            <PersonFilters query={shown} campaigns={campaigns.map(toOption)} tags={tags} counts={ofStates}>
              <Finder shown={shown} choice={choice} isOfView={columns !== undefined} />
            </PersonFilters>
          </>
        )}
        {items.length > 0 ? (
          <PersonTable
            people={items}
            {...pages}
            path="/people"
            query={shown}
            choice={choice}
            now={now.toISOString()}
            zone={zone}
            acts={{
              tag: tagSelected,
              makeList: makeChosenList,
              suppress: suppressSelected,
              all: selectablePeople.bind(null, { ...asked, sort: query.sort }),
              most: MAX_PEOPLE_AT_ONCE,
            }}
          />
        ) : (
          <Panel>{isFiltered ? <NobodyMatches /> : <Nobody />}</Panel>
        )}
      </PageBody>
    </>
  )
}

type Asked = z.output<typeof ListPeople.query>

/** Counts for the contact states, combined with the other filters, and for the views. */
async function countChips(workspaceId: string, query: Asked, views: View[], now: Date) {
  const states = CONTACT_STATES.map(({ asks }) => ({ ...query, ...NO_CONTACT, ...asks }))
  const viewed = views.map(({ filters }) => ListPeople.query.parse(filters))
  const counts = await countPeople(workspaceId, [...states, ...viewed], now)
  return counts
    ? ([counts.slice(0, states.length), counts.slice(states.length)] as const)
    : ([null, null] as const)
}

type FinderProps = { shown: Query; choice: ColumnChoice; isOfView: boolean }

const Finder = ({ shown, choice, isOfView }: FinderProps) => (
  <div className="flex gap-2">
    <SearchInput path="/people" query={shown} label="Search people" className="grow sm:w-64 sm:grow-0" />
    <ColumnChooser choice={choice} address={isOfView ? shown : undefined} />
  </div>
)

const isUsual = ({ all, shown }: ColumnChoice) => choiceText(all, shown) === ''

const Actions = ({ asked, isEmpty }: { asked: Query; isEmpty: boolean }) => (
  <>
    {!isEmpty && (
      <>
        <ExportMenu path={queryHref('/people/export', {}, asked)} />
        <MakeList asked={asked} />
      </>
    )}
    <LinkButton href="/companies">Companies</LinkButton>
  </>
)

const MakeList = ({ asked }: { asked: Query }) => (
  <NameDialog
    action={makeDataset.bind(null, asked)}
    basis="list"
    open="Make a list"
    title="Make a list of these people"
    description="Everybody who matches your search and filters now. Start a campaign from the list’s page."
    field={{ label: 'Name', name: 'dataset_name', maxLength: 255, placeholder: 'Quiet since summer' }}
    submit="Make list"
  />
)

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
    description="Leads become people when you launch their campaign."
    action={<LinkButton href="/campaigns">Go to campaigns</LinkButton>}
  />
)
