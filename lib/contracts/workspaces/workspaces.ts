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
import { ARCHIVE_BYTES } from '#lib/domain/workspaces/archive-size'
import { IMPORT_STATUSES } from '#lib/domain/workspaces/import-moves'
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
      .describe('Who gets an unassigned conversation when somebody replies.'),
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
  description: 'All your workspaces. With a JWT, choose one with `X-Workspace-Id`. A key has its own.',
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
  description: 'You become its owner. 409 `workspaces_full` if you own 20.',
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
  description: 'Only the workspace the request acts in. Any other returns 404 `workspace_not_found`.',
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

export const WorkspaceImport = z
  .object({
    import_id: id(),
    status: z
      .enum(IMPORT_STATUSES)
      .describe('`waiting` for its file, then `queued`, `running`, and at last `completed` or `failed`.'),
    filename: z.string(),
    size_bytes: z.int(),
    read_bytes: z.int().describe('Rows read so far. Once the whole file is read, all rows appear at once.'),
    error: z
      .string()
      .nullable()
      .describe('Why nothing was imported, with the line and table if one caused it.'),
    result: z
      .object({
        workspace_id: id(),
        name: z.string(),
        slug: z.string(),
        rows: z.int(),
        campaigns: z.int(),
        paused_campaigns: z
          .int()
          .describe('Campaigns that were running. Resume them once their senders are connected.'),
        leads: z.int(),
        mailboxes: z.int().describe('Passwords are never exported. Reconnect them.'),
        domains: z.int().default(0).describe('Each has a new key. Publish its records again.'),
        accounts: z.int().default(0).describe('Disconnected social accounts. Sign in to them again.'),
        webhooks: z
          .int()
          .default(0)
          .describe('Disabled. Rotate each secret, give it to the receiver, then enable it.'),
        chats: z.int().default(0).describe('They can be answered once their account is connected again.'),
        posts: z.int().default(0).describe('Those that were scheduled are drafts.'),
        forms: z
          .int()
          .default(0)
          .describe('Each has a new address and none is signed. Add it to your site again.'),
        left_out: z
          .record(z.string(), z.int())
          .describe('Rows not imported, by table: people, secrets, post files, report links.'),
      })
      .nullable()
      .describe('Of a completed import.'),
    created_at: dateTime(),
    completed_at: dateTime().nullable(),
  })
  .meta({ id: 'WorkspaceImport' })
export type WorkspaceImport = z.output<typeof WorkspaceImport>

const ofImports = { tag: 'Workspaces', errors: 'flat', role: 'client', jwt_only: true } as const
const ofImport = z.object({ import_id: pathId() })

export const CreateWorkspaceImport = contract({
  ...ofImports,
  id: 'createWorkspaceImport',
  method: 'POST',
  path: '/workspaces/imports',
  summary: 'Create an upload address for a workspace archive',
  description:
    'For a file from `GET /account/export` of this or another instance, up to 2 GB and uncompressed. Send only its bytes to `url` with `method` and `headers` and no other credential, then start the import. A new upload replaces a waiting one. 409 while one of your imports is running, or if you own 20 workspaces (`workspaces_full`).',
  body: z.object({
    filename: text(1, 255),
    size_bytes: z
      .int()
      .min(1)
      .max(
        ARCHIVE_BYTES,
        'Archives can be up to 2 GB. An operator can import a larger one from the command line.',
      )
      .describe('The file’s size, which is the most its address accepts.'),
  }),
  response: z.object({
    import_id: id(),
    method: z.literal('PUT'),
    url: z.string().describe('A credential for this one file. Anyone who has it can upload the file.'),
    headers: z.record(z.string(), z.string()),
    put_until: dateTime(),
  }),
  status: 201,
  scope: 'admin',
  refusals: [409, 503],
})

export const StartWorkspaceImport = contract({
  ...ofImports,
  id: 'startWorkspaceImport',
  method: 'POST',
  path: '/workspaces/imports/{import_id}/start',
  summary: 'Import a workspace',
  description:
    'Imports an uploaded file. Creates a new workspace you own in the background, all or nothing. Ids are kept, so the import fails if the workspace already exists on this instance. Senders arrive disconnected and running campaigns paused, because secrets are never exported. 409 `upload_missing` before the file has arrived, 409 `invalid_state` if it is not an archive. Starting it twice imports it once.',
  params: ofImport,
  response: WorkspaceImport,
  status: 202,
  scope: 'admin',
  refusals: [404, 409, 503],
})

export const ReadWorkspaceImport = contract({
  ...ofImports,
  id: 'readWorkspaceImport',
  method: 'GET',
  path: '/workspaces/imports/{import_id}',
  summary: 'Read a workspace import',
  description:
    'Progress and result of an import you requested, in any workspace. Imports that were never started are removed after a few hours.',
  params: ofImport,
  response: WorkspaceImport,
  status: 200,
  scope: 'read',
  refusals: [404],
})
