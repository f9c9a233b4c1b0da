import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  editedVersion,
  emptyOrText,
  pathId,
  text,
  version,
  wholeNumber,
} from '#lib/contracts/fields'
import { FLAG_CODES } from '#lib/domain/personalize/flag'
import { GENERATION_STATUSES } from '#lib/domain/personalize/text-moves'

export const Claim = z.object({ text: z.string(), cell: z.string() })
export const Flag = z.object({ code: z.enum(FLAG_CODES), message: z.string() })

/** The fields of a text, whether it was stored or only tried. */
export const words = {
  lead_index: z.int(),
  lead_snapshot: z.record(z.string(), z.json()).describe('The row as it was when the text was written.'),
  status: z.enum(GENERATION_STATUSES),
  generated_at: dateTime().nullable(),
  subject: z.string().nullable(),
  body: z.string().nullable(),
  error: z.string().nullable(),
  claims: z.array(Claim).describe('Facts in the text, each with its source cell.'),
  flags: z.array(Flag).describe('Reasons for a closer review, found by fixed rules without a model.'),
  model: z.string().nullable().describe('The model that wrote it; null once a person edited it.'),
}

export const Generation = z
  .object({
    generation_id: z.string(),
    ...words,
    approved_at: dateTime().nullable().describe('Only an approved text is ever sent.'),
    changed_cells: z
      .array(z.string())
      .describe(
        'Cells used in an approved text that have changed since. The lead waits until the text is approved again.',
      ),
    edited_at: dateTime().nullable(),
    version: version(),
  })
  .meta({ id: 'Generation' })
export type Generation = z.output<typeof Generation>

const common = { tag: 'Personalization', errors: 'flat' } as const
const runParams = z.object({ run_id: pathId() })
const oneParams = z.object({ generation_id: pathId() })

export const ListGenerations = contract({
  id: 'listGenerations',
  method: 'GET',
  path: '/personalize/generations/runs/{run_id}/leads',
  ...common,
  summary: 'List the generations of a run',
  description: 'By `lead_index`. 404 `run_not_found`.',
  params: runParams,
  query: z.object({
    offset: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0),
    limit: wholeNumber(1, 500).default(100),
  }),
  response: z.object({
    generations: z.array(Generation),
    total_generations: z.int(),
    offset: z.int(),
    limit: z.int(),
    has_more: z.boolean(),
  }),
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const EditGeneration = contract({
  id: 'editGeneration',
  method: 'PATCH',
  path: '/personalize/generations/{generation_id}',
  ...common,
  summary: 'Edit a text',
  description: 'An edited text is no longer approved. Its flags are checked again.',
  params: oneParams,
  body: z.object({
    subject: emptyOrText(998).optional(),
    body: text(1, 20_000).optional(),
    version: editedVersion(),
  }),
  response: Generation,
  status: 200,
  scope: 'write',
  refusals: [404, 409],
})

export const RegenerateGeneration = contract({
  id: 'regenerateGeneration',
  method: 'POST',
  path: '/personalize/generations/{generation_id}/regenerate',
  ...common,
  summary: 'Regenerate a text',
  description:
    'Uses the lead’s current data. If no text is written (503 `provider_unavailable`), the old one stays.',
  params: oneParams,
  response: Generation,
  status: 200,
  scope: 'write',
  refusals: [404, 409, 503],
  rate: 'ai',
})

export const ApproveGeneration = contract({
  id: 'approveGeneration',
  method: 'POST',
  path: '/personalize/generations/{generation_id}/approve',
  ...common,
  summary: 'Approve a text',
  description:
    'Approves the text together with the lead’s data. If either changes, the text is held and not sent.',
  params: oneParams,
  response: Generation,
  status: 200,
  scope: 'send',
  refusals: [404, 409],
})

export const RejectGeneration = contract({
  id: 'rejectGeneration',
  method: 'POST',
  path: '/personalize/generations/{generation_id}/reject',
  ...common,
  summary: 'Reject a text',
  params: oneParams,
  response: Generation,
  status: 200,
  scope: 'write',
  refusals: [404, 409],
})
