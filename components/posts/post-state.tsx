import { ActionButton } from '#components/ui/controls/action-button'
import { Callout } from '#components/ui/feedback/callout'
import type { Act } from '#components/ui/use-action'
import { ZonedTime } from '#components/ui/zoned-time'
import type { SocialPost } from '#lib/contracts/posts/social-posts'

type Props = {
  post: SocialPost
  timezone: string
  isDisconnected: boolean
  publish: Act
  sayPublished: Act
  publishAgain: Act
}

const NAMED_BY = 40

/** A post has no title, so it is named by its first words in quotes. */
export function excerpt(text: string | null): string {
  const [line = ''] = (text ?? '').trim().split('\n')
  if (line.length <= NAMED_BY) return `“${line}”`
  const cut = line.slice(0, NAMED_BY)
  return `“${cut.slice(0, Math.max(cut.lastIndexOf(' '), NAMED_BY / 2))} …”`
}

/** What prevents a post from being published, and what its owner can do. */
export function PostState({ post, timezone, isDisconnected, publish, sayPublished, publishAgain }: Props) {
  if (post.uncertain)
    return (
      <Callout tone="warning" title="Unclear whether this post was published">
        {post.last_error} Opener checks the account’s newest posts for a day and never publishes it again
        automatically. Check the account and choose.
        <span className="mt-2 flex flex-wrap gap-2">
          <ActionButton size="sm" act={sayPublished}>
            It was published
          </ActionButton>
          <ActionButton
            size="sm"
            act={publishAgain}
            confirm={{
              title: `Publish the post ${excerpt(post.text)} once more?`,
              description: 'Check the account first. If the post is there after all, it may appear twice.',
              label: 'Publish again',
            }}
          >
            Not published, try again
          </ActionButton>
        </span>
      </Callout>
    )
  if (post.status === 'draft' && post.last_error)
    return (
      <Callout tone="warning" title="It is not published automatically">
        {post.last_error}
      </Callout>
    )
  if (post.status === 'failed')
    return (
      <Callout
        tone="danger"
        title="It was not published"
        action={
          <ActionButton size="sm" act={publish}>
            Try again
          </ActionButton>
        }
      >
        {post.last_error} Change it below, or try again.
      </Callout>
    )
  if (post.status === 'scheduled' && post.retry_count > 0)
    return (
      <Callout tone="warning" title="Not published yet, retrying automatically">
        After {post.retry_count === 1 ? 'one failed attempt' : `${post.retry_count} failed attempts`}:{' '}
        {post.last_error}
      </Callout>
    )
  if (post.status === 'scheduled' && isDisconnected)
    return (
      <Callout tone="warning" title="Its account is disconnected">
        Connect it again before{' '}
        {post.scheduled_at ? <ZonedTime at={post.scheduled_at} zone={timezone} /> : 'it goes out'}, or the
        post fails after a few hours.
      </Callout>
    )
  return null
}
