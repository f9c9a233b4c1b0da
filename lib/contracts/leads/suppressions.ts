import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  exportQuery,
  fileAnswer,
  id,
  listEnvelope,
  optionalText,
  paging,
  pathId,
  sortBy,
  text,
  wholeNumber,
} from '#lib/contracts/fields'

export const MAX_SUPPRESSIONS = 100_000
const MAX_BYTES = 10 * 1024 * 1024

export const Suppression = z
  .object({
    suppression_id: id(),
    value: z
      .string()
      .describe(
        'An address in lower case, `@domain` for all addresses of exactly that domain, a profile as `linkedin.com/in/ada`, or a telephone number in E.164, `+491701234567`.',
      ),
    reason: z
      .string()
      .describe(
        '`unsubscribe`, `hard_bounce`, or the reason given when added. `unsubscribe_shared` and `complaint_shared`: from a child workspace.',
      ),
    inherited_from: z
      .object({ workspace_id: id(), name: z.string() })
      .nullable()
      .describe('The parent workspace that lists it, where it can be removed. Null: this workspace.'),
    created_at: dateTime(),
  })
  .meta({ id: 'Suppression' })
export type Suppression = z.output<typeof Suppression>

const Added = z.object({
  added: z.int(),
  already_listed: z.int().describe('Already listed. They keep their reason.'),
  leads_ended: z.int().describe('Waiting leads that ended, in all campaigns.'),
})

/** The orders of the list; a leading minus sorts descending. */
const SUPPRESSION_SORTS = ['value', '-value', 'reason', '-reason', 'created_at', '-created_at'] as const
/** The most reasons that are counted, by frequency. */
export const MAX_REASONS = 20
/** The most entries removed in one request. */
export const MAX_REMOVED = 1_000

/** The filters for entries; all of them must match. */
const suppressionFilters = () =>
  z.object({
    search: optionalText(320).describe('Part of the entry. Profiles and phone numbers in any spelling.'),
    reason: optionalText(200).describe('Exactly this reason.'),
    added_in_days: wholeNumber(1, 3_650).optional().describe('Added within this many days.'),
    from: z
      .enum(['own', 'parent'])
      .optional()
      .describe('Only the workspace’s own entries, or only its parent’s.'),
  })

const common = { tag: 'Suppressions', errors: 'flat' } as const
const effect =
  'Ends every matching waiting lead in all campaigns of the workspace and its children, and excludes them from later campaigns. A profile or phone number stops everybody whose row or person has it, on every channel.'

export const ListSuppressions = contract({
  ...common,
  id: 'listSuppressions',
  method: 'GET',
  path: '/suppressions',
  summary: 'List suppressions',
  description:
    'Addresses, domains, profiles and phone numbers you no longer contact, newest first, from the workspace and its parent. `sort` sets another order; a leading minus reverses it.',
  query: suppressionFilters().extend({
    sort: sortBy(SUPPRESSION_SORTS),
    ...paging,
  }),
  response: listEnvelope(Suppression),
  status: 200,
  scope: 'read',
})

export const ReadSuppressionReasons = contract({
  ...common,
  id: 'readSuppressionReasons',
  method: 'GET',
  path: '/suppressions/reasons',
  summary: 'Count suppressions by reason',
  description: `The ${MAX_REASONS} most frequent reasons among entries matching the other filters.`,
  query: suppressionFilters().omit({ reason: true }),
  response: z.object({ items: z.array(z.object({ reason: z.string(), count: z.int() })) }),
  status: 200,
  scope: 'read',
})

export const AddSuppressions = contract({
  ...common,
  id: 'addSuppressions',
  method: 'POST',
  path: '/suppressions',
  summary: 'Add suppressions',
  description: `${effect} \`acme.com\` and \`@acme.com\` both mean the domain. Profiles are LinkedIn, X, Instagram or Telegram URLs. Phone numbers need a country code.`,
  example: {
    body: { values: ['ada@example.com', '@example.org', '+49 170 1234567'], reason: 'asked by telephone' },
  },
  max_bytes: MAX_BYTES,
  body: z
    .object({
      value: text(1, 2_000).optional(),
      values: z.array(text(1, 2_000)).min(1).max(MAX_SUPPRESSIONS).optional(),
      reason: text(1, 200).default('manual'),
    })
    .refine(({ value, values }) => value !== undefined || values !== undefined, {
      path: ['values'],
      message: 'value or values is required',
    }),
  response: Added.extend({
    items: z.array(Suppression).describe('The entries for the values you sent, at most 100.'),
  }),
  status: 201,
  scope: 'write',
})

export const ImportSuppressions = contract({
  ...common,
  id: 'importSuppressions',
  method: 'POST',
  path: '/suppressions/import',
  summary: 'Import suppressions',
  description: `${effect} A csv or text file with up to ${MAX_SUPPRESSIONS} rows. Reads the column named email, address, value or domain, otherwise phone or profile, otherwise each row’s first readable cell. A column named country is used for phone numbers without a country code.`,
  body_type: 'multipart',
  max_bytes: MAX_BYTES,
  body: z.object({
    file: z.file(),
    reason: z.preprocess((value) => (value === '' ? undefined : value), text(1, 200).default('import')),
  }),
  response: Added.extend({
    refused_count: z.int(),
    refused: z
      .array(z.object({ row_number: z.int(), value: z.string(), reason: z.string() }))
      .describe('The first 100; rows are counted from 1, as a spreadsheet program shows them.'),
  }),
  status: 201,
  scope: 'write',
  refusals: [400],
})

export const ExportSuppressions = contract({
  ...common,
  id: 'exportSuppressions',
  method: 'GET',
  path: '/suppressions/export',
  summary: 'Export suppressions',
  description:
    'Entries matching the filters, oldest first. Without filters, all entries of the workspace and its parent. CSV is UTF-8 with a byte order mark. Cells that look like formulas start with an apostrophe, which an import removes. XLSX stores every value as text.',
  query: suppressionFilters().extend(exportQuery().shape),
  response: fileAnswer(),
  file: true,
  status: 200,
  scope: 'read',
})

export const DeleteSuppression = contract({
  ...common,
  id: 'deleteSuppression',
  method: 'DELETE',
  path: '/suppressions/{suppression_id}',
  summary: 'Remove a suppression',
  description: 'Leads it ended stay ended. 409 `suppression_inherited` if it is the parent’s.',
  params: z.object({ suppression_id: pathId() }),
  response: null,
  status: 204,
  scope: 'write',
  role: 'admin',
  refusals: [404, 409],
  destructive: true,
})

export const DeleteSuppressions = contract({
  ...common,
  id: 'deleteSuppressions',
  method: 'POST',
  path: '/suppressions/remove',
  summary: 'Remove several suppressions',
  description: 'Leads they ended stay ended. Ids that are not yours are ignored.',
  body: z.object({ suppression_ids: z.array(id()).min(1).max(MAX_REMOVED) }),
  response: z.object({
    removed: z
      .array(Suppression.omit({ created_at: true, inherited_from: true }))
      .describe('With the data to add them again.'),
  }),
  status: 200,
  scope: 'write',
  role: 'admin',
  destructive: true,
})
