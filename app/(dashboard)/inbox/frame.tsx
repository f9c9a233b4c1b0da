import { Inbox } from 'lucide-react'
import type { ReactNode } from 'react'
import { FOLDER_LABELS } from '#components/inbox/looks'
import { ThreadList } from '#components/inbox/thread-list'
import { EmptyState } from '#components/ui/empty-state'
import { FilterChips } from '#components/ui/filter-chips'
import { LinkButton } from '#components/ui/link-button'
import { LiveRefresh } from '#components/ui/live-refresh'
import { PageBody, PageHeader } from '#components/ui/page-header'
import { Pagination } from '#components/ui/pagination'
import { Panel } from '#components/ui/panel'
import { queryHref } from '#components/ui/query-href'
import { SearchInput } from '#components/ui/search-input'
import { INBOX_FOLDERS, ListInboxThreads } from '#lib/contracts/inbox'
import { countUnread, listInboxThreads, readInboxLabels } from '#lib/services/inbox'
import { queryOf } from '../../page-input.ts'

type Props = { userId: string; searchParams: unknown; chosen: string | null; children?: ReactNode }

/** Folders, labels and the list, beside the conversation that is open. On a phone one of the two at a time. */
export async function InboxFrame({ userId, searchParams, chosen, children }: Props) {
  const query = queryOf(ListInboxThreads.query, searchParams)
  const now = new Date()
  const [list, labels, unread] = await Promise.all([
    listInboxThreads(userId, query, now),
    readInboxLabels(userId),
    countUnread(userId, now),
  ])
  const { items, ...paging } = ListInboxThreads.response.parse(list)
  const { folder, label, search } = query
  const shown = { folder: folder === 'open' ? undefined : folder, label, search }
  const chips = [
    ...INBOX_FOLDERS.map((folder) => ({
      href: queryHref('/inbox', { search: query.search }, { folder: folder === 'open' ? undefined : folder }),
      label: FOLDER_LABELS[folder],
      current: query.folder === folder && !query.label,
    })),
    ...labels.map(({ label, threads }) => ({
      href: queryHref('/inbox', {}, { folder: 'all', label }),
      label: label.replaceAll('_', ' '),
      count: threads,
      current: query.label === label,
    })),
  ]
  const isFiltered = query.search !== undefined || query.label !== undefined || query.folder !== 'open'
  return (
    <>
      <PageHeader
        title="Inbox"
        description={`What came back from your campaigns, of all mailboxes. ${unread === 0 ? 'Nothing' : unread.toLocaleString('en')} unread.`}
      />
      <PageBody>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <FilterChips label="Folders and labels" chips={chips} />
          <SearchInput path="/inbox" query={shown} label="Search conversations" className="w-full sm:w-64" />
        </div>
        <div
          className={children ? 'grid items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]' : 'grid gap-4'}
        >
          <Panel flush className={children ? 'max-lg:hidden' : undefined}>
            {items.length > 0 ? (
              <>
                <ThreadList
                  threads={items}
                  chosen={chosen}
                  now={now.toISOString()}
                  hrefOf={(id) =>
                    queryHref(`/inbox/${id}`, shown, { page: query.page > 1 ? query.page : undefined })
                  }
                />
                <Pagination path="/inbox" query={shown} {...paging} noun="conversations" />
              </>
            ) : (
              <EmptyState
                icon={<Inbox />}
                title={isFiltered ? 'Nothing here' : 'Nobody has written back yet'}
                description={
                  isFiltered
                    ? undefined
                    : 'Replies, out-of-office notes and bounces of your campaigns gather here, once a mailbox can be read over IMAP.'
                }
                action={isFiltered ? <LinkButton href="/inbox">Show what is open</LinkButton> : undefined}
              />
            )}
          </Panel>
          {children}
        </div>
        <LiveRefresh every_seconds={15} active />
      </PageBody>
    </>
  )
}
