import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { id } from '#lib/contracts/fields'

export const SAMPLE_KINDS = [
  'campaign',
  'leads',
  'template',
  'sender_profile',
  'post',
  'suppression',
  'history',
] as const
export type SampleKind = (typeof SAMPLE_KINDS)[number]

const SampleItem = z
  .object({ kind: z.enum([...SAMPLE_KINDS, 'mailbox']).exclude(['history']), item_id: id() })
  .meta({ id: 'SampleItem' })
export type SampleItem = z.output<typeof SampleItem>

const common = { tag: 'Sandbox', method: 'POST', errors: 'flat', scope: 'write' } as const

export const AddSamples = contract({
  ...common,
  id: 'addSamples',
  path: '/samples',
  summary: 'Add sample data',
  description:
    'Adds one sample of a kind with everything it needs. Existing samples are used again. A sample campaign is a draft, and its emails stay in the sandbox if the instance has one. `history` is a full workspace to explore: a finished and a running campaign with five weeks of made-up results, replies in the inbox, a draft with texts to review, and a failing mailbox. It needs the sandbox and can be added once: 409 `invalid_state` otherwise.',
  body: z.object({ kind: z.enum(SAMPLE_KINDS) }),
  response: z.object({ items: z.array(SampleItem).describe('What was made.') }),
  status: 201,
  refusals: [409],
})

export const RemoveSamples = contract({
  ...common,
  id: 'removeSamples',
  path: '/samples/remove',
  summary: 'Remove the sample data',
  description:
    'Removes everything that was added as a sample, including running campaigns with what they sent and the replies. Samples you have built on stay and no longer count as samples.',
  response: z.object({
    removed: z.array(SampleItem),
    kept: z.array(z.string()).describe('Why the rest stays, each reason once.'),
  }),
  status: 200,
  role: 'admin',
  destructive: true,
})
