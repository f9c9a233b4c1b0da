import type { Metadata } from 'next'
import { Pagination } from '#components/ui/layout/pagination'
import { AskAdmin } from '#components/workspaces/ask-admin'
import { ImportWorkspace } from '#components/workspaces/import-workspace'
import { InvitationTable } from '#components/workspaces/members/invitation-table'
import { InviteForm } from '#components/workspaces/members/invite-form'
import { MemberTable } from '#components/workspaces/members/member-table'
import { ReplyAssignmentForm } from '#components/workspaces/members/reply-assignment-form'
import { CreateWorkspaceForm, WorkspaceForm } from '#components/workspaces/members/workspace-form'
import { EraseWorkspacePanel } from '#components/workspaces/your-data'
import { EraseWorkspace } from '#lib/contracts/workspaces/erasure'
import { ListInvitations } from '#lib/contracts/workspaces/invitations'
import { ListMembers } from '#lib/contracts/workspaces/members'
import { isAdmin, roleRefusal } from '#lib/contracts/workspaces/roles'
import { ReadWorkspace } from '#lib/contracts/workspaces/workspaces'
import { requireUser } from '#lib/http/session'
import { listAssignees } from '#lib/services/inbox/thread/assignment'
import { latestImport } from '#lib/services/workspaces/archive/imports'
import { campaignChoice } from '#lib/services/workspaces/joining/client-campaigns'
import { listInvitations } from '#lib/services/workspaces/joining/invitations'
import { prepareWorkspaceErasure } from '#lib/services/workspaces/leaving/workspace-erasure'
import { listMembers } from '#lib/services/workspaces/members'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { readWorkspace } from '#lib/services/workspaces/workspaces'
import { parseQuery } from '../../../page-input.ts'
import * as actions from './actions.ts'
import { ByProvider } from './by-provider.tsx'
import * as imports from './imports.ts'

export const metadata: Metadata = { title: 'Members' }

const PATH = '/settings/members'
/** There are never more. */
const ALL = { page: 1, page_size: 100 }
/** Invitations have their own sort order. */
const Query = ListMembers.query.extend({ invitations: ListInvitations.query.shape.sort })

/** Members, invitations, and the workspace's name. */
export default async function MembersPage({ searchParams }: PageProps<'/settings/members'>) {
  const user = await requireUser()
  const query = parseQuery(Query, await searchParams)
  const { workspace_id, role } = user
  const [members, invitations, workspace, zone, people, campaigns, latest, erasure] = await Promise.all([
    listMembers(user, workspace_id, query),
    isAdmin(role) ? listInvitations(user, workspace_id, { ...ALL, sort: query.invitations }) : null,
    readWorkspace(user, workspace_id),
    workspaceTimezone(workspace_id),
    listAssignees(workspace_id),
    isAdmin(role) ? campaignChoice(workspace_id, []) : [],
    latestImport(user, new Date()),
    roleRefusal(role, EraseWorkspace) ? null : prepareWorkspaceErasure(user, workspace_id, new Date()),
  ])
  const shown = ReadWorkspace.response.parse(workspace)
  const { items, ...list } = ListMembers.response.parse(members)
  const pending = invitations ? ListInvitations.response.parse(invitations).items : []
  return (
    <>
      <MemberTable
        members={items}
        total={list.total}
        path={PATH}
        query={query}
        me={{ user_id: user.user_id, role }}
        zone={zone}
        actions={{
          changeRole: actions.changeRole,
          previewRemoval: actions.previewRemoval,
          removeMember: actions.removeMember,
          handOn: actions.handOn,
          leave: actions.leave,
        }}
      />
      {list.total > list.page_size && <Pagination path={PATH} query={query} {...list} noun="members" />}
      <AskAdmin role={role} needs="admin">
        <InviteForm role={role} campaigns={campaigns} invite={actions.invite} />
        {pending.length > 0 && (
          <InvitationTable
            invitations={pending}
            sorting={{ path: PATH, query }}
            zone={zone}
            now={new Date().toISOString()}
            resend={actions.resend}
            revoke={actions.revoke}
          />
        )}
        <ByProvider user={user} />
        <WorkspaceForm workspace={shown} save={actions.rename} />
        <ReplyAssignmentForm workspace={shown} people={people} save={actions.assignReplies} />
      </AskAdmin>
      <CreateWorkspaceForm create={actions.create} />
      <ImportWorkspace
        latest={latest}
        address={imports.makeAddress}
        start={imports.startImport}
        read={imports.readImport}
      />
      {erasure && <EraseWorkspacePanel {...erasure} erase={actions.eraseThisWorkspace} />}
    </>
  )
}
