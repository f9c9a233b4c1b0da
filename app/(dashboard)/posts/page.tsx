import { Megaphone } from 'lucide-react'
import type { Metadata } from 'next'
import { PostTable } from '#components/posts/post-table'
import { ChangingLink } from '#components/ui/controls/changing-link'
import { LinkButton } from '#components/ui/controls/link-button'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { LiveRefresh } from '#components/ui/feedback/live-refresh'
import { PageBody } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { ListSocialPosts } from '#lib/contracts/posts/social-posts'
import { requireUser } from '#lib/http/session'
import { ownerTimezone } from '#lib/services/posts/calendar'
import { countPosts, listSocialPosts } from '#lib/services/posts/list'
import { parseQuery } from '../../page-input.ts'
import { SampleButton } from '../samples/sample-button.tsx'
import { PostsHeader } from './header.tsx'

export const metadata: Metadata = { title: 'Posts' }

export default async function PostsPage({ searchParams }: PageProps<'/posts'>) {
  const user = await requireUser()
  const query = parseQuery(ListSocialPosts.query, await searchParams)
  const [answer, timezone, counts] = await Promise.all([
    listSocialPosts(user.workspace_id, query, new Date()),
    ownerTimezone(user.workspace_id),
    countPosts(user.workspace_id),
  ])
  const { items, accounts, next_after, total_count } = ListSocialPosts.response.parse(answer)
  const isEmpty = total_count === 0 && !query.status
  const isMoving = items.some(({ status, uncertain }) => status === 'publishing' && !uncertain)
  return (
    <>
      <PostsHeader current="list" />
      <PageBody>
        {isEmpty ? (
          <Panel>
            <EmptyState
              icon={<Megaphone />}
              title="No posts yet"
              description={
                accounts.length > 0
                  ? 'Write one now, or schedule it. Its results are counted here.'
                  : 'Connect an account to publish from; until then, posts are kept as drafts.'
              }
              action={
                <>
                  <ChangingLink href="/posts/new">New post</ChangingLink>
                  <SampleButton kind="post" />
                  {accounts.length === 0 && <LinkButton href="/accounts">Connect an account</LinkButton>}
                </>
              }
            />
          </Panel>
        ) : (
          <PostTable
            posts={items}
            accounts={accounts}
            total={total_count}
            next={next_after}
            query={{ status: query.status ?? undefined, sort: query.sort }}
            counts={counts}
            timezone={timezone}
          />
        )}
        <LiveRefresh every_seconds={5} active={isMoving} watch="posts" />
      </PageBody>
    </>
  )
}
