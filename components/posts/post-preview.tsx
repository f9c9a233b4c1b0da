import { PostImage } from '#components/posts/post-image'
import { Avatar } from '#components/ui/avatar'
import { capital } from '#lib/domain/text/capital'

type Props = {
  author: string | null
  network: string | null
  text: string
  image: string | null
  when: string
}

const NETWORKS: Record<string, string> = { linkedin: 'LinkedIn', twitter: 'X', instagram: 'Instagram' }

export const networkName = (provider: string): string => NETWORKS[provider] ?? capital(provider)

/** Approximately as a feed shows it. */
export function PostPreview({ author, network, text, image, when }: Props) {
  return (
    <article className="min-w-0 overflow-hidden rounded-md border border-border bg-surface">
      <header className="flex items-center gap-2.5 px-4 pt-3 text-sm">
        <Avatar name={author ?? '?'} />
        <div className="min-w-0">
          <p className="truncate font-medium">{author ?? 'No account yet'}</p>
          <p className="truncate text-xs text-muted">
            {network ? `${networkName(network)} · ${when}` : when}
          </p>
        </div>
      </header>
      <p className="px-4 py-3 text-sm whitespace-pre-wrap wrap-anywhere">
        {text || <span className="text-muted">What you write appears here.</span>}
      </p>
      {image && <PostImage src={image} className="max-h-112 border-t border-border" />}
    </article>
  )
}
