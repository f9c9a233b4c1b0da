import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { editedVersion, id, version } from '#lib/contracts/fields'
import { AFTER_REPLY } from '#lib/domain/workspaces/contact-policy'

export const ContactPolicy = z
  .object({
    user_id: id(),
    workspace_id: id(),
    after_reply: z
      .enum(AFTER_REPLY)
      .describe(
        'What a reply ends. `everywhere`: every campaign with the person, by address, including ones launched later. `campaign`: only the one they replied to.',
      ),
    one_campaign_at_a_time: z
      .boolean()
      .describe(
        'A person gets nothing from a campaign while another that has contacted them has steps left, even if it is paused. Their lead waits (`person_busy`).',
      ),
    company_max_active: z
      .int()
      .min(1)
      .max(100_000)
      .nullable()
      .describe(
        'People per company that campaigns can contact at once. Others wait (`company_busy`). Null: no limit.',
      ),
    rest_days: z
      .int()
      .min(0)
      .max(365)
      .describe(
        'Days of 24 hours between the last step of one campaign and the first of another (`resting`).',
      ),
    colleague_reply_days: z
      .int()
      .min(0)
      .max(365)
      .describe(
        'Days of 24 hours during which no campaign contacts anybody else at a company after somebody there replied. They wait (`colleague_replied`), even between steps. 0: nobody waits.',
      ),
    version: version().describe('Increases with each edit of the workspace’s settings.'),
  })
  .meta({ id: 'ContactPolicy' })
export type ContactPolicy = z.output<typeof ContactPolicy>

const common = {
  path: '/contact-policy',
  tag: 'Workspaces',
  errors: 'flat',
  response: ContactPolicy,
  status: 200,
} as const

export const ReadContactPolicy = contract({
  id: 'readContactPolicy',
  method: 'GET',
  ...common,
  summary: 'Read the contact policy',
  description: 'How all campaigns in the workspace together may contact a person.',
  scope: 'read',
})

export const UpdateContactPolicy = contract({
  id: 'updateContactPolicy',
  method: 'PATCH',
  ...common,
  summary: 'Change the contact policy',
  description:
    'Applies from the next send. People already started continue. Waiting leads are checked again within six hours. Leads ended by the policy stay ended: switching to `campaign` brings nobody back.',
  body: ContactPolicy.omit({ user_id: true, workspace_id: true })
    .extend({ version: editedVersion() })
    .partial(),
  scope: 'write',
  refusals: [409],
})
