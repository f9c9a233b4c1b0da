import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, editedVersion, fileAnswer, id, text, timezone, version } from '#lib/contracts/fields'
import { TIERS } from '#lib/contracts/workspaces/auth'

export const Account = z
  .object({
    user_id: id(),
    workspace_id: id(),
    email: z.string(),
    name: z.string(),
    timezone: z
      .string()
      .describe('IANA time zone of the workspace, for the days of mailbox and account limits.'),
    tier: z.enum(TIERS),
    has_password: z
      .boolean()
      .describe('False if the account signs in only with passkeys or an identity provider.'),
    version: version(),
    created_at: dateTime(),
  })
  .meta({ id: 'Account' })
export type Account = z.output<typeof Account>

const common = { tag: 'Account', errors: 'flat' } as const

export const ReadAccount = contract({
  id: 'readAccount',
  method: 'GET',
  path: '/account',
  ...common,
  summary: 'Read the account',
  response: Account,
  status: 200,
  scope: 'read',
})

export const UpdateAccount = contract({
  id: 'updateAccount',
  method: 'PATCH',
  path: '/account',
  ...common,
  summary: 'Change your name, and the time zone of the workspace',
  description:
    'Changing the time zone takes the role `admin`. `require_verified_domain` is at `/account/settings`. Campaigns have their own time zones.',
  body: z
    .object({ name: text(1, 200).trim().min(1), timezone: timezone(), version: editedVersion() })
    .partial(),
  response: Account,
  status: 200,
  scope: 'admin',
  refusals: [409],
})

export const ChangePassword = contract({
  id: 'changePassword',
  method: 'POST',
  path: '/account/password',
  ...common,
  summary: 'Change the password',
  description:
    'Needs the current password; at most five wrong ones a minute. Signs out every other browser. The session of the calling JWT, and API keys, keep working. An account without a password sets its first one without `current_password`, within 15 minutes of a proof.',
  body: z.object({ current_password: text(1, 1_000).optional(), new_password: text(10, 1_000) }),
  response: null,
  status: 204,
  scope: 'admin',
  jwt_only: true,
})

export const RemovePassword = contract({
  id: 'removePassword',
  method: 'DELETE',
  path: '/account/password',
  ...common,
  summary: 'Remove the password',
  description:
    'You can then sign in only with passkeys and identity providers. 403 `proof_outdated` if the last proof is older than 15 minutes; 409 `last_way_in` if there is no other way to sign in, or no password to remove.',
  response: null,
  status: 204,
  scope: 'admin',
  jwt_only: true,
  refusals: [409],
  destructive: true,
})

export const ExportAccount = contract({
  id: 'exportAccount',
  role: 'owner',
  method: 'GET',
  path: '/account/export',
  ...common,
  summary: 'Export the account',
  description:
    'One JSON line per row, `{"table", "row"}`, for every table with the account’s data, as of one moment. With an API key, only its workspace and nothing personal (sessions, passkeys, conversations). The first line says whose and when. The last is `{"end": true, "rows"}`; without it, the file is incomplete. Bytes are hexadecimal after `\\\\x`. Passwords, keys and other secrets are left out, and so is the file of an import in progress.',
  response: fileAnswer(),
  file: 'ndjson',
  status: 200,
  scope: 'admin',
})
