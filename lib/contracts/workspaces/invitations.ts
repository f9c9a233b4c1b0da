import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, listEnvelope, paging, pathId, sortBy, text } from '#lib/contracts/fields'
import { MAX_GIVEN } from '#lib/contracts/workspaces/client-campaigns'
import { SignUp } from '#lib/contracts/workspaces/sign-in'
import { inWorkspace, Workspace } from '#lib/contracts/workspaces/workspaces'
import { bothWays } from '#lib/domain/text/row-order'
import { ROLES } from '#lib/domain/workspaces/roles'

export const Invitation = z
  .object({
    invitation_id: id(),
    workspace_id: id(),
    email: z.string(),
    role: z.enum(ROLES),
    campaign_ids: z.array(id()).describe('For a client, the campaigns they will see.'),
    invited_by: id().nullable(),
    created_at: dateTime(),
    expires_at: dateTime(),
  })
  .meta({ id: 'Invitation' })
export type Invitation = z.output<typeof Invitation>

export const InvitationLink = Invitation.extend({
  url: z.string().describe('The link, which works once. Returned only here.'),
  mailed: z
    .boolean()
    .describe(
      'False if this instance sends no email, the email was refused, or the address got 10 invitations within an hour. Share the link yourself.',
    ),
}).meta({ id: 'InvitationLink' })
export type InvitationLink = z.output<typeof InvitationLink>

/** The sign-up form of an invitation link, for a person without an account; the address is that of the invitation. */
export const InvitedSignUp = SignUp.omit({ email: true })

const oneInvitation = inWorkspace.extend({ invitation_id: pathId() })
const common = { tag: 'Workspaces', errors: 'flat' } as const
const path = '/workspaces/{workspace_id}/invitations'

const INVITATION_SORTS = bothWays(['email', 'role', 'expires_at'])

export const ListInvitations = contract({
  ...common,
  id: 'listInvitations',
  method: 'GET',
  path,
  summary: 'List open invitations',
  description:
    'Invitations neither accepted nor revoked, including expired ones, newest first unless `sort` sets another order.',
  params: inWorkspace,
  query: z.object({ sort: sortBy(INVITATION_SORTS), ...paging }),
  response: listEnvelope(Invitation),
  status: 200,
  scope: 'read',
  role: 'admin',
  refusals: [404],
})

export const CreateInvitation = contract({
  ...common,
  id: 'createInvitation',
  method: 'POST',
  path,
  summary: 'Invite somebody',
  description:
    'Emails a link that works once, for 7 days. 409 `member_exists` for a member, `invitation_pending` for an address already invited, `invitations_full` above 100 open ones; 403 `role_above_own` for a role above yours.',
  params: inWorkspace,
  body: z.object({
    email: z.email().trim().toLowerCase().max(320),
    role: z.enum(ROLES),
    campaign_ids: z
      .array(id())
      .max(MAX_GIVEN)
      .default([])
      .describe('For a client, the campaigns they will see; 409 `not_a_client` for other roles.'),
  }),
  response: InvitationLink,
  status: 201,
  scope: 'admin',
  refusals: [404, 409],
})

export const ResendInvitation = contract({
  ...common,
  id: 'resendInvitation',
  method: 'POST',
  path: `${path}/{invitation_id}/resend`,
  summary: 'Resend an invitation',
  description: 'With a new link, good for 7 days; the old one stops working.',
  params: oneInvitation,
  response: InvitationLink,
  status: 200,
  scope: 'admin',
  refusals: [404],
})

export const RevokeInvitation = contract({
  ...common,
  id: 'revokeInvitation',
  method: 'DELETE',
  path: `${path}/{invitation_id}`,
  summary: 'Revoke an invitation',
  description: 'Its link stops working.',
  params: oneInvitation,
  response: null,
  status: 204,
  scope: 'admin',
  refusals: [404],
  destructive: true,
})

export const AcceptInvitation = contract({
  ...common,
  id: 'acceptInvitation',
  method: 'POST',
  path: '/invitations/accept',
  summary: 'Accept an invitation',
  description:
    'For the person it was sent to: 403 `invitation_for_another` for any other address. 409 `invitation_used`, `invitation_expired`, `invitation_revoked` or `member_exists`.',
  body: z.object({ token: text(1, 200) }),
  response: Workspace,
  status: 200,
  scope: 'admin',
  role: 'client',
  jwt_only: true,
  // Logged in the workspace that is joined, which is not the caller's current one.
  unlogged: true,
  refusals: [404, 409],
})
