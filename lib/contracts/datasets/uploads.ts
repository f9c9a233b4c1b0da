import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { Dataset, DatasetReject, PIPELINE_TYPES } from '#lib/contracts/datasets/datasets'
import { dateTime, id, named, optionalText, pathId, text } from '#lib/contracts/fields'
import { SPREADSHEET_BYTES } from '#lib/domain/datasets/file-size'
import { LEAD_FIELDS } from '#lib/domain/datasets/lead-fields'
import { PREVIEW_ROWS } from '#lib/domain/datasets/preview-rows'

export const SheetPreview = z
  .object({
    name: z.string(),
    index: z.int(),
    hidden: z.boolean(),
    row_count: z
      .int()
      .nullable()
      .describe(
        'Non-empty rows below the header. Null with `rows=first` if the sheet has more rows than were read.',
      ),
    column_count: z.int(),
    header_row: z.int().nullable().describe('1-based. Null if the sheet has no header.'),
    columns: z.array(
      z.object({
        name: z.string(),
        index: z.int(),
        type: z.string(),
        filled_count: z.int().nullable().describe('Null if `row_count` is null.'),
        sample_values: z.array(z.string()),
      }),
    ),
    sample_rows: z.array(named(z.string())),
    suggested_mapping: named(z.string()).describe('Column name to lead field.'),
  })
  .meta({ id: 'SheetPreview' })
export type SheetPreview = z.output<typeof SheetPreview>

const common = {
  method: 'POST',
  tag: 'Upload',
  errors: 'legacy',
  scope: 'write',
  body_type: 'multipart',
  max_bytes: SPREADSHEET_BYTES,
  refusals: [400],
} as const

const previewQuery = z.object({
  rows: z
    .enum(PREVIEW_ROWS)
    .default('all')
    .describe(
      'With `first` the preview stops behind the first rows of each sheet, at least 100, and does not say how many follow: it takes a fraction of the time, however long the file is. What is wrong further down shows at `all`, at a check and at the import.',
    ),
})

const Preview = z.object({
  filename: z.string(),
  sheets: named(SheetPreview),
  total_sheets: z.int(),
  message: z.string(),
})

export const PreviewSpreadsheet = contract({
  ...common,
  id: 'previewSpreadsheet',
  path: '/upload/excel/preview',
  summary: 'Preview a spreadsheet',
  description:
    'Reads xlsx, xlsm, xlsb, xls, ods, csv and tsv up to 25 MiB and stores nothing. A file that is not a spreadsheet, is encrypted or is damaged returns 400, saying which. A file with more than 10,000,000 cells (including empty cells before a filled one), 1,048,576 rows, 2,000 filled columns in a sheet, 500 sheets, 250,000,000 characters, or that takes more than 300 MB of memory or 30 seconds of CPU time to read, returns 400 `spreadsheet_too_large`, which names the limit.',
  query: previewQuery,
  body: z.object({ file: z.file() }),
  response: Preview,
  status: 200,
})

/** Column name to lead field; null keeps the column under its slug. */
export const ColumnMapping = named(z.enum(LEAD_FIELDS).nullable())

/** A JSON object in one form field. */
const mapping = z
  .string()
  .transform((value, context) => {
    try {
      const parsed: unknown = JSON.parse(value)
      return parsed
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a JSON object' })
      return z.NEVER
    }
  })
  .pipe(ColumnMapping)

const importBody = z.object({
  file: z.file(),
  dataset_name: z.preprocess((value) => (value === '' ? undefined : value), text(1, 255).optional()),
  sheet: optionalText(),
  mapping: z.preprocess((value) => (value === '' ? undefined : value), mapping.optional()),
  pipeline_type: z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.enum(PIPELINE_TYPES).optional(),
  ),
})

const countWithSamples = z.object({
  count: z.int(),
  samples: z.array(z.string()).describe('The first three.'),
})

const CheckedReject = DatasetReject.extend({
  email: z.string().nullable().describe('The row’s address, unless that is the problem.'),
}).meta({ id: 'CheckedDatasetReject' })
export type CheckedReject = z.output<typeof CheckedReject>

export const ImportCheck = z
  .object({
    kept: z.int(),
    refused: z
      .array(z.object({ code: z.string(), count: z.int(), samples: z.array(CheckedReject) }))
      .describe('By reason, most frequent first, with the first three rows of each.'),
    rejects: z.array(CheckedReject).describe('The first 2,000, in file order.'),
    suppressed: countWithSamples.describe(
      'Kept rows that match the suppression list by address, domain, profile or phone number, of the row or of the person with its address.',
    ),
    known: countWithSamples
      .nullable()
      .describe('Kept rows whose address is in another dataset. Null above 50,000 addresses.'),
  })
  .meta({ id: 'ImportCheck' })
export type ImportCheck = z.output<typeof ImportCheck>

export const CheckSpreadsheet = contract({
  ...common,
  id: 'checkSpreadsheet',
  path: '/upload/excel/check',
  summary: 'Check an import',
  description:
    'Checks every row as the import would and stores nothing. Takes the same body as the import. `kept` plus the counts in `refused` add up to the file’s rows.',
  body: importBody,
  response: ImportCheck,
  status: 200,
  errors: 'flat',
})

export const ImportSpreadsheet = contract({
  ...common,
  id: 'importSpreadsheet',
  path: '/upload/excel',
  summary: 'Create a dataset from a spreadsheet',
  description:
    'Returns 202 immediately and reads the rows in the background. `status` shows the progress. `mapping` is a JSON object of column name to lead field (default: what the preview suggests). Columns mapped to null or not listed are kept under their slug. `/datasets/{dataset_id}/rejects` lists refused rows. The file limits are those of the preview.',
  body: importBody,
  response: Dataset,
  status: 202,
  errors: 'flat',
})

const ofUpload = {
  method: 'POST',
  tag: 'Upload',
  errors: 'flat',
  scope: 'write',
} as const

export const CreateUpload = contract({
  ...ofUpload,
  noted: ['filename'],
  id: 'createUpload',
  path: '/uploads',
  summary: 'Create an upload address for a spreadsheet',
  description:
    'For files up to 25 MiB on any hosting (on Vercel, a request itself is limited to 4.5 MB). Send only the file’s bytes to `url` with `method` and `headers` and no other credential. The address accepts one file of up to `size_bytes` until `put_until`. Then preview, check or import it by its `upload_id`. It is kept for two hours and removed once imported. At most 20 files can wait at a time (429).',
  body: z.object({
    filename: text(1, 255),
    size_bytes: z
      .int()
      .min(1)
      .max(SPREADSHEET_BYTES, 'Files can be up to 25 MiB. Split it or save it as csv.')
      .describe('The file’s size, which is the most its address accepts.'),
  }),
  response: z.object({
    upload_id: id(),
    method: z.literal('PUT'),
    url: z.string().describe('A credential for this one file. Anyone who has it can upload the file.'),
    headers: z.record(z.string(), z.string()),
    put_until: dateTime(),
  }),
  status: 201,
  refusals: [503],
})

const LINK =
  'The address and every redirect (five at most) must be https and not on a private network. The file can be up to 25 MiB, must arrive within 45 seconds, and its type is detected from its content. A link to a Google sheet that anyone with the link can view is downloaded as a file. 400 `link_refused` says why a link was refused, 502 `link_unreachable` what its server answered.'
const url = z.url({ protocol: /^https?$/ }).max(2_000)

export const CreateUploadFromUrl = contract({
  ...ofUpload,
  noted: ['filename'],
  id: 'createUploadFromUrl',
  path: '/uploads/from-url',
  summary: 'Fetch a spreadsheet from a link',
  description: `Fetches the file now and keeps it like an upload: preview, check or import it by its \`upload_id\` within two hours. ${LINK}`,
  body: z.object({ url }),
  response: z.object({ upload_id: id(), filename: z.string(), size_bytes: z.int() }),
  status: 201,
  refusals: [400, 502, 503],
})

const thisUpload = {
  ...ofUpload,
  params: z.object({ upload_id: pathId() }),
  refusals: [400, 404, 409, 503],
} as const

const uploadBody = importBody.omit({ file: true }).extend({
  sheet: text(1, 255).optional(),
  mapping: ColumnMapping.optional(),
  pipeline_type: z.enum(PIPELINE_TYPES).optional(),
})

export const PreviewUpload = contract({
  ...thisUpload,
  id: 'previewUpload',
  path: '/uploads/{upload_id}/preview',
  summary: 'Preview an uploaded spreadsheet',
  description:
    'Like `/upload/excel/preview`, for an uploaded file. 409 `upload_missing` if it has not been uploaded yet.',
  query: previewQuery,
  response: Preview,
  status: 200,
})

export const CheckUpload = contract({
  ...thisUpload,
  id: 'checkUpload',
  path: '/uploads/{upload_id}/check',
  summary: 'Check what importing an upload would keep',
  description: 'Like `/upload/excel/check`, for an uploaded file.',
  body: uploadBody.default({}),
  response: ImportCheck,
  status: 200,
})

export const ImportUpload = contract({
  ...thisUpload,
  id: 'importUpload',
  path: '/uploads/{upload_id}/import',
  summary: 'Create a dataset from an uploaded spreadsheet',
  description:
    'Like `/upload/excel`, for an uploaded file. `mapping` is an object here. The upload can be used only once.',
  body: uploadBody.default({}),
  response: Dataset,
  status: 202,
})

export const CreateDatasetFromUrl = contract({
  ...ofUpload,
  id: 'createDatasetFromUrl',
  path: '/datasets/from-url',
  summary: 'Create a dataset from a link',
  description: `Like \`/upload/excel\`, for a file fetched from \`url\`. Returns 202 once it has been fetched and reads its rows in the background. ${LINK}`,
  body: uploadBody.extend({ url }),
  response: Dataset,
  status: 202,
  refusals: [400, 502],
})
