import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, text } from '#lib/contracts/fields'
import { inWorkspace } from '#lib/contracts/workspaces/workspaces'

const common = { tag: 'Account', errors: 'flat', status: 200, scope: 'admin', jwt_only: true } as const

const Counts = z.object({
  campaigns: z.int(),
  running_campaigns: z
    .int()
    .describe('They are stopped first. Emails that a mail server has accepted cannot be recalled.'),
  leads: z.int(),
  datasets: z.int(),
  templates: z.int(),
  mailboxes: z.int(),
  threads: z.int(),
})

export const PrepareErasure = contract({
  id: 'prepareErasure',
  method: 'POST',
  path: '/account/erasure',
  ...common,
  summary: 'Request account erasure',
  description: 'Erases nothing. Returns what would be lost, and the token that `/account/erase` needs.',
  response: z
    .object({
      token: z.string(),
      expires_at: dateTime().describe('After 15 minutes.'),
      email: z.string().describe('Must be typed exactly.'),
      will_erase: Counts,
    })
    .meta({ id: 'ErasureRequest' }),
})

export const EraseAccount = contract({
  id: 'eraseAccount',
  method: 'POST',
  path: '/account/erase',
  ...common,
  summary: 'Erase the account',
  description:
    'Irreversible and complete: running campaigns stop, then every row of the account is deleted, in every table. Confirm with the password, or with the account’s address and the token of `/account/erasure`. 409 `erasure_unconfirmed` and `subscription_runs` (cancel it first): nothing was erased. Needs a JWT, which stops working afterwards. Unsubscribe links in emails that were already sent keep working.',
  body: z.union([
    z.object({ password: text(1, 1_000) }),
    z.object({ email: text(1, 320), token: text(1, 200) }),
  ]),
  response: z.object({ erased_at: dateTime(), rows: z.int() }).meta({ id: 'Erasure' }),
  refusals: [409],
  destructive: true,
})

const ofWorkspace = { ...common, tag: 'Workspaces', role: 'owner', params: inWorkspace } as const

export const PrepareWorkspaceErasure = contract({
  ...ofWorkspace,
  id: 'prepareWorkspaceErasure',
  method: 'POST',
  path: '/workspaces/{workspace_id}/erasure',
  summary: 'Request erasure of the workspace',
  description:
    'Erases nothing. Returns what would be lost, and the token that `/workspaces/{workspace_id}/erase` needs.',
  response: z
    .object({
      token: z.string(),
      expires_at: dateTime().describe('After 15 minutes.'),
      name: z.string().describe('Must be typed exactly.'),
      members: z.int().describe('People who lose access, including you. Their accounts stay.'),
      will_erase: Counts,
    })
    .meta({ id: 'WorkspaceErasureRequest' }),
  refusals: [404],
})

export const EraseWorkspace = contract({
  ...ofWorkspace,
  id: 'eraseWorkspace',
  method: 'POST',
  path: '/workspaces/{workspace_id}/erase',
  summary: 'Erase the workspace',
  description:
    'Irreversible and complete: running campaigns stop, then every row of the workspace is deleted, in every table, with its API keys. The accounts of its members stay, and their other workspaces; anyone without another gets an empty one. Child workspaces continue on their own and keep its suppressions. Confirm with its name and the token of `/workspaces/{workspace_id}/erasure`. 409 `erasure_unconfirmed` and `subscription_runs` (cancel it first): nothing was erased. Unsubscribe links in emails that were already sent keep working.',
  body: z.object({ name: text(1, 100), token: text(1, 200) }),
  response: z.object({ erased_at: dateTime(), rows: z.int() }).meta({ id: 'WorkspaceErasure' }),
  refusals: [404, 409],
  destructive: true,
})
