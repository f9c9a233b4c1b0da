import { SortTh } from '#components/lists/sort-th'
import { imagePath } from '#components/posts/post-image'
import { networkName } from '#components/posts/post-preview'
import { PostStatus } from '#components/posts/post-status'
import { FilterChips } from '#components/ui/controls/filter-chips'
import { Link } from '#components/ui/controls/link'
import { LinkButton } from '#components/ui/controls/link-button'
import { counted } from '#components/ui/counted'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Tr } from '#components/ui/layout/table'
import { queryHref } from '#components/ui/query-href'
import { ZonedTime } from '#components/ui/zoned-time'
import type { PostAccount, SocialPost } from '#lib/contracts/posts/social-posts'

type Props = {
  posts: SocialPost[]
  accounts: PostAccount[]
  total: number
  next: string | null
  query: { status?: SocialPost['status'] | undefined; sort?: string | undefined }
  /** The number of posts per status. */
  counts: Record<string, number>
  timezone: string
}

/** The column's name in the URL, its heading, and its initial sort direction. */
const COLUMNS: [column: string, label: string, first?: 'down'][] = [
  ['text', 'Text'],
  ['status', 'State'],
  ['account', 'Account'],
  ['at', 'When', 'down'],
  ['impressions', 'Impressions', 'down'],
  ['reactions', 'Reactions', 'down'],
]
const COUNTS = new Set(['Impressions', 'Reactions'])

const FILTERS = [
  [null, 'All'],
  ['draft', 'Drafts'],
  ['scheduled', 'Scheduled'],
  ['publishing', 'Publishing'],
  ['published', 'Published'],
  ['failed', 'Failed'],
] as const

const path = '/posts'

export function PostTable({ posts, accounts, total, next, query, counts, timezone }: Props) {
  const status = query.status ?? null
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const chips = FILTERS.map(([value, label]) => ({
    href: queryHref(path, query, { status: value ?? undefined }),
    label,
    current: status === value,
    count: value ? (counts[value] ?? 0) : all,
  }))
  const findAccount = (id: string | null) => accounts.find((account) => account.id === id)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <FilterChips label="Posts by state" chips={chips} />
      <Panel flush>
        {posts.length === 0 ? (
          <EmptyState
            title="No posts with this status"
            description="Choose another status, or write a post."
          />
        ) : (
          <Table caption="Posts">
            <thead>
              <tr>
                {COLUMNS.map(([column, label, first]) => (
                  <SortTh key={column} {...{ path, query, column, first }} numeric={COUNTS.has(label)}>
                    {label === 'When' ? `When (${timezone})` : label}
                  </SortTh>
                ))}
              </tr>
            </thead>
            <tbody>
              {posts.map((post) => (
                <Row
                  key={post.id}
                  post={post}
                  account={findAccount(post.connected_account_id)}
                  timezone={timezone}
                />
              ))}
            </tbody>
          </Table>
        )}
        {posts.length > 0 && (
          <nav
            aria-label="Pages of posts"
            className="flex items-center justify-between gap-4 border-t border-border px-4 py-2 text-sm text-muted"
          >
            <p>{counted(total, 'posts')}</p>
            {next && (
              <LinkButton size="sm" href={queryHref(path, query, { after: next })}>
                {query.sort ? 'More posts' : 'Older posts'}
              </LinkButton>
            )}
          </nav>
        )}
      </Panel>
    </div>
  )
}

type RowProps = { post: SocialPost; account: PostAccount | undefined; timezone: string }

function Row({ post, account, timezone }: RowProps) {
  const [image] = post.attachments
  const at = post.published_at ?? post.scheduled_at
  const isCounted = post.metrics_updated_at !== null
  return (
    <Tr>
      <Td lead className="sm:w-1/2 sm:max-w-0 sm:min-w-56">
        <span className="flex items-center gap-3">
          {image && (
            <span
              aria-hidden
              className="size-8 shrink-0 rounded-xs bg-sunken bg-cover bg-center"
              style={{ backgroundImage: `url("${imagePath(image.url)}")` }}
            />
          )}
          <Link
            href={`/posts/${post.id}`}
            data-row-link
            className="line-clamp-2 rounded-xs font-medium wrap-anywhere hover:underline"
          >
            {post.text}
          </Link>
        </span>
      </Td>
      <Td label="State">
        <PostStatus post={post} />
      </Td>
      <Td label="Account" className="sm:whitespace-nowrap">
        {account ? (
          `${account.name} · ${networkName(account.provider)}`
        ) : (
          <span className="text-muted">none</span>
        )}
      </Td>
      <Td label={`When (${timezone})`}>
        {at ? <ZonedTime at={at} zone={timezone} /> : <span className="text-muted">not yet</span>}
      </Td>
      <Td label="Impressions" numeric>
        {isCounted ? post.impressions.toLocaleString('en') : '–'}
      </Td>
      <Td label="Reactions" numeric>
        {isCounted ? post.reactions.toLocaleString('en') : '–'}
      </Td>
    </Tr>
  )
}
