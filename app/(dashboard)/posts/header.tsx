import { ChangingLink } from '#components/ui/controls/changing-link'
import { PageHeader } from '#components/ui/layout/page-header'
import { Tabs } from '#components/ui/layout/tabs'

/** Header of the list and the calendar, two views of the same posts. */
export function PostsHeader({ current }: { current: 'list' | 'calendar' }) {
  return (
    <PageHeader
      title="Posts"
      description="Published from your own accounts, each at most once."
      actions={
        <ChangingLink variant="primary" href="/posts/new">
          New post
        </ChangingLink>
      }
      below={
        <Tabs
          label="Views"
          tabs={[
            { href: '/posts', label: 'List', current: current === 'list' },
            { href: '/posts/calendar', label: 'Calendar', current: current === 'calendar' },
          ]}
        />
      }
    />
  )
}
