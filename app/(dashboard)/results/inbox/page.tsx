import { Inbox } from 'lucide-react'
import type { Metadata } from 'next'
import { ThreadList } from '#components/inbox/list/thread-list'
import { LinkButton } from '#components/ui/controls/link-button'
import { SearchInput } from '#components/ui/controls/search-input'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { queryHref } from '#components/ui/query-href'
import { ListInboxThreads } from '#lib/contracts/inbox/inbox'
import { requireUser } from '#lib/http/session'
import { listInboxThreads } from '#lib/services/inbox/threads'
import { parseQuery } from '../../../page-input.ts'

export const metadata: Metadata = { title: 'Inbox' }

/** The conversations of a client's campaigns, read-only. */
export default async function ClientInboxPage({ searchParams }: PageProps<'/results/inbox'>) {
  const user = await requireUser(ListInboxThreads)
  const { search, page, page_size } = parseQuery(ListInboxThreads.query, await searchParams)
  const now = new Date()
  const query = ListInboxThreads.query.parse({ folder: 'all', search, page, page_size })
  const { items, ...paging } = ListInboxThreads.response.parse(await listInboxThreads(user, query, now))
  const shown = { search }
  return (
    <>
      <PageHeader
        title="Inbox"
        actions={
          <SearchInput path="/results/inbox" query={shown} label="Search conversations" className="w-64" />
        }
      />
      <PageBody>
        <Panel flush={items.length > 0}>
          {items.length > 0 ? (
            <>
              <ThreadList
                threads={items}
                chosen={null}
                now={now.toISOString()}
                colors={{}}
                toHref={(id) => queryHref(`/results/inbox/${id}`, shown, {})}
              />
              <Pagination path="/results/inbox" query={shown} {...paging} noun="conversations" />
            </>
          ) : (
            <EmptyState
              icon={<Inbox />}
              title={search ? `No conversation with “${search}”` : 'No replies yet'}
              description={search ? undefined : 'Replies to your campaigns appear here.'}
              action={search && <LinkButton href="/results/inbox">Show all conversations</LinkButton>}
            />
          )}
        </Panel>
      </PageBody>
    </>
  )
}
