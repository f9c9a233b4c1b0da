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
  .describe('Replaces filled cells too, except those an active campaign uses.')

const some = <const T extends readonly [string, ...string[]]>(values: T) =>
  z
    .array(z.enum(values))
    .min(1)
    .max(values.length)
    .default([...values])

export const EnrichmentOptions = z
  .object({
    rules: some(ENRICHMENT_RULES).describe('What to derive from the row. Default: everything.'),
    overwrite,
    providers: z
      .array(text(1, 40))
      .max(10)
      .default([])
      .describe(
        'External providers, tried in this order for cells that are still empty. The first result is used.',
      ),
    max_cost: z
      .number()
      .min(0)
      .max(1_000_000)
      .default(0)
      .describe('Maximum total cost of this session’s lookups.'),
  })
  .meta({ id: 'EnrichmentOptions' })

export const ExtractionOptions = z
  .object({
    kinds: some(EXTRACTION_KINDS).describe('What to look for. Default: everything.'),
    columns: z
      .array(text(1, 200))
      .min(1)
      .max(200)
      .nullable()
      .default(null)
      .describe('The columns to read. Null: every non-standard column, such as notes.'),
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
    failed_count: z.int().describe('Rows with an error; for an import, refused rows.'),
    progress_percentage: z.number(),
    cost: z.number().describe('Provider costs, including interrupted lookups.'),
    fields: z
      .array(
        z.object({
          field: z.string(),
          filled: z.int().describe('Cells that were filled or replaced.'),
          skipped: z.array(z.object({ reason: z.string(), count: z.int() })),
        }),
      )
      .describe('Results by column.'),
    error: z.string().nullable(),
    session_created_at: dateTime(),
    session_updated_at: dateTime(),
    completed_at: dateTime().nullable(),
    undone_at: dateTime().nullable(),
  })
  .meta({ id: 'DatasetSession' })
export type DatasetSession = z.output<typeof DatasetSession>

export const UndoneColumn = z
  .object({
    key: z.string(),
    name: z.string(),
    kept_reason: z
      .enum(['filled', 'used_by_step', 'used_by_form'])
      .nullable()
      .describe(
        'Why the column stays: a row has a value in it, or a campaign step or a form of this dataset names it. Null: it was removed.',
      ),
  })
  .meta({ id: 'UndoneColumn' })
export type UndoneColumn = z.output<typeof UndoneColumn>

export const DatasetCellChange = z
  .object({
    change_id: z.string(),
    session_id: z.string(),
    lead_index: z.int(),
    field: z.string(),
    old_value: z.string().nullable().describe('Null if the cell was empty.'),
    new_value: z.string(),
    rule: z.string(),
    source: z.string().describe('The field it was read from, or the provider.'),
    certainty: z.enum(['certain', 'likely']),
    created_at: dateTime(),
    undone_at: dateTime().nullable(),
    kept_reason: z
      .string()
      .nullable()
      .describe(
        'Why an undo left the cell: `changed_since`, `row_removed`, `address_taken` (by another row) or `in_campaign`.',
      ),
  })
  .meta({ id: 'DatasetCellChange' })
export type DatasetCellChange = z.output<typeof DatasetCellChange>

export const ProcessDataset = contract({
  ...common,
  id: 'processDataset',
  method: 'POST',
  path: '/datasets/{dataset_id}/process',
  summary: 'Start a session: enrichment, extraction or personalization',
  description:
    'Queues one session over all rows. `enrichment` derives names, companies, titles, domains, time zones and address quality from the row. `extraction` finds addresses, phone numbers, links and names in free text. The source of every filled cell is recorded, and a session can be undone. 409 `dataset_busy` while another such session runs. `personalization` starts the same run as `POST /personalize`, with the same id. It changes no cells and can run alongside others.',
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
  description: 'All sessions over its rows, including the import, newest first.',
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
    'Finished rows stay changed; use undo to restore them. Finished personalization texts stay for review. 409 `invalid_state` if it has ended or is an import.',
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
    'Restores every cell that the session filled or replaced. An import and a personalization cannot be undone (409). Cells changed since, and cells an active campaign still uses, are kept and listed in the changes with a `kept_reason`. A second undo retries those. Columns that the session added are removed, unless they are still in use.',
  params: sessionParams,
  response: z.object({
    session: DatasetSession,
    restored: z.int(),
    kept: z.int(),
    columns: z.array(UndoneColumn).describe('The columns that the session had added.'),
  }),
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
  summary: 'List changed cells',
  description: 'Filter by session, row or field. In the order of the rows; newest first within a cell.',
  params,
  query: z.object({
    session_id: id().optional(),
    lead_index: wholeNumber(0, 2_147_483_647).optional(),
    field: text(1, 200).optional(),
    kept: z.enum(['true', 'false']).optional().describe('true: only cells an undo kept.'),
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
    price: z.number().describe('Maximum cost of one lookup.'),
  })
  .meta({ id: 'EnrichmentProvider' })
export type EnrichmentProviderView = z.output<typeof EnrichmentProviderView>

export const ListEnrichmentProviders = contract({
  ...common,
  id: 'listEnrichmentProviders',
  method: 'GET',
  path: '/datasets/{dataset_id}/enrichment-providers',
  summary: 'List enrichment providers',
  description: 'Providers that a session of the dataset can use. Sandbox providers are marked.',
  params,
  query: z.object(paging),
  response: listEnvelope(EnrichmentProviderView),
  status: 200,
  scope: 'read',
  refusals: [404],
})
