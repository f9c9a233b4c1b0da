import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  editedVersion,
  exportQuery,
  fileAnswer,
  listEnvelope,
  optionalText,
  paging,
  pathId,
  sortBy,
  text,
  version,
} from '#lib/contracts/fields'
import { ALSO_IN } from '#lib/domain/datasets/also-in'
import { bothWays } from '#lib/domain/text/row-order'

export const PIPELINE_TYPES = ['enrichment', 'personalization', 'extraction'] as const
export const DATASET_STATUSES = ['queued', 'processing', 'completed', 'failed', 'cancelled'] as const

export const SESSION_WORKS = [
  'import',
  'enrichment',
  'extraction',
  'email_finder',
  'verification',
  'personalization',
] as const

const pipelineType = z.enum(PIPELINE_TYPES)

export const Dataset = z
  .object({
    dataset_id: z.string(),
    dataset_name: z.string(),
    source_type: z
      .string()
      .describe('xlsx, xlsm, xlsb, xls, ods, csv or tsv; `people` if created from people.'),
    row_count: z.int().describe('Rows kept.'),
    reject_count: z.int().describe('Refused rows, listed by `/datasets/{dataset_id}/rejects`.'),
    version: version(),
    created_at: dateTime(),
    updated_at: dateTime(),
    session_id: z.string().nullable(),
    status: z.enum(DATASET_STATUSES).nullable(),
    pipeline_type: pipelineType.nullable(),
    work: z
      .enum(SESSION_WORKS)
      .nullable()
      .describe('What the latest session does. Imports can set a pipeline to run afterwards.'),
    leads_count: z.int().nullable(),
    processed_count: z.int().nullable(),
    failed_count: z.int().nullable(),
    progress_percentage: z.number().nullable(),
    filename: z.string().nullable(),
    error: z.string().nullable().describe('Why the latest session failed.'),
    session_created_at: dateTime().nullable(),
    session_updated_at: dateTime().nullable(),
    completed_at: dateTime().nullable(),
  })
  .meta({ id: 'Dataset' })
export type Dataset = z.output<typeof Dataset>

export const DatasetColumn = z
  .object({
    name: z.string().describe('As shown in the header row.'),
    key: z.string().describe('The key used in rows: a lead field, or the slug of the name.'),
  })
  .meta({ id: 'DatasetColumn' })

export const DatasetRow = z
  .object({
    lead_index: z.int().describe('The row’s index. The index of a removed row stays empty.'),
    email: z.string().nullable(),
    data: z.record(z.string(), z.json()).describe('Text by field or slug, as shown in the cells.'),
    version: version(),
  })
  .meta({ id: 'DatasetRow' })

export const DatasetReject = z
  .object({
    row_number: z.int().describe('1-based, as in the spreadsheet program.'),
    cell: z.string().nullable().describe('For example B17.'),
    column_name: z.string().nullable(),
    code: z.string(),
    reason: z.string(),
    value: z.string().nullable(),
  })
  .meta({ id: 'DatasetReject' })
export type DatasetReject = z.output<typeof DatasetReject>

export const KeptReject = DatasetReject.extend({
  data: z
    .record(z.string(), z.string())
    .nullable()
    .describe(
      'The row’s other cells by column key, including its address unless that is the problem. Null if the import kept none.',
    ),
}).meta({ id: 'KeptDatasetReject' })

const params = z.object({ dataset_id: pathId() })
const common = { tag: 'Datasets', errors: 'flat' } as const

/** A leading minus sorts descending. */
export const DATASET_SORTS = [
  'dataset_name',
  '-dataset_name',
  'row_count',
  '-row_count',
  'reject_count',
  '-reject_count',
  'created_at',
  '-created_at',
] as const

export const ListDatasets = contract({
  id: 'listDatasets',
  method: 'GET',
  path: '/datasets/list',
  ...common,
  summary: 'List datasets',
  description:
    'Newest first unless `sort` sets another order, each with its latest session. With `pipeline_type`, only datasets with such a session, with the latest of that type. A personalization run is a session under its `run_id`. `search` matches the name.',
  query: z.object({
    pipeline_type: z.preprocess((value) => (value === '' ? undefined : value), pipelineType.optional()),
    search: optionalText(),
    sort: sortBy(DATASET_SORTS),
    ...paging,
  }),
  response: z.object({ datasets: z.array(Dataset), total_count: z.int(), page: z.int(), page_size: z.int() }),
  status: 200,
  errors: 'legacy',
  scope: 'read',
})

export const RenameDataset = contract({
  id: 'renameDataset',
  method: 'PATCH',
  path: '/datasets/{dataset_id}',
  ...common,
  summary: 'Rename a dataset',
  params,
  body: z.object({ dataset_name: text(1, 255), version: editedVersion() }),
  response: z.object({
    dataset_id: z.string(),
    dataset_name: z.string(),
    version: version(),
    updated_at: dateTime(),
  }),
  status: 200,
  errors: 'legacy',
  scope: 'write',
  refusals: [404, 409],
})

export const ReadDataset = contract({
  id: 'readDataset',
  method: 'GET',
  path: '/datasets/{dataset_id}',
  ...common,
  summary: 'Read a dataset',
  params,
  response: Dataset.extend({ columns: z.array(DatasetColumn) }).meta({ id: 'DatasetDetail' }),
  status: 200,
  scope: 'read',
  refusals: [404],
})

/** Rows of a dataset up to which a search looks at every cell; that many are searched in a quarter of a second. */
export const MAX_ROWS_SEARCHED_WHOLE = 50_000

export const ListDatasetRows = contract({
  id: 'listDatasetRows',
  method: 'GET',
  path: '/datasets/{dataset_id}/rows',
  ...common,
  summary: 'List the rows of a dataset',
  description:
    'In file order unless `sort` sets another. `search` matches any cell, ignoring case; in datasets over 50,000 rows only addresses, names and companies. `also_in` keeps only duplicates: rows whose address is in an earlier row, in another dataset, or is a campaign lead. `total` counts the matches.',
  params,
  query: z.object({
    search: optionalText(),
    also_in: z.preprocess((value) => (value === '' ? undefined : value), z.enum(ALSO_IN).optional()),
    sort: optionalText(255).describe(
      'A column key, with a leading minus for descending order. Numbers sort by value, before text. Rows without the cell come last.',
    ),
    ...paging,
  }),
  response: listEnvelope(DatasetRow),
  status: 200,
  scope: 'read',
  refusals: [404],
})

/** By row number in the file, column of the invalid cell, its content, and the reason of the refusal. */
export const REJECT_SORTS = bothWays(['row_number', 'column_name', 'value', 'code'])

export const ListDatasetRejects = contract({
  id: 'listDatasetRejects',
  method: 'GET',
  path: '/datasets/{dataset_id}/rejects',
  ...common,
  summary: 'List the rows that an import refused',
  description:
    'In file order unless `sort` sets another, each with its reason and, if there is one, the invalid cell. Rows without such a cell come last.',
  params,
  query: z.object({ sort: sortBy(REJECT_SORTS), ...paging }),
  response: listEnvelope(KeptReject),
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const ExportDataset = contract({
  id: 'exportDataset',
  method: 'GET',
  path: '/datasets/{dataset_id}/export',
  ...common,
  summary: 'Export the rows of a dataset',
  description:
    'The imported rows in file order, with the original header names. CSV is UTF-8 with a byte order mark. Cells that look like formulas start with an apostrophe, which an import removes. XLSX stores every value as text.',
  params,
  query: exportQuery().extend({
    sources: z
      .stringbool()
      .default(false)
      .describe(
        'Adds a column `… (source)` after each column that a session changed: the kind of session, the rule or provider, the source field, the certainty, the session and the day. Empty for cells unchanged since the import or changed since the session.',
      ),
  }),
  response: fileAnswer(),
  file: true,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const DeleteDataset = contract({
  id: 'deleteDataset',
  method: 'DELETE',
  path: '/datasets/{dataset_id}',
  ...common,
  summary: 'Delete a dataset',
  description: '409 `dataset_in_use` while a campaign uses it.',
  params,
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404, 409],
  destructive: true,
})
