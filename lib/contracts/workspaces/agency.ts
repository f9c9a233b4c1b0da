import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { editedVersion, id, version } from '#lib/contracts/fields'
import { inWorkspace } from '#lib/contracts/workspaces/workspaces'

const Related = z.object({ workspace_id: id(), name: z.string() })

export const Agency = z
  .object({
    workspace_id: id(),
    parent: Related.nullable().describe('The workspace above it, whose suppressions also apply here.'),
    children: z
      .array(
        Related.extend({
          billed_by_parent: z.boolean(),
          drafts_with_templates: z
            .int()
            .describe('Its unlaunched campaigns that use this workspace’s templates.'),
        }),
      )
      .describe('The workspaces below it, to which its suppressions also apply.'),
    template_campaigns: z
      .array(
        z.object({
          campaign_id: id(),
          name: z.string(),
          status: z.string(),
          keeps_text: z.boolean().describe('Launched campaigns are not affected by leaving the parent.'),
        }),
      )
      .describe(
        'Campaigns that use the parent’s templates and have not ended, up to 100, those that would lose their text first.',
      ),
    billed_by_parent: z.boolean().describe('The parent pays for it, see `/workspaces/{workspace_id}/payer`.'),
    inherited_suppressions: z
      .int()
      .describe('Addresses and domains only the parent suppresses. Leaving it would allow contacting them.'),
    share_unsubscribes: z
      .boolean()
      .describe(
        'For a parent: people who unsubscribe from a child or report its mail as spam get nothing more from any of them. Off: nothing more from that child. Applies from then on.',
      ),
    version: version().describe('Increases with each edit of the workspace’s settings.'),
  })
  .meta({ id: 'Agency' })
export type Agency = z.output<typeof Agency>

export const LEAVING = ['copy', 'release'] as const

const common = { tag: 'Workspaces', errors: 'flat', params: inWorkspace } as const
const path = '/workspaces/{workspace_id}/agency'
const parentPath = '/workspaces/{workspace_id}/parent'

export const ReadAgency = contract({
  ...common,
  id: 'readAgency',
  method: 'GET',
  path,
  summary: 'Read the parent and children',
  description: 'The workspace above this one, or those below it. There is one level.',
  response: Agency,
  status: 200,
  scope: 'read',
  role: 'admin',
  refusals: [404],
})

export const UpdateAgency = contract({
  ...common,
  id: 'updateAgency',
  method: 'PATCH',
  path,
  summary: 'Change what children share',
  description: 'Whether an unsubscribe from one child applies to all.',
  body: z.object({ share_unsubscribes: z.boolean(), version: editedVersion() }).partial(),
  response: Agency,
  status: 200,
  scope: 'admin',
  role: 'owner',
  refusals: [404, 409],
})

export const SetParent = contract({
  ...common,
  id: 'setParent',
  method: 'PUT',
  path: parentPath,
  summary: 'Put a workspace under a parent',
  description:
    'Requires an owner of both: 403 `role_insufficient` if you are only a member of the parent, 404 `workspace_not_found` if you are not in it. 409 `has_children` if this one is a parent itself, `parent_has_parent` if the other one is a child, `has_parent` if this one has another parent.',
  body: z.object({ parent_workspace_id: id(), version: editedVersion() }).partial({ version: true }),
  response: Agency,
  status: 200,
  scope: 'admin',
  role: 'owner',
  noted: ['parent_workspace_id'],
  jwt_only: true,
  refusals: [404, 409],
})

export const LeaveParent = contract({
  ...common,
  id: 'leaveParent',
  method: 'DELETE',
  path: parentPath,
  summary: 'Remove a workspace from its parent',
  description:
    'Requires an owner of either workspace, acting in it or its parent. Launched campaigns keep the parent’s template texts; drafts that use them need other templates (`template_campaigns` of `GET …/agency`). The parent’s suppressions no longer apply, so `suppressions` must say what to do with them: `copy` adds them to the workspace’s list, `release` lets its campaigns contact these addresses again. Without it, 409 `suppressions_would_end` if there are any. If the parent pays, the workspace pays for itself from then on: `GET /workspaces/{workspace_id}/payer` says what it has then.',
  query: z.object({ suppressions: z.enum(LEAVING).optional() }),
  response: null,
  status: 204,
  scope: 'admin',
  role: 'owner',
  refusals: [404, 409],
  destructive: true,
})
