import type { Metadata } from 'next'
import { Composer } from '#components/posts/composer'
import { Callout } from '#components/ui/feedback/callout'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { CreateSocialPost } from '#lib/contracts/posts/social-posts'
import { requireUser } from '#lib/http/session'
import { ownerTimezone } from '#lib/services/posts/calendar'
import { postingAccounts } from '#lib/services/posts/posts'
import { ViewOnly } from '../../view-only.tsx'
import { createPost } from '../actions.ts'

export const metadata: Metadata = { title: 'New post' }

export default async function NewPostPage() {
  const { workspace_id } = await requireUser()
  const [accounts, timezone] = await Promise.all([postingAccounts(workspace_id), ownerTimezone(workspace_id)])
  const chosen = accounts.find(({ is_default }) => is_default) ?? null
  return (
    <>
      <PageHeader above={<Breadcrumbs items={[{ href: '/posts', label: 'Posts' }]} />} title="New post" />
      <PageBody>
        <ViewOnly changes={CreateSocialPost}>
          {accounts.length === 0 && (
            <Callout>
              No account can publish posts yet. <a href="/accounts">Connect one</a>; until then, posts are
              kept as drafts.
            </Callout>
          )}
          <Composer
            accounts={accounts}
            written={{
              text: '',
              connected_account_id: chosen?.id ?? null,
              image: null,
              when: 'now',
              scheduled_at: null,
            }}
            timezone={timezone}
            save={createPost}
          />
        </ViewOnly>
      </PageBody>
    </>
  )
}
