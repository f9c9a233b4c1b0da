import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, pathId, text } from '#lib/contracts/fields'

export const SHEET_VENDORS = ['google', 'sandbox'] as const

export const SheetAccount = z
  .object({
    sheet_account_id: id(),
    vendor: z
      .enum(SHEET_VENDORS)
      .describe('`sandbox`: made up by this instance, where it has no client at Google.'),
    address: z.string(),
    ended_said: z
      .string()
      .nullable()
      .describe('Why nothing is read by it until somebody signs in again; null while it works.'),
    created_at: dateTime(),
  })
  .meta({ id: 'SheetAccount' })
export type SheetAccount = z.output<typeof SheetAccount>

export const SheetLink = z
  .object({
    dataset_id: id(),
    sheet_account_id: id(),
    title: z.string().describe('Of the spreadsheet.'),
    sheet: z.string(),
    url: z.string(),
    fetched_at: dateTime().describe('When it was last read.'),
  })
  .meta({ id: 'SheetLink' })
export type SheetLink = z.output<typeof SheetLink>

const common = { tag: 'Datasets', errors: 'flat' } as const

export const ReadSheetAccounts = contract({
  ...common,
  id: 'readSheetAccounts',
  method: 'GET',
  path: '/sheets/accounts',
  summary: 'List accounts that sheets are read by',
  description:
    'Google accounts of the workspace, which datasets are synced by. An instance brings its own OAuth client; without one there is a sandbox.',
  response: z.object({
    items: z.array(SheetAccount),
    vendor: z
      .enum(SHEET_VENDORS)
      .nullable()
      .describe('Where a sign-in leads; null: this instance has neither.'),
    redirect_uri: z.string().describe('Register exactly this address.'),
  }),
  status: 200,
  scope: 'read',
})

export const AuthorizeSheets = contract({
  ...common,
  id: 'authorizeSheets',
  method: 'POST',
  path: '/sheets/authorize',
  summary: 'Begin to connect a Google account for sheets',
  description:
    'The signed-in person opens `url` in the same browser, within 10 minutes and once, and comes back to the page of the dataset. It asks for reading of spreadsheets and nothing else. Needs the token of a browser’s session.',
  body: z.object({ dataset_id: id() }),
  response: z.object({ url: z.string(), vendor: z.enum(SHEET_VENDORS) }),
  status: 200,
  scope: 'write',
  jwt_only: true,
  refusals: [404, 503],
})

export const CompleteSheets = contract({
  ...common,
  id: 'completeSheets',
  method: 'POST',
  path: '/sheets/complete',
  summary: 'Complete to connect a Google account for sheets',
  description:
    'What Google added to the redirect address becomes an account. The redirect address does this itself; 409 `grant_invalid` for a link that was used, has expired, or belongs to another session.',
  body: z.object({ query: text(1, 8_000).describe('Everything after `?`.') }),
  response: SheetAccount.extend({ dataset_id: id().describe('Where it was asked for.') }),
  status: 200,
  scope: 'write',
  jwt_only: true,
  refusals: [404, 409, 502, 503],
})

export const DisconnectSheets = contract({
  ...common,
  id: 'disconnectSheets',
  method: 'DELETE',
  path: '/sheets/accounts/{sheet_account_id}',
  summary: 'Disconnect a Google account from sheets',
  description:
    'Google is told that nobody needs it any more. Datasets keep their rows, but are no longer linked to its sheets.',
  params: z.object({ sheet_account_id: pathId() }),
  response: null,
  status: 204,
  scope: 'write',
  role: 'admin',
  refusals: [404],
  destructive: true,
})

const params = z.object({ dataset_id: pathId() })

export const ReadSheetLink = contract({
  ...common,
  id: 'readSheetLink',
  method: 'GET',
  path: '/datasets/{dataset_id}/sheet',
  summary: 'Read which sheet a dataset is synced with',
  description: 'Null for a dataset that was synced with none.',
  response: z.object({ link: SheetLink.nullable() }),
  params,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const FetchSheet = contract({
  ...common,
  id: 'fetchSheet',
  method: 'POST',
  path: '/datasets/{dataset_id}/sheet/fetch',
  summary: 'Fetch the sheet of a dataset',
  description:
    'Reads a sheet of Google Sheets by an account of the workspace, as it is shown, and keeps which one it was. The table then waits like an upload: `compare` says what it would change, `sync` applies that. Without `url` the kept sheet is read again. A sheet may have 25 MiB of text; its cells count as those of an import. 409 `sheet_signed_out` if the account has to sign in again, `sheet_no_access` if it may not see the spreadsheet, 404 `sheet_not_found`, 429 if Google asks to wait.',
  params,
  body: z
    .object({
      sheet_account_id: id().optional(),
      url: text(1, 2_000)
        .optional()
        .describe('Of a spreadsheet; `gid` in it names the sheet, else it is the first.'),
    })
    .refine(({ sheet_account_id, url }) => (sheet_account_id === undefined) === (url === undefined), {
      path: ['url'],
      message: 'url and sheet_account_id go together',
    })
    .default({}),
  response: z.object({ upload_id: id(), filename: z.string(), size_bytes: z.int(), link: SheetLink }),
  status: 200,
  scope: 'write',
  refusals: [400, 404, 409, 502, 503],
})

export const RemoveSheetLink = contract({
  ...common,
  id: 'removeSheetLink',
  method: 'DELETE',
  path: '/datasets/{dataset_id}/sheet',
  summary: 'Forget the sheet of a dataset',
  description: 'The rows stay.',
  params,
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404],
  destructive: true,
})
