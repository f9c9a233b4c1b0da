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
        'What a reply ends. `everywhere`: every campaign that has the person, known by their address, also one that is launched later. `campaign`: only the one that they replied in.',
      ),
    one_campaign_at_a_time: z
      .boolean()
      .describe(
        'A person gets nothing from a campaign while another one that has written to them has steps left, also while that one is paused. Their lead waits (`person_busy`).',
      ),
    company_max_active: z
      .int()
      .min(1)
      .max(100_000)
      .nullable()
      .describe(
        'People of one company that campaigns may be writing to at once; others wait (`company_busy`). Null: any number.',
      ),
    rest_days: z
      .int()
      .min(0)
      .max(365)
      .describe(
        'Days between the last step of one campaign and the first of another (`resting`), 24 hours each.',
      ),
    colleague_reply_days: z
      .int()
      .min(0)
      .max(365)
      .describe(
        'Days of 24 hours for which no campaign writes to anybody else of a company after somebody there replied; they wait (`colleague_replied`), also between two steps. 0: nobody waits.',
      ),
    version: version().describe('Counts the edits of the workspace’s settings.'),
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
  description: 'What a person gets from all campaigns of the workspace together.',
  scope: 'read',
})

export const UpdateContactPolicy = contract({
  id: 'updateContactPolicy',
  method: 'PATCH',
  ...common,
  summary: 'Change the contact policy',
  description:
    'Counts from the next claim on. Whoever has begun goes on; leads that wait are asked again within six hours. Leads that were ended by the policy stay ended: `campaign` brings nobody back.',
  body: ContactPolicy.omit({ user_id: true, workspace_id: true })
    .extend({ version: editedVersion() })
    .partial(),
  scope: 'write',
  refusals: [409],
})
