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
] as const
export type SampleKind = (typeof SAMPLE_KINDS)[number]

const SampleItem = z
  .object({ kind: z.enum([...SAMPLE_KINDS, 'mailbox']), item_id: id() })
  .meta({ id: 'SampleItem' })
export type SampleItem = z.output<typeof SampleItem>

const common = { tag: 'Sandbox', method: 'POST', errors: 'flat', scope: 'write' } as const

export const AddSamples = contract({
  ...common,
  id: 'addSamples',
  path: '/samples',
  summary: 'Add sample data',
  description:
    'One sample of a kind, with what it rests on: what of that is there already is used again. A sample campaign comes as a draft, and its mail stays in the sandbox where the instance has one.',
  body: z.object({ kind: z.enum(SAMPLE_KINDS) }),
  response: z.object({ items: z.array(SampleItem).describe('What was made.') }),
  status: 201,
})

export const RemoveSamples = contract({
  ...common,
  id: 'removeSamples',
  path: '/samples/remove',
  summary: 'Remove the sample data',
  description:
    'Whatever was added as a sample, running campaigns with what they sent and what was answered to it. What was built upon meanwhile stays, and is no sample any more.',
  response: z.object({
    removed: z.array(SampleItem),
    kept: z.array(z.string()).describe('Why the rest stays, each reason once.'),
  }),
  status: 200,
  destructive: true,
})
