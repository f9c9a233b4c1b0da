import { ExternalLink, Trash2 } from 'lucide-react'
import type { Metadata } from 'next'
import { Composer } from '#components/posts/composer'
import { imagePath } from '#components/posts/post-image'
import { PostMetrics } from '#components/posts/post-metrics'
import { PostPreview } from '#components/posts/post-preview'
import { excerpt, PostState } from '#components/posts/post-state'
import { PostStatus } from '#components/posts/post-status'
import { ActionButton } from '#components/ui/controls/action-button'
import { buttonClass } from '#components/ui/controls/button'
import { LiveRefresh } from '#components/ui/feedback/live-refresh'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { ZonedTime } from '#components/ui/zoned-time'
import { ListSocialPostMetrics, ReadSocialPost, type SocialPost } from '#lib/contracts/posts/social-posts'
import { requireUser } from '#lib/http/session'
import { ownerTimezone, wallClock } from '#lib/services/posts/calendar'
import { getSocialPost, listPostMetrics, postingAccounts } from '#lib/services/posts/posts'
import { orNotFound, parseParams } from '../../../page-input.ts'
import { deletePost, publishPost, resolvePost, updatePost } from '../actions.ts'

export const metadata: Metadata = { title: 'Post' }

/** More than the number of counts any post has. */
const COUNTS = { page: 1, page_size: 100 }

export default async function PostPage({ params }: PageProps<'/posts/[post_id]'>) {
  const { workspace_id } = await requireUser()
  const { post_id } = parseParams(ReadSocialPost.params, await params)
  const now = new Date()
  const post = ReadSocialPost.response.parse(await orNotFound(getSocialPost(workspace_id, post_id, now)))
  const [accounts, timezone, counts] = await Promise.all([
    postingAccounts(workspace_id),
    ownerTimezone(workspace_id),
    listPostMetrics(workspace_id, post_id, COUNTS, now),
  ])
  const { items: history } = ListSocialPostMetrics.response.parse(counts)
  const account = accounts.find(({ id }) => id === post.connected_account_id)
  const isMoving =
    (post.status === 'publishing' && !post.uncertain) ||
    (post.status === 'scheduled' && Date.parse(post.scheduled_at ?? '') < now.getTime() + 60_000)
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/posts', label: 'Posts' }]} />}
        title="Post"
        status={<PostStatus post={post} />}
        description={<When post={post} timezone={timezone} />}
        actions={<Acts post={post} />}
      />
      <PageBody>
        <PostState
          post={post}
          timezone={timezone}
          isDisconnected={account?.status === 'disconnected'}
          publish={publishPost.bind(null, post_id)}
          sayPublished={resolvePost.bind(null, post_id, 'published')}
          publishAgain={resolvePost.bind(null, post_id, 'publish_again')}
        />
        {['draft', 'scheduled', 'failed'].includes(post.status) ? (
          <Composer
            accounts={accounts}
            written={{
              text: post.text ?? '',
              connected_account_id: post.connected_account_id,
              image: postImagePath(post),
              when: post.status === 'scheduled' ? 'later' : 'draft',
              scheduled_at: post.scheduled_at && wallClock(new Date(post.scheduled_at), timezone),
            }}
            timezone={timezone}
            save={updatePost.bind(null, post_id)}
            kept={{ id: post_id, version: post.version }}
          />
        ) : (
          <div className="max-w-xl">
            <PostPreview
              author={post.author_name ?? account?.name ?? null}
              network={account?.provider ?? null}
              text={post.text ?? ''}
              image={postImagePath(post)}
              when={post.status === 'published' ? 'published' : 'under way'}
            />
          </div>
        )}
        {post.status === 'published' && <PostMetrics post={post} history={history} timezone={timezone} />}
        <LiveRefresh every_seconds={3} active={isMoving} watch="posts" />
      </PageBody>
    </>
  )
}

const postImagePath = ({ attachments: [image] }: SocialPost) => (image ? imagePath(image.url) : null)

function When({ post, timezone }: { post: SocialPost; timezone: string }) {
  const at = post.published_at ?? post.scheduled_at
  if (post.status === 'publishing' && !post.published_at)
    return post.uncertain ? 'Sent. The network has not confirmed it yet.' : 'It is being published.'
  if (post.status === 'failed') return 'It was not published.'
  if (!at) return 'Kept until you publish it.'
  return (
    <>
      {post.published_at ? 'Published' : 'Scheduled for'} <ZonedTime at={at} zone={timezone} /> ({timezone})
    </>
  )
}

function Acts({ post }: { post: SocialPost }) {
  const isOpen = ['draft', 'scheduled', 'failed'].includes(post.status)
  const isPublished = post.status === 'published'
  const name = `the post ${excerpt(post.text)}`
  return (
    <>
      {post.share_url && (
        <a className={buttonClass()} href={post.share_url} target="_blank" rel="noreferrer">
          <ExternalLink aria-hidden /> View on the network
        </a>
      )}
      {isOpen && (
        <ActionButton
          act={publishPost.bind(null, post.id)}
          confirm={{
            title: `Publish ${name} now?`,
            description: 'It is published as saved, for everyone to see.',
            label: 'Publish now',
          }}
        >
          Publish now
        </ActionButton>
      )}
      {isPublished && (
        <ActionButton
          act={deletePost.bind(null, post.id, true)}
          confirm={{
            title: `Remove ${name} from Opener?`,
            description: 'It stays on the network. Its text, image and counts are deleted here.',
            label: 'Remove from Opener',
          }}
        >
          Remove from Opener
        </ActionButton>
      )}
      {(isOpen || isPublished) && (
        <ActionButton
          act={deletePost.bind(null, post.id, false)}
          confirm={{
            title: `Delete ${name}?`,
            description: isPublished
              ? 'It is deleted on the network too, with its reactions and comments.'
              : 'This cannot be undone.',
            label: 'Delete post',
            danger: true,
          }}
        >
          <Trash2 aria-hidden /> Delete
        </ActionButton>
      )}
    </>
  )
}
