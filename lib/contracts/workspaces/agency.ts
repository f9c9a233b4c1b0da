import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { editedVersion, id, version } from '#lib/contracts/fields'
import { inWorkspace } from '#lib/contracts/workspaces/workspaces'

const Related = z.object({ workspace_id: id(), name: z.string() })

export const Agency = z
  .object({
    workspace_id: id(),
    parent: Related.nullable().describe('The workspace above it, whose suppressions hold here too.'),
    children: z
      .array(
        Related.extend({
          billed_by_parent: z.boolean(),
          drafts_with_templates: z
            .int()
            .describe('Its campaigns that are not launched and use templates of this workspace.'),
        }),
      )
      .describe('The workspaces below it, which its suppressions hold for.'),
    template_campaigns: z
      .array(
        z.object({
          campaign_id: id(),
          name: z.string(),
          status: z.string(),
          keeps_text: z.boolean().describe('Launched: leaving the parent changes nothing for it.'),
        }),
      )
      .describe(
        'Campaigns that use templates of the parent and have not ended, at most 100, those first that would lose their text.',
      ),
    billed_by_parent: z.boolean().describe('The parent pays for it, see `/workspaces/{workspace_id}/payer`.'),
    inherited_suppressions: z
      .int()
      .describe('Addresses and domains that only the parent lists: leaving it would open them.'),
    share_unsubscribes: z
      .boolean()
      .describe(
        'Of a parent: whoever unsubscribes from one of its children, or reports its mail as spam, gets nothing more from any of them. Off: nothing more from that one. Counts from then on.',
      ),
    version: version().describe('Counts the edits of the workspace’s settings.'),
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
  description: 'Whether an unsubscribe from one child holds for all.',
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
    'Takes an owner of both: 403 `role_insufficient` if you are only a member of the parent, 404 `workspace_not_found` if you are not in it. 409 `has_children` if this one is a parent itself, `parent_has_parent` if the other one is a child, `has_parent` if this one has another parent.',
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
  summary: 'Take a workspace from its parent',
  description:
    'By an owner of either: acting in the workspace, or in its parent. Launched campaigns keep the texts of the parent’s templates; drafts that use them have to get others (`template_campaigns` of `GET …/agency`). The parent’s suppressions no longer hold in it then, so `suppressions` has to say what becomes of them: `copy` puts them on the list of the workspace, `release` lets its campaigns write to these addresses again. Without it, 409 `suppressions_would_end` if there are any. If the parent pays, the workspace pays for itself from then on: `GET /workspaces/{workspace_id}/payer` says what it has then.',
  query: z.object({ suppressions: z.enum(LEAVING).optional() }),
  response: null,
  status: 204,
  scope: 'admin',
  role: 'owner',
  refusals: [404, 409],
  destructive: true,
})
