import { clsx } from 'clsx'
import { Inbox } from 'lucide-react'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { CheckMail } from '#components/inbox/check-mail'
import { SkipToAnswer } from '#components/inbox/composer/skip-to-answer'
import { FolderPane } from '#components/inbox/folder-pane'
import { ThreadList } from '#components/inbox/list/thread-list'
import { InboxOptimism } from '#components/inbox/optimism'
import { InboxLive } from '#components/inbox/presence'
import { FilterChips } from '#components/ui/controls/filter-chips'
import { LinkButton } from '#components/ui/controls/link-button'
import { SearchInput } from '#components/ui/controls/search-input'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { queryHref } from '#components/ui/query-href'
import { ListInboxThreads, UpdateInboxThreads } from '#lib/contracts/inbox/inbox'
import type { InboxLabel } from '#lib/contracts/inbox/inbox-labels'
import { roleRefusal } from '#lib/contracts/workspaces/roles'
import { countFolders, inboxSenders } from '#lib/services/inbox/folders'
import { listAssignees } from '#lib/services/inbox/thread/assignment'
import { countIntents } from '#lib/services/inbox/thread/intents'
import { listInboxThreads } from '#lib/services/inbox/threads'
import { parseQuery } from '../../page-input.ts'
import { changeThreads, checkNow, checkQuietly } from './actions.ts'
import {
  assigneePlaces,
  describeQuery,
  folderPlaces,
  intentPlaces,
  labelPlaces,
  senderPlaces,
  shownQuery,
  withoutUnset,
} from './places.ts'
import { InboxViews } from './views.tsx'

type ThreadQuery = z.output<typeof ListInboxThreads.query>

type Reader = Parameters<typeof listInboxThreads>[0]
type Props = {
  user: Reader
  searchParams: unknown
  chosen: string | null
  labels: InboxLabel[]
  children?: ReactNode
}

const NONE = {
  open: 'No replies yet',
  unread: 'Everything is read',
  needs_answer: 'No replies waiting',
  snoozed: 'Nothing is snoozed',
  done: 'Nothing is archived',
  sent: 'No manual replies yet',
  all: 'No replies yet',
}

/** Column layouts without and with an open conversation. */
const COLUMNS = [
  'grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[10rem_minmax(0,1fr)] xl:grid-cols-[13rem_minmax(0,1fr)]',
  'grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[10rem_18rem_minmax(0,1fr)] xl:grid-cols-[12rem_21rem_minmax(0,1fr)] lg:h-[calc(100dvh-7rem)] lg:min-h-[32rem] lg:grid-rows-[minmax(0,1fr)] lg:*:max-h-full lg:*:overflow-y-auto',
]

const mayChange = ({ role }: Reader) => roleRefusal(role, UpdateInboxThreads) === null

const threadHref = (query: ThreadQuery) => (id: string) =>
  queryHref(`/inbox/${id}`, shownQuery(query), { page: query.page > 1 ? query.page : undefined })

/** The folders and filters of the user's workspace. */
async function loadPlaces(user: Reader, query: ThreadQuery, now: Date) {
  const { workspace_id } = user
  const [counts, intents, senders, people] = await Promise.all([
    countFolders(workspace_id, now),
    countIntents(user),
    inboxSenders(workspace_id),
    listAssignees(workspace_id),
  ])
  return {
    folders: folderPlaces(query, counts),
    intents: intentPlaces(query, intents),
    senders,
    assignees: assigneePlaces(query, people, user.user_id),
  }
}

/** Folders, list and open conversation; phones show either list or conversation. */
export async function InboxFrame({ user, searchParams, chosen, labels, children }: Props) {
  const query = parseQuery(ListInboxThreads.query, searchParams)
  const now = new Date()
  const [list, { folders, intents, senders, assignees }] = await Promise.all([
    listInboxThreads(user, query, now),
    loadPlaces(user, query, now),
  ])
  const { items, ...paging } = ListInboxThreads.response.parse(list)
  const shown = shownQuery(query)
  const isOpen = chosen !== null
  const sender = senders.find(({ kind, id }) => query[kind] === id)
  const assignee = assignees.find(({ current }) => current)
  const colors = Object.fromEntries(labels.map(({ label, color }) => [label, color]))
  return (
    <>
      {isOpen && <SkipToAnswer />}
      <Head isBehind={isOpen}>
        <PageHeader
          title="Inbox"
          description={describeQuery(query, [assignee?.said, sender?.name], paging.total)}
          actions={<Actions shown={shown} isBehind={isOpen} />}
        />
      </Head>
      <PageBody>
        <Finder
          places={[...folders, ...labelPlaces(query, labels)]}
          intents={intents}
          assignees={assignees}
          isBehind={isOpen}
        />
        {!isOpen && <InboxViews user={user} query={withoutUnset(shown)} />}
        <InboxOptimism key={query.folder}>
          <InboxLive thread_id={chosen} className={COLUMNS[Number(isOpen)]}>
            <FolderPane
              folders={folders}
              intents={intents}
              labels={labelPlaces(query, labels)}
              assignees={assignees}
              senders={senderPlaces(query, senders)}
            />
            <Panel flush className={isOpen ? 'max-lg:hidden' : undefined}>
              {items.length > 0 ? (
                <>
                  <ThreadList
                    threads={items}
                    chosen={chosen}
                    now={now.toISOString()}
                    colors={colors}
                    toHref={threadHref(query)}
                    change={mayChange(user) ? changeThreads : undefined}
                  />
                  <Pagination path="/inbox" query={shown} {...paging} noun="conversations" />
                </>
              ) : (
                <NoThreads query={query} />
              )}
            </Panel>
            {children}
          </InboxLive>
        </InboxOptimism>
      </PageBody>
    </>
  )
}

/** In the single-pane layout, an open conversation reduces the page header to one line. */
const Head = ({ isBehind, children }: { isBehind: boolean; children: ReactNode }) => (
  <div
    className={clsx(
      isBehind && 'max-lg:[&_header>div]:min-h-10 max-lg:[&_header>div]:py-1.5 max-lg:[&_p]:hidden',
    )}
  >
    {children}
  </div>
)

/** In the single-pane layout, an open conversation hides these. */
function Actions({ shown, isBehind }: { shown: ReturnType<typeof shownQuery>; isBehind: boolean }) {
  return (
    <div className={clsx('flex min-w-0 flex-1 items-center gap-2', isBehind && 'max-lg:hidden')}>
      <SearchInput
        path="/inbox"
        query={{ ...shown, folder: 'all' }}
        label="Search all conversations"
        className="min-w-0 flex-1 sm:w-72 sm:flex-none"
      />
      <CheckMail quietly={checkQuietly} now={checkNow} />
    </div>
  )
}

function NoThreads({ query }: { query: ThreadQuery }) {
  const { mailbox_id, connected_account_id, assignee, owner, intent } = query
  const isNarrowed = Boolean(mailbox_id || connected_account_id || assignee || owner || intent)
  const isFiltered =
    Boolean(query.search || query.label) || isNarrowed || !['open', 'all'].includes(query.folder)
  return (
    <EmptyState
      icon={<Inbox />}
      title={
        query.search
          ? `No conversation with “${query.search}”`
          : query.label || isNarrowed
            ? 'No conversation here'
            : NONE[query.folder]
      }
      description={
        isFiltered
          ? undefined
          : 'Replies, out-of-office notes and bounces appear here once a mailbox is connected over IMAP. You write the replies to sandbox emails yourself.'
      }
      action={
        isFiltered ? (
          <LinkButton href="/inbox">Show open conversations</LinkButton>
        ) : (
          <LinkButton href="/campaigns">See your campaigns</LinkButton>
        )
      }
    />
  )
}

type FinderProps = {
  places: ReturnType<typeof folderPlaces>
  intents: ReturnType<typeof intentPlaces>
  assignees: ReturnType<typeof assigneePlaces>
  isBehind: boolean
}

/** On phones, folders and labels are chips, hidden behind an open conversation. */
function Finder({ places, intents, assignees, isBehind }: FinderProps) {
  return (
    <div className={clsx('min-w-0 gap-2 lg:hidden', isBehind ? 'hidden' : 'grid')}>
      <FilterChips
        label="Folders and labels"
        chips={places.map(({ name, ...place }) => ({
          ...place,
          label: name,
        }))}
      />
      {intents.length > 0 && (
        <FilterChips
          label="Intents"
          chips={intents.map(({ name, ...place }) => ({ ...place, label: name }))}
        />
      )}
      {assignees.length > 0 && (
        <FilterChips
          label="Assigned to"
          chips={assignees.map(({ name, href, current }) => ({ href, current, label: name }))}
        />
      )}
    </div>
  )
}
