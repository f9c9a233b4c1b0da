import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { DatasetReject } from '#lib/contracts/datasets/datasets'
import { ColumnMapping } from '#lib/contracts/datasets/uploads'
import { pathId, text } from '#lib/contracts/fields'
import { REJECT_CODES } from '#lib/domain/datasets/rows'

/** The most rows of each kind that a comparison lists. */
export const MAX_COMPARED = 50

const cells = z.record(z.string(), z.string())

export const TableChanges = z
  .object({
    digest: z.string().describe('Identifies exactly these changes for `sync`.'),
    sheet: z.string(),
    added: z.object({
      count: z.int(),
      samples: z.array(z.object({ data: cells })),
    }),
    changed: z.object({
      count: z.int(),
      cells: z.int().describe('Cells that would be overwritten or filled.'),
      samples: z.array(
        z.object({
          lead_index: z.int(),
          email: z.string().nullable(),
          before: cells.describe('The current values of the cells that change, without empty ones.'),
          after: cells,
        }),
      ),
    }),
    gone: z
      .object({
        count: z.int(),
        waiting_leads: z
          .int()
          .describe('Waiting leads from these rows. Removing the rows ends them in every campaign.'),
        samples: z.array(
          z.object({ lead_index: z.int(), email: z.string().nullable(), waiting_leads: z.int() }),
        ),
      })
      .describe('Rows of the dataset missing from the table.'),
    unchanged: z.int(),
    repeated: z.int().describe('Rows of the table for somebody already in an earlier row.'),
    refused: z
      .array(z.object({ code: z.enum(REJECT_CODES), count: z.int(), samples: z.array(DatasetReject) }))
      .describe('Rows an import would refuse, by reason, with the first three of each.'),
  })
  .meta({ id: 'TableChanges' })
export type TableChanges = z.output<typeof TableChanges>

const common = {
  method: 'POST',
  tag: 'Datasets',
  errors: 'flat',
  scope: 'write',
  params: z.object({ dataset_id: pathId(), upload_id: pathId() }),
  refusals: [400, 404, 409, 503],
} as const

const table = z.object({
  sheet: text(1, 255).optional(),
  mapping: ColumnMapping.optional().describe(
    'Column name to lead field. Default: dataset columns by name, others as the preview suggests.',
  ),
})

export const CompareTable = contract({
  ...common,
  id: 'compareTable',
  path: '/datasets/{dataset_id}/uploads/{upload_id}/compare',
  summary: 'Compare a dataset with a table',
  description: `What a sync with an uploaded table (\`POST /uploads\` or \`POST /uploads/from-url\`) would change. Nothing is stored. Rows are matched by normalized address, otherwise by \`linkedin_url\`, otherwise by all their cells. Empty cells in the table change nothing. At most ${MAX_COMPARED} rows of each kind are listed. 409 \`upload_missing\` if the file has not been uploaded yet.`,
  body: table.default({}),
  response: TableChanges,
  status: 200,
})

export const SyncTable = contract({
  ...common,
  id: 'syncTable',
  path: '/datasets/{dataset_id}/uploads/{upload_id}/sync',
  summary: 'Sync a dataset with a table',
  description:
    'Applies the requested kinds of changes from a comparison, all or nothing. Rows missing from the table stay unless `remove` is true. Removal ends their waiting leads in every campaign with the reason `row_removed` and cannot be undone. Campaigns already launched on the dataset do not pick up new rows. 409 `conflict` if the table or dataset has changed since the comparison, `dataset_busy` while a session is running on the dataset or a campaign on it is launching.',
  body: table.extend({
    digest: text(1, 64).describe('Of the comparison.'),
    add: z.boolean().default(true),
    update: z.boolean().default(true),
    remove: z.boolean().default(false),
  }),
  response: z.object({
    added: z.int(),
    updated: z.int(),
    removed: z.int(),
    leads_ended: z.int().describe('Waiting leads of the removed rows.'),
  }),
  status: 200,
  destructive: true,
})
