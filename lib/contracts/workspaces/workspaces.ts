import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  editedVersion,
  id,
  listEnvelope,
  paging,
  pathId,
  text,
  version,
} from '#lib/contracts/fields'
import { ROLES } from '#lib/domain/workspaces/roles'

export const REPLY_ASSIGNMENTS = ['nobody', 'campaign_maker', 'sender', 'round_robin'] as const
export type ReplyAssignment = (typeof REPLY_ASSIGNMENTS)[number]

export const Workspace = z
  .object({
    workspace_id: id(),
    name: z.string(),
    slug: z.string().describe('Its name in addresses: `/w/{slug}`.'),
    role: z.enum(ROLES).describe('Yours in it.'),
    reply_assignment: z
      .enum(REPLY_ASSIGNMENTS)
      .describe('Who gets a conversation without an assignee when somebody replies in it.'),
    reply_assignees: z.array(id()).describe('With `round_robin`: the members who get them in turn.'),
    version: version(),
    created_at: dateTime(),
  })
  .meta({ id: 'Workspace' })
export type Workspace = z.output<typeof Workspace>

export const inWorkspace = z.object({ workspace_id: pathId() })

const common = { tag: 'Workspaces', errors: 'flat' } as const
const name = () => text(1, 100).trim().min(1)

export const ListWorkspaces = contract({
  ...common,
  id: 'listWorkspaces',
  method: 'GET',
  path: '/workspaces',
  summary: 'List your workspaces',
  description:
    'All that you are a member of. `X-Workspace-Id` chooses the one that a JWT acts in; a key has its own.',
  query: z.object(paging),
  response: listEnvelope(Workspace),
  status: 200,
  scope: 'read',
  role: 'client',
})

export const CreateWorkspace = contract({
  ...common,
  id: 'createWorkspace',
  method: 'POST',
  path: '/workspaces',
  summary: 'Create a workspace',
  description: 'You become its owner. 409 `workspaces_full` above 20 that you own.',
  body: z.object({ name: name() }),
  response: Workspace,
  status: 201,
  scope: 'admin',
  role: 'client',
  jwt_only: true,
  refusals: [409],
})

export const ReadWorkspace = contract({
  ...common,
  id: 'readWorkspace',
  method: 'GET',
  path: '/workspaces/{workspace_id}',
  summary: 'Read the workspace',
  description: 'Only the one that the request acts in; any other is 404 `workspace_not_found`.',
  params: inWorkspace,
  response: Workspace,
  status: 200,
  scope: 'read',
  role: 'client',
  refusals: [404],
})

export const UpdateWorkspace = contract({
  ...common,
  id: 'updateWorkspace',
  method: 'PATCH',
  path: '/workspaces/{workspace_id}',
  summary: 'Change the workspace',
  description:
    'Its name, its slug (409 `slug_taken` if another workspace has it), and who gets new replies: `nobody`, `campaign_maker` (who made the campaign), `sender` (whom the mailbox or account that sent to them is given to; several of these in turn, and who made the campaign if it is given to nobody), or `round_robin` over `reply_assignees`.',
  params: inWorkspace,
  body: z
    .object({
      name: name(),
      slug: z
        .string()
        .min(3)
        .max(60)
        .regex(/^[a-z0-9-]*$/, 'must have only a-z, 0-9 and hyphens'),
      reply_assignment: z.enum(REPLY_ASSIGNMENTS),
      reply_assignees: z.array(id()).max(100),
      version: editedVersion(),
    })
    .partial(),
  response: Workspace,
  status: 200,
  scope: 'admin',
  refusals: [404, 409],
})
