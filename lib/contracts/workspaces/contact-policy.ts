import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { editedVersion, id, version } from '#lib/contracts/fields'
import { AFTER_LATER, AFTER_REPLY } from '#lib/domain/workspaces/contact-policy'

export const ContactPolicy = z
  .object({
    user_id: id(),
    workspace_id: id(),
    after_reply: z
      .enum(AFTER_REPLY)
      .describe(
        'What a reply ends. `everywhere`: every campaign that has the person, known by their address, also one that is launched later. `campaign`: only the one that they replied in.',
      ),
    after_later: z
      .enum(AFTER_LATER)
      .describe(
        'What a reply does that asks to be written to from a day on. `hold`: no campaign writes to the person before, and then the next step follows. `end`: they end as by any other reply.',
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
    'Counts from the next claim on. Leads that were ended by the policy stay ended: `campaign` brings nobody back.',
  body: ContactPolicy.omit({ user_id: true, workspace_id: true })
    .extend({ version: editedVersion() })
    .partial(),
  scope: 'write',
  refusals: [409],
})
