import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { editedVersion, id, version } from '#lib/contracts/fields'

export const AccountSettings = z
  .object({
    user_id: id(),
    workspace_id: id(),
    require_verified_domain: z
      .boolean()
      .describe('Refuses to launch campaigns that send from an unverified domain.'),
    ai_tokens_per_month: z
      .int()
      .min(0)
      .max(2_000_000_000)
      .nullable()
      .describe(
        'Tokens the language model may use per month in the workspace’s time zone, in and out. Null: as many as the instance allows.',
      ),
    ai_tokens_most: z
      .int()
      .nullable()
      .describe('The instance’s limit per workspace and month. Null: no limit.'),
    ai_tokens_used: z.int().describe('This month. The offline writer uses none.'),
    version: version().describe('Increases with each edit of the workspace’s settings.'),
  })
  .meta({ id: 'AccountSettings' })
export type AccountSettings = z.output<typeof AccountSettings>

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
  body: AccountSettings.pick({ require_verified_domain: true, ai_tokens_per_month: true })
    .extend({ version: editedVersion() })
    .partial(),
  response: AccountSettings,
  status: 200,
  scope: 'write',
  refusals: [409],
})
