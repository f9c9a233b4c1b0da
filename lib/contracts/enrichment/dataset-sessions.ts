import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { DATASET_STATUSES, PIPELINE_TYPES, SESSION_WORKS } from '#lib/contracts/datasets/datasets'
import { dateTime, id, listEnvelope, paging, pathId, text, wholeNumber } from '#lib/contracts/fields'
import { RunOptions } from '#lib/contracts/personalize/personalize'
import { EXTRACTION_KINDS } from '#lib/domain/enrichment/kinds'
import { ENRICHMENT_RULES } from '#lib/domain/enrichment/rule-names'

const params = z.object({ dataset_id: pathId() })
const sessionParams = params.extend({ session_id: pathId() })
const common = { tag: 'Datasets', errors: 'flat' } as const

const overwrite = z
  .boolean()
  .default(false)
  .describe('Replaces filled cells too. Never those that a campaign under way writes its messages with.')

const some = <const T extends readonly [string, ...string[]]>(values: T) =>
  z
    .array(z.enum(values))
    .min(1)
    .max(values.length)
    .default([...values])

export const EnrichmentOptions = z
  .object({
    rules: some(ENRICHMENT_RULES).describe('What to read from the row itself; all unless named.'),
    overwrite,
    providers: z
      .array(text(1, 40))
      .max(10)
      .default([])
      .describe(
        'Outside providers, asked in this order for what is still empty; the first that knows something counts.',
      ),
    max_cost: z
      .number()
      .min(0)
      .max(1_000_000)
      .default(0)
      .describe('The most that all look-ups of this session may cost together.'),
  })
  .meta({ id: 'EnrichmentOptions' })

export const ExtractionOptions = z
  .object({
    kinds: some(EXTRACTION_KINDS).describe('What to look for; everything unless named.'),
    columns: z
      .array(text(1, 200))
      .min(1)
      .max(200)
      .nullable()
      .default(null)
      .describe('The columns to read. Null: every one that is no field of its own, such as notes.'),
    overwrite,
  })
  .meta({ id: 'ExtractionOptions' })

export const DatasetSession = z
  .object({
    session_id: z.string(),
    dataset_id: z.string(),
    work: z.enum(SESSION_WORKS),
    pipeline_type: z.enum(PIPELINE_TYPES).nullable(),
    status: z.enum(DATASET_STATUSES),
    options: z.record(z.string(), z.json()),
    leads_count: z.int(),
    processed_count: z.int(),
    failed_count: z.int().describe('Rows that something went wrong with; of an import, rows refused.'),
    progress_percentage: z.number(),
    cost: z.number().describe('What providers were paid, or may have been where one broke off.'),
    fields: z
      .array(
        z.object({
          field: z.string(),
          filled: z.int().describe('Cells that were filled or replaced.'),
          skipped: z.array(z.object({ reason: z.string(), count: z.int() })),
        }),
      )
      .describe('What happened by column.'),
    error: z.string().nullable(),
    session_created_at: dateTime(),
    session_updated_at: dateTime(),
    completed_at: dateTime().nullable(),
    undone_at: dateTime().nullable(),
  })
  .meta({ id: 'DatasetSession' })
export type DatasetSession = z.output<typeof DatasetSession>

export const DatasetCellChange = z
  .object({
    change_id: z.string(),
    session_id: z.string(),
    lead_index: z.int(),
    field: z.string(),
    old_value: z.string().nullable().describe('Null: the cell was empty.'),
    new_value: z.string(),
    rule: z.string(),
    source: z.string().describe('The field that it was read from, or the provider.'),
    certainty: z.enum(['certain', 'likely']),
    created_at: dateTime(),
    undone_at: dateTime().nullable(),
    kept_reason: z
      .string()
      .nullable()
      .describe('Why an undo left the cell: `changed_since` or `in_campaign`.'),
  })
  .meta({ id: 'DatasetCellChange' })
export type DatasetCellChange = z.output<typeof DatasetCellChange>

export const ProcessDataset = contract({
  ...common,
  id: 'processDataset',
  method: 'POST',
  path: '/datasets/{dataset_id}/process',
  summary: 'Enrich a dataset, extract from its texts, or write to its leads',
  description:
    'Queues one session over all rows. `enrichment` reads names, companies, titles, domains, time zones and the quality of addresses from what stands in the row; `extraction` reads addresses, telephone numbers, links and names from free text. Every cell that is filled keeps where it came from, and a session can be undone. 409 `dataset_busy` while another such session runs. `personalization` begins the same run as `POST /personalize`, whose id is the session’s; it changes no cell, and runs beside others.',
  params,
  body: z.discriminatedUnion('pipeline_type', [
    z.object({ pipeline_type: z.literal('enrichment'), options: EnrichmentOptions.prefault({}) }),
    z.object({ pipeline_type: z.literal('extraction'), options: ExtractionOptions.prefault({}) }),
    RunOptions.extend({ pipeline_type: z.literal('personalization') }).refine(
      ({ template_id, prompt, campaign_id }) => template_id ?? prompt ?? campaign_id,
      { path: ['template_id'], message: 'is needed, or a prompt or a campaign that has one' },
    ),
  ]),
  response: DatasetSession,
  status: 202,
  scope: 'write',
  refusals: [404, 409],
  rate: 'ai',
})

export const ListDatasetSessions = contract({
  ...common,
  id: 'listDatasetSessions',
  method: 'GET',
  path: '/datasets/{dataset_id}/sessions',
  summary: 'List the sessions of a dataset',
  description: 'Everything that was done over its rows, the import too, newest first.',
  params,
  query: z.object(paging),
  response: listEnvelope(DatasetSession),
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const ReadDatasetSession = contract({
  ...common,
  id: 'readDatasetSession',
  method: 'GET',
  path: '/datasets/{dataset_id}/sessions/{session_id}',
  summary: 'Read a session of a dataset',
  params: sessionParams,
  response: DatasetSession,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const CancelDatasetSession = contract({
  ...common,
  id: 'cancelDatasetSession',
  method: 'POST',
  path: '/datasets/{dataset_id}/sessions/{session_id}/cancel',
  summary: 'Cancel a session of a dataset',
  description:
    'Rows that are done stay done; undo takes them back. Of a personalization, what is written stays for review. 409 `invalid_state` once it is over, or for an import.',
  params: sessionParams,
  response: DatasetSession,
  status: 200,
  scope: 'write',
  refusals: [404, 409],
})

export const UndoDatasetSession = contract({
  ...common,
  id: 'undoDatasetSession',
  method: 'POST',
  path: '/datasets/{dataset_id}/sessions/{session_id}/undo',
  summary: 'Undo a session of a dataset',
  description:
    'Puts back what stood in every cell that the session filled or replaced; an import and a personalization have nothing to put back (409). Cells that were changed since, and cells of leads that a campaign under way still writes to, are kept and listed by the changes with their `kept_reason`. Undoing once more tries those again.',
  params: sessionParams,
  response: z.object({ session: DatasetSession, restored: z.int(), kept: z.int() }),
  status: 200,
  scope: 'write',
  refusals: [404, 409],
  destructive: true,
})

export const ListDatasetChanges = contract({
  ...common,
  id: 'listDatasetChanges',
  method: 'GET',
  path: '/datasets/{dataset_id}/changes',
  summary: 'List where cells came from',
  description: 'By session, row or field, in the order of the rows; the newest first within a cell.',
  params,
  query: z.object({
    session_id: id().optional(),
    lead_index: wholeNumber(0, 2_147_483_647).optional(),
    field: text(1, 200).optional(),
    kept: z.enum(['true', 'false']).optional().describe('true: only what an undo left as it is.'),
    ...paging,
  }),
  response: listEnvelope(DatasetCellChange),
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const EnrichmentProviderView = z
  .object({
    name: z.string(),
    description: z.string(),
    is_sandbox: z.boolean(),
    fields: z.array(z.string()),
    price: z.number().describe('The most that one look-up costs.'),
  })
  .meta({ id: 'EnrichmentProvider' })
export type EnrichmentProviderView = z.output<typeof EnrichmentProviderView>

export const ListEnrichmentProviders = contract({
  ...common,
  id: 'listEnrichmentProviders',
  method: 'GET',
  path: '/datasets/{dataset_id}/enrichment-providers',
  summary: 'List the providers of enrichment',
  description: 'Those that a session of the dataset may ask; a sandbox says that it is one.',
  params,
  query: z.object(paging),
  response: listEnvelope(EnrichmentProviderView),
  status: 200,
  scope: 'read',
  refusals: [404],
})
