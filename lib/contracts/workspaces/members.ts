import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  editedVersion,
  id,
  listEnvelope,
  paging,
  pathId,
  sortBy,
  version,
} from '#lib/contracts/fields'
import { inWorkspace } from '#lib/contracts/workspaces/workspaces'
import { CAMPAIGN_STATUSES } from '#lib/domain/campaigns/campaign-status'
import { bothWays } from '#lib/domain/text/row-order'
import { ROLES } from '#lib/domain/workspaces/roles'

export const Member = z
  .object({
    workspace_id: id(),
    user_id: id(),
    name: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    mailboxes: z
      .array(z.object({ mailbox_id: id(), address: z.string() }))
      .describe(
        'Mailboxes given to them. A member’s campaigns send only from these. Owners and admins can use all.',
      ),
    version: version(),
    created_at: dateTime().describe('When they joined.'),
  })
  .meta({ id: 'Member' })
export type Member = z.output<typeof Member>

export const MemberRemoval = z
  .object({
    user_id: id(),
    campaigns: z.int().describe('Campaigns they created. These keep running.'),
    templates: z.int(),
    sender_profiles: z.int(),
    social_posts: z.int(),
    api_keys: z.int().describe('API keys they created. These stop working.'),
    conversations: z.int().describe('Conversations assigned to them. These become unassigned.'),
    mailboxes: z.int().describe('Mailboxes they lose access to. None is disconnected.'),
    accounts: z.int().describe('The same for connected accounts.'),
    running: z
      .array(
        z.object({
          campaign_id: id(),
          name: z.string(),
          status: z.enum(CAMPAIGN_STATUSES),
          missing: z
            .array(z.string())
            .describe(
              'Senders the new owner has no access to. Once paused, the campaign cannot resume without access.',
            ),
        }),
      )
      .describe('Their campaigns that keep sending, up to 100.'),
    handed_to: z
      .object({ user_id: id(), name: z.string() })
      .nullable()
      .describe(
        'Who takes over their work: `hand_to`, otherwise you, or an owner if you are leaving. Null: they cannot be removed.',
      ),
  })
  .meta({ id: 'MemberRemoval' })
export type MemberRemoval = z.output<typeof MemberRemoval>

const oneMember = inWorkspace.extend({ user_id: pathId() })
const handTo = z.object({
  hand_to: id().optional().describe('The member who takes over their work. Default: you.'),
})
const common = { tag: 'Workspaces', errors: 'flat' } as const

export const MEMBER_SORTS = bothWays(['name', 'role', 'created_at'])

export const ListMembers = contract({
  ...common,
  id: 'listMembers',
  method: 'GET',
  path: '/workspaces/{workspace_id}/members',
  summary: 'List the members',
  description: 'By role, then by when they joined, unless `sort` sets another order.',
  params: inWorkspace,
  query: z.object({ sort: sortBy(MEMBER_SORTS), ...paging }),
  response: listEnvelope(Member),
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const UpdateMember = contract({
  ...common,
  id: 'updateMember',
  method: 'PATCH',
  path: '/workspaces/{workspace_id}/members/{user_id}',
  summary: "Change a member's role",
  description:
    '403 `role_above_own` if the old or the new role is above yours; 409 `last_owner` if the workspace would have no owner.',
  params: oneMember,
  body: z.object({ role: z.enum(ROLES), version: editedVersion().optional() }),
  response: Member,
  status: 200,
  scope: 'admin',
  refusals: [404, 409],
})

export const ReadMemberRemoval = contract({
  ...common,
  id: 'readMemberRemoval',
  method: 'GET',
  path: '/workspaces/{workspace_id}/members/{user_id}/removal',
  summary: 'Preview the removal of a member',
  description: 'What the member created in the workspace and who takes it over. Changes nothing.',
  params: oneMember,
  query: handTo,
  response: MemberRemoval,
  status: 200,
  scope: 'read',
  role: 'admin',
  refusals: [404, 409],
})

export const RemoveMember = contract({
  ...common,
  id: 'removeMember',
  method: 'DELETE',
  path: '/workspaces/{workspace_id}/members/{user_id}',
  summary: 'Remove a member',
  description:
    'Their work stays and goes to `hand_to`, or to you. 409 `heir_role` if that is a viewer or client. Conversations assigned to them become unassigned. Running campaigns keep running. API keys they created stop working. 409 `last_owner` for the only owner, 403 `role_above_own` for somebody above you.',
  params: oneMember,
  query: handTo,
  response: null,
  status: 204,
  scope: 'admin',
  refusals: [404, 409],
  destructive: true,
})

export const LeaveWorkspace = contract({
  ...common,
  id: 'leaveWorkspace',
  method: 'POST',
  path: '/workspaces/{workspace_id}/leave',
  summary: 'Leave the workspace',
  description:
    'Your work stays and goes to an owner. 409 `last_owner` if you are the only owner, `last_workspace` if you have no other workspace.',
  params: inWorkspace,
  response: null,
  status: 204,
  scope: 'admin',
  role: 'client',
  jwt_only: true,
  refusals: [404, 409],
  destructive: true,
})

export const HandOnWorkspace = contract({
  ...common,
  id: 'handOnWorkspace',
  method: 'POST',
  path: '/workspaces/{workspace_id}/owner',
  summary: 'Transfer the workspace',
  description: 'The named member becomes an owner, and you become an admin.',
  params: inWorkspace,
  body: z.object({ user_id: id() }),
  response: Member,
  status: 200,
  scope: 'admin',
  role: 'owner',
  jwt_only: true,
  refusals: [404],
})
