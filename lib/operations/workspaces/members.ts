import {
  HandOnWorkspace,
  LeaveWorkspace,
  ListMembers,
  ReadMemberRemoval,
  RemoveMember,
  UpdateMember,
} from '#lib/contracts/workspaces/members'
import { operation } from '#lib/operations/operation'
import * as removal from '#lib/services/workspaces/leaving/member-removal'
import * as service from '#lib/services/workspaces/members'

export const listMembers = operation(ListMembers, ({ user, params, query }) =>
  service.listMembers(user, params.workspace_id, query),
)
export const updateMember = operation(UpdateMember, ({ user, params, body }) =>
  service.updateMember(user, params, body),
)
export const readMemberRemoval = operation(ReadMemberRemoval, ({ user, params, query }) =>
  removal.readMemberRemoval(user, params, query),
)
export const removeMember = operation(RemoveMember, ({ user, params, query, now }) =>
  service.removeMember(user, params, query, now),
)
export const leaveWorkspace = operation(LeaveWorkspace, ({ user, params, now }) =>
  service.leaveWorkspace(user, params.workspace_id, now),
)
export const handOnWorkspace = operation(HandOnWorkspace, ({ user, params, body }) =>
  service.handOnWorkspace(user, params.workspace_id, body.user_id),
)
