import { ScrollText } from 'lucide-react'
import type { Metadata } from 'next'
import { z } from 'zod'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { ActivityFilters } from '#components/workspaces/activity-filters'
import { AuditTable } from '#components/workspaces/audit-table'
import { CHANGED_BY, ListAuditEvents } from '#lib/contracts/workspaces/audit'
import { requireUser } from '#lib/http/session'
import { listAuditEvents, readDayRange } from '#lib/services/workspaces/audit'
import { listMembers } from '#lib/services/workspaces/members'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { parseQuery } from '../../../page-input.ts'

export const metadata: Metadata = { title: 'Activity' }

const LABELS = {
  person: 'Dashboard',
  token: 'API tokens',
  key: 'API keys',
  assistant: 'Assistant',
  stranger: 'Failed sign-ins',
} as const

/** There are never more. */
const ALL = { page: 1, page_size: 100 }

const day = () => z.iso.date().optional().catch(undefined)
/** Values of date fields: days in the workspace's zone. */
const Days = z.looseObject({ from_day: day(), until_day: day() })

export default async function AuditPage({ searchParams }: PageProps<'/settings/audit'>) {
  const user = await requireUser(ListAuditEvents)
  const given = parseQuery(Days, await searchParams)
  const zone = await workspaceTimezone(user.workspace_id)
  const query = parseQuery(ListAuditEvents.query, { ...given, ...readDayRange(given, zone) })
  const [list, members] = await Promise.all([
    listAuditEvents(user.workspace_id, query),
    listMembers(user, user.workspace_id, ALL),
  ])
  const { items, ...page } = ListAuditEvents.response.parse(list)
  const shown = { user_id: query.user_id, by: query.by, from_day: given.from_day, until_day: given.until_day }
  return (
    <>
      <ActivityFilters
        path="/settings/audit"
        people={members.items.map(({ user_id, name, email }) => ({ user_id, name: name || email }))}
        kinds={CHANGED_BY.map((value) => ({ value, label: LABELS[value] }))}
        shown={shown}
        zone={zone}
      />
      {items.length === 0 ? (
        <Panel>
          <EmptyState
            icon={<ScrollText />}
            title="No activity"
            description="Everything created, changed, sent or deleted, and who did it. Message texts are not logged."
          />
        </Panel>
      ) : (
        <AuditTable events={items} zone={zone} />
      )}
      {page.total > page.page_size && (
        <Pagination
          path="/settings/audit"
          query={{ ...shown, target_id: query.target_id, operation: query.operation }}
          {...page}
          noun="changes"
        />
      )}
    </>
  )
}
