import {
  AcceptInvitation,
  CreateInvitation,
  ListInvitations,
  ResendInvitation,
  RevokeInvitation,
} from '#lib/contracts/workspaces/invitations'
import { operation } from '#lib/operations/operation'
import { noticeMailbox } from '#lib/services/senders/notice-mailbox'
import * as acceptance from '#lib/services/workspaces/joining/acceptance'
import * as service from '#lib/services/workspaces/joining/invitations'

export const listInvitations = operation(ListInvitations, ({ user, params, query }) =>
  service.listInvitations(user, params.workspace_id, query),
)
export const createInvitation = operation(CreateInvitation, ({ user, params, body, now }) =>
  service.createInvitation(user, params.workspace_id, body, now, noticeMailbox),
)
export const resendInvitation = operation(ResendInvitation, ({ user, params, now }) =>
  service.resendInvitation(user, params.workspace_id, params.invitation_id, now, noticeMailbox),
)
export const revokeInvitation = operation(RevokeInvitation, ({ user, params, now }) =>
  service.revokeInvitation(user, params.workspace_id, params.invitation_id, now),
)
export const acceptInvitation = operation(AcceptInvitation, ({ user, body, now }) =>
  acceptance.acceptInvitation(user, body.token, now),
)
