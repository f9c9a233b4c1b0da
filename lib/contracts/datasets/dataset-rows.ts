import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { DatasetRow } from '#lib/contracts/datasets/datasets'
import { editedVersion, named, pathId, wholeNumber } from '#lib/contracts/fields'
import { MAX_ROWS_AT_ONCE, ROW_CODES } from '#lib/domain/datasets/given-rows'

/** The body limit of a request that adds rows: a thousand rows of four thousand characters each. */
export const MAX_ROWS_BYTES = 4 * 1024 * 1024

/** The most rows removed in one request. */
export const MAX_ROWS_REMOVED = 1_000

const MAX_LEAD_INDEX = 2_147_483_647

export const GivenCells = named(z.union([z.string(), z.number(), z.boolean(), z.null()])).describe(
  'Values by column key or name. A new name becomes a new column under its slug. Numbers and booleans are kept as text.',
)

export const givenRows = () => z.array(GivenCells).min(1).max(MAX_ROWS_AT_ONCE)

export const onConflict = () =>
  z
    .enum(['skip', 'update'])
    .default('skip')
    .describe(
      'What to do with a row the dataset already has: `skip` leaves it unchanged, `update` overwrites the given cells. A row that already has these values counts as updated and keeps its `version`. Rows are matched by normalized address, otherwise by `linkedin_url`. Rows with neither are always added.',
    )

export const addedRows = <Code extends readonly [string, ...string[]]>(codes: Code) =>
  z.object({
    added: z.int(),
    updated: z.int(),
    skipped: z
      .array(
        z.object({
          index: z.int().describe('The row’s position in the request, from 0.'),
          code: z.enum(codes),
          message: z.string(),
        }),
      )
      .describe('Rows that changed nothing. Of identical rows in one request, the first counts.'),
  })

const params = z.object({ dataset_id: pathId() })
const place = params.extend({ lead_index: wholeNumber(0, MAX_LEAD_INDEX).catch(MAX_LEAD_INDEX) })
const common = { tag: 'Datasets', errors: 'flat', scope: 'write' } as const

export const AddDatasetRows = contract({
  ...common,
  id: 'addDatasetRows',
  method: 'POST',
  path: '/datasets/{dataset_id}/rows',
  summary: 'Add rows to a dataset',
  description:
    'Adds up to 1,000 rows per request at the end. Repeating a request adds nothing twice, except rows with neither address nor profile. Campaigns already launched on this dataset do not pick up new rows. Use `POST /campaigns/{campaign_id}/leads` to add leads to a campaign. A dataset has at most 2,000 columns and 1,048,576 rows. 409 `dataset_busy` while an import or another session is running on the dataset.',
  params,
  body: z.object({ rows: givenRows(), on_conflict: onConflict() }),
  max_bytes: MAX_ROWS_BYTES,
  response: addedRows(ROW_CODES),
  status: 200,
  refusals: [404, 409],
  example: { body: { rows: [{ email: 'ada@example.com', first_name: 'Ada' }] } },
})

export const ImportDatasetRejects = contract({
  ...common,
  id: 'importDatasetRejects',
  method: 'POST',
  path: '/datasets/{dataset_id}/rejects/import',
  summary: 'Import corrected refused rows',
  description:
    'Imports up to 1,000 refused rows per request, each with the given cells replacing those the import kept. A row refused for its address needs a new one. Added rows leave the list of refused rows. Rows that are still wrong are in `skipped` and stay there. 404 if the dataset has no such refused row, 409 `dataset_busy` while a session is running on the dataset.',
  params,
  body: z.object({
    rows: z
      .array(z.object({ row_number: z.int().min(1), data: GivenCells }))
      .min(1)
      .max(MAX_ROWS_AT_ONCE)
      .refine((rows) => new Set(rows.map((row) => row.row_number)).size === rows.length, {
        error: 'names a row twice',
      }),
  }),
  max_bytes: MAX_ROWS_BYTES,
  response: addedRows(ROW_CODES),
  status: 200,
  refusals: [404, 409],
  example: { body: { rows: [{ row_number: 17, data: { email: 'ada@example.com' } }] } },
})

export const EditDatasetRow = contract({
  ...common,
  id: 'editDatasetRow',
  method: 'PATCH',
  path: '/datasets/{dataset_id}/rows/{lead_index}',
  summary: 'Edit a row of a dataset',
  description:
    'Changes the given cells and keeps the others. `null` or empty text clears a cell. A row that already has these values keeps its `version`. Emails not yet sent use the new values. An approved text that used a changed cell is held until approved again. Leads that have not started get a new address or profile and are checked against suppressions, replies and duplicates as at launch. Leads in progress keep the one they were contacted at. 409 `address_taken` if another row has the address, `dataset_busy` while a session is running on the dataset or a campaign on it is launching.',
  params: place,
  body: z.object({ data: GivenCells, version: editedVersion() }),
  response: DatasetRow,
  status: 200,
  refusals: [404, 409],
})

export const RemoveDatasetRows = contract({
  ...common,
  id: 'removeDatasetRows',
  method: 'POST',
  path: '/datasets/{dataset_id}/rows/remove',
  summary: 'Remove several rows of a dataset',
  description:
    'Up to 1,000 per request, in one transaction. Their indexes stay empty, and their waiting leads are skipped with the reason `row_removed` in all campaigns. This cannot be undone. Indexes without a row are ignored. 409 `dataset_busy` while a session is running on the dataset or a campaign on it is launching.',
  params,
  body: z.object({
    lead_indexes: z.array(z.int().min(0).max(MAX_LEAD_INDEX)).min(1).max(MAX_ROWS_REMOVED),
  }),
  response: z.object({ removed: z.array(z.int()).describe('The indexes of the removed rows.') }),
  status: 200,
  refusals: [404, 409],
  destructive: true,
  example: { body: { lead_indexes: [4, 17] } },
})

export const RemoveDatasetRow = contract({
  ...common,
  id: 'removeDatasetRow',
  method: 'DELETE',
  path: '/datasets/{dataset_id}/rows/{lead_index}',
  summary: 'Remove a row of a dataset',
  description:
    'The row’s index stays empty: other rows keep theirs, and no new row gets it. Its waiting leads are skipped with the reason `row_removed` in all campaigns. Sent messages stay in results and inbox. This cannot be undone. 409 `dataset_busy` while a session is running on the dataset or a campaign on it is launching.',
  params: place,
  response: null,
  status: 204,
  refusals: [404, 409],
  destructive: true,
})
