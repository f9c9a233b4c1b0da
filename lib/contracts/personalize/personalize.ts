import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, emptyOrText, id, listEnvelope, paging, pathId, sortBy } from '#lib/contracts/fields'
import { words } from '#lib/contracts/personalize/generations'
import { RUN_STATUSES } from '#lib/domain/personalize/run-moves'

export const PersonalizationRun = z
  .object({
    run_id: z.string(),
    dataset_id: z.string(),
    dataset_name: z.string(),
    campaign_id: z.string().nullable(),
    step: z.int().nullable(),
    template_id: z.string().nullable(),
    sender_profile_id: z.string().nullable(),
    prompt: z.string(),
    model: z.string(),
    status: z.enum(RUN_STATUSES),
    error: z.string().nullable(),
    total: z.int(),
    generated_count: z.int(),
    failed_count: z.int(),
    rejected_count: z.int(),
    flagged_count: z.int(),
    approved_count: z.int(),
    tokens_in: z.int(),
    tokens_out: z.int(),
    cost: z.number().nullable().describe('US dollars, from AI_PRICES. Null if the model has no price there.'),
    unknown_calls: z.int().describe('Calls without a response. They count as paid and are retried once.'),
    reviewed_at: dateTime().nullable(),
    created_at: dateTime(),
    completed_at: dateTime().nullable(),
  })
  .meta({ id: 'PersonalizationRun' })
export type PersonalizationRun = z.output<typeof PersonalizationRun>

const places = (max: number) =>
  z
    .array(z.int().min(0).max(10_000_000))
    .min(1)
    .max(max)
    .transform((list) => [...new Set(list)].sort((a, b) => a - b))

const texts = {
  template_id: id().nullable().default(null).describe('The message is based on its text.'),
  prompt: emptyOrText(20_000).nullable().default(null).describe('Default: the campaign’s `system_prompt`.'),
  sender_profile_id: id().nullable().default(null),
  campaign_id: id().nullable().default(null),
  step: z.int().min(1).max(20).nullable().default(null).describe('Default: the campaign’s first AI step.'),
}
const what = { dataset_id: id(), ...texts }
const common = { tag: 'Personalization', errors: 'flat' } as const
const lead_indexes = places(10_000).nullable().default(null).describe('Default: all leads.')
/** The options of a run, if the dataset is already known. */
export const RunOptions = z.object({ ...texts, lead_indexes })
const runParams = z.object({ run_id: pathId() })

export const Personalize = contract({
  id: 'personalize',
  method: 'POST',
  path: '/personalize',
  ...common,
  summary: 'Start a personalization run',
  description:
    'Queues a run over a dataset. The texts are based on each lead’s own cells, the template, the sender profile and the prompt; claims without such a source are flagged. Nothing is sent before it is approved. 404 `dataset_not_found`, `template_not_found`, `sender_profile_not_found`, `campaign_not_found`; 409 `dataset_empty`, `dataset_busy` while its rows are being imported, `ai_budget_spent`; 422 `template_invalid`.',
  body: z.object({ ...what, lead_indexes }),
  response: z.object({ run_id: z.string(), status: z.enum(RUN_STATUSES), total: z.int() }),
  status: 202,
  scope: 'write',
  changes: ['campaign_id'],
  refusals: [404, 409],
  rate: 'ai',
})

export const PreviewPersonalization = contract({
  id: 'previewPersonalization',
  method: 'POST',
  path: '/personalize/preview',
  ...common,
  summary: 'Preview a personalization',
  description:
    'Writes texts for at most 5 leads immediately. Nothing is stored. 503 `provider_unavailable` if no text was written.',
  body: z.object({
    ...what,
    lead_indexes: places(5).nullable().default(null).describe('Default: the first three.'),
  }),
  response: z.object({
    generations: z.array(z.object({ generation_id: z.null(), ...words })),
    model: z.string(),
  }),
  status: 200,
  scope: 'write',
  refusals: [404, 409, 503],
  rate: 'ai',
})

/** A leading minus sorts descending. */
export const RUN_SORTS = [
  'dataset_name',
  '-dataset_name',
  'generated_count',
  '-generated_count',
  'flagged_count',
  '-flagged_count',
  'approved_count',
  '-approved_count',
  'created_at',
  '-created_at',
] as const

export const ListPersonalizationRuns = contract({
  id: 'listPersonalizationRuns',
  method: 'GET',
  path: '/personalize/runs',
  ...common,
  summary: 'List personalization runs',
  description: 'Newest first, unless `sort` sets another order.',
  query: z.object({ campaign_id: id().optional(), sort: sortBy(RUN_SORTS), ...paging }),
  response: listEnvelope(PersonalizationRun),
  status: 200,
  scope: 'read',
})

export const ReadPersonalizationRun = contract({
  id: 'readPersonalizationRun',
  method: 'GET',
  path: '/personalize/runs/{run_id}',
  ...common,
  summary: 'Read a personalization run',
  params: runParams,
  response: PersonalizationRun,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const CancelPersonalizationRun = contract({
  id: 'cancelPersonalizationRun',
  method: 'POST',
  path: '/personalize/runs/{run_id}/cancel',
  ...common,
  summary: 'Cancel a personalization run',
  description: 'Finished texts stay, and you can review them. 409 `invalid_state` if the run has ended.',
  params: runParams,
  response: PersonalizationRun,
  status: 200,
  scope: 'write',
  refusals: [404, 409],
})

export const ApprovePersonalizationRun = contract({
  id: 'approvePersonalizationRun',
  method: 'POST',
  path: '/personalize/runs/{run_id}/approve',
  ...common,
  summary: 'Approve a run',
  description:
    'Approves every finished text that is neither rejected nor flagged, and marks the run as reviewed; with `include_flagged`, also the flagged ones. Each approval covers the text together with the lead’s data. Once every AI step of its campaign has a reviewed run, the campaign counts as reviewed. A failed or cancelled run is reviewed as far as it got. 409 `run_not_reviewable` while it is queued or running.',
  params: runParams,
  body: z.object({ include_flagged: z.boolean().default(false) }).prefault({}),
  response: PersonalizationRun,
  status: 200,
  scope: 'send',
  refusals: [404, 409],
})

export const RejectPersonalizationRun = contract({
  id: 'rejectPersonalizationRun',
  method: 'POST',
  path: '/personalize/runs/{run_id}/reject',
  ...common,
  summary: 'Reject a run',
  description: 'Rejects every text of the run, including approved ones. None of them will be sent.',
  params: runParams,
  response: PersonalizationRun,
  status: 200,
  scope: 'write',
  refusals: [404, 409],
})
