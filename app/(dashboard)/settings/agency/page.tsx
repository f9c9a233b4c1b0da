import type { Metadata } from 'next'
import { AgencyPanels } from '#components/workspaces/agency-panels'
import { Agency, ReadAgency } from '#lib/contracts/workspaces/agency'
import { requireUser } from '#lib/http/session'
import { readAgency } from '#lib/services/workspaces/joining/parent'
import { listMemberships } from '#lib/services/workspaces/memberships'
import { leaveParent, setParent, shareUnsubscribes } from './actions.ts'

export const metadata: Metadata = { title: 'Agency' }

export default async function AgencyPage() {
  const user = await requireUser(ReadAgency)
  const { workspace_id, role } = user
  const [agency, memberships] = await Promise.all([
    readAgency(user, workspace_id),
    listMemberships(user.user_id),
  ])
  const owned = memberships.filter((one) => one.role === 'owner' && one.workspace_id !== workspace_id)
  return (
    <AgencyPanels
      agency={Agency.parse(agency)}
      role={role}
      owned={owned}
      leave={leaveParent}
      put={setParent}
      share={shareUnsubscribes}
    />
  )
}
