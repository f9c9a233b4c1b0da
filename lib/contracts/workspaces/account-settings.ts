import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { editedVersion, id, version } from '#lib/contracts/fields'

export const AccountSettings = z
  .object({
    user_id: id(),
    workspace_id: id(),
    require_verified_domain: z
      .boolean()
      .describe('Refuses to launch campaigns that send from a domain that is not verified.'),
    version: version().describe('Counts the edits of the workspace’s settings.'),
  })
  .meta({ id: 'AccountSettings' })

const common = { path: '/account/settings', tag: 'Account', errors: 'flat' } as const

export const ReadAccountSettings = contract({
  id: 'readAccountSettings',
  method: 'GET',
  ...common,
  summary: 'Read the account’s settings',
  response: AccountSettings,
  status: 200,
  scope: 'read',
})

export const UpdateAccountSettings = contract({
  id: 'updateAccountSettings',
  role: 'admin',
  method: 'PATCH',
  ...common,
  summary: 'Change the account’s settings',
  body: AccountSettings.omit({ user_id: true, workspace_id: true })
    .extend({ version: editedVersion() })
    .partial(),
  response: AccountSettings,
  status: 200,
  scope: 'write',
  refusals: [409],
})
