import { ScrollText } from 'lucide-react'
import type { Metadata } from 'next'
import { FilterChips } from '#components/ui/controls/filter-chips'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { queryHref } from '#components/ui/query-href'
import { AuditTable } from '#components/workspaces/audit-table'
import { CHANGED_BY, ListAuditEvents } from '#lib/contracts/workspaces/audit'
import { requireUser } from '#lib/http/session'
import { listAuditEvents } from '#lib/services/workspaces/audit'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { parseQuery } from '../../../page-input.ts'

export const metadata: Metadata = { title: 'Audit log' }

const LABELS = {
  person: 'By you',
  key: 'By API keys',
  assistant: 'By the assistant',
  stranger: 'Failed sign-ins',
} as const

export default async function AuditPage({ searchParams }: PageProps<'/settings/audit'>) {
  const user = await requireUser(ListAuditEvents)
  const given = await searchParams
  const query = parseQuery(ListAuditEvents.query, given)
  const [list, zone] = await Promise.all([
    listAuditEvents(user.workspace_id, query),
    workspaceTimezone(user.workspace_id),
  ])
  const { items, ...page } = ListAuditEvents.response.parse(list)
  const chips = [undefined, ...CHANGED_BY].map((by) => ({
    href: queryHref('/settings/audit', {}, { by }),
    label: by ? LABELS[by] : 'All',
    current: query.by === by,
  }))
  return (
    <>
      <FilterChips label="By whom" chips={chips} />
      {items.length === 0 ? (
        <Panel>
          <EmptyState
            icon={<ScrollText />}
            title="Nothing was changed"
            description="Everything created, changed, sent or deleted, and who did it. Message texts are not logged."
          />
        </Panel>
      ) : (
        <AuditTable events={items} zone={zone} />
      )}
      {page.total > page.page_size && (
        <Pagination path="/settings/audit" query={{ by: query.by }} {...page} noun="changes" />
      )}
    </>
  )
}
