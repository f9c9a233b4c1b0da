import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { DatasetReject } from '#lib/contracts/datasets/datasets'
import { ColumnMapping } from '#lib/contracts/datasets/uploads'
import { pathId, text } from '#lib/contracts/fields'
import { REJECT_CODES } from '#lib/domain/datasets/rows'

/** Rows of each kind that a comparison lists. */
export const MAX_COMPARED = 50

const cells = z.record(z.string(), z.string())

export const TableChanges = z
  .object({
    digest: z.string().describe('Names exactly these changes: what `sync` applies.'),
    sheet: z.string(),
    added: z.object({
      count: z.int(),
      samples: z.array(z.object({ data: cells })),
    }),
    changed: z.object({
      count: z.int(),
      cells: z.int().describe('Cells that would be written over or filled.'),
      samples: z.array(
        z.object({
          lead_index: z.int(),
          email: z.string().nullable(),
          before: cells.describe('The cells that change, as they are; empty ones are left out.'),
          after: cells,
        }),
      ),
    }),
    gone: z
      .object({
        count: z.int(),
        waiting_leads: z
          .int()
          .describe('Leads of these rows that wait for a step; a removal ends them, in every campaign.'),
        samples: z.array(
          z.object({ lead_index: z.int(), email: z.string().nullable(), waiting_leads: z.int() }),
        ),
      })
      .describe('Rows of the dataset that the table does not have.'),
    unchanged: z.int(),
    repeated: z.int().describe('Rows of the table that name somebody whom an earlier one names.'),
    refused: z
      .array(z.object({ code: z.enum(REJECT_CODES), count: z.int(), samples: z.array(DatasetReject) }))
      .describe('As an import refuses them, by reason, each with its first three rows.'),
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
    'Column name to lead field. By default the columns are those of the dataset by their names, and others what a preview suggests.',
  ),
})

export const CompareTable = contract({
  ...common,
  id: 'compareTable',
  path: '/datasets/{dataset_id}/uploads/{upload_id}/compare',
  summary: 'Compare a dataset with a table',
  description: `What a sync of the dataset with a table that waits, by \`POST /uploads\` or \`POST /uploads/from-url\`, would change; nothing is stored. Rows are matched by address in its normal form, without an address by \`linkedin_url\`, and rows with neither by all of their cells. Empty cells of the table change nothing. At most ${MAX_COMPARED} rows of each kind are listed. 409 \`upload_missing\` if the file was not put yet.`,
  body: table.default({}),
  response: TableChanges,
  status: 200,
})

export const SyncTable = contract({
  ...common,
  id: 'syncTable',
  path: '/datasets/{dataset_id}/uploads/{upload_id}/sync',
  summary: 'Bring a dataset in line with a table',
  description:
    'Applies the changes of a comparison, all or nothing, and only those kinds that are asked for. Rows that the table does not have stay unless `remove` is true: a removal ends their leads that wait for a step, in every campaign, with the reason `row_removed`, and cannot be undone. Campaigns that were launched over the dataset take no new rows. 409 `conflict` if the table or the dataset has changed since the comparison, `dataset_busy` while a session works on the dataset or a campaign over it is launching.',
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
    leads_ended: z.int().describe('Leads of removed rows that waited for a step.'),
  }),
  status: 200,
  destructive: true,
})
