import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, pathId, text } from '#lib/contracts/fields'

export const SHEET_VENDORS = ['google', 'sandbox'] as const

export const SheetAccount = z
  .object({
    sheet_account_id: id(),
    vendor: z.enum(SHEET_VENDORS).describe('`sandbox`: made up, because this instance has no Google client.'),
    address: z.string(),
    ended_said: z
      .string()
      .nullable()
      .describe('Why it cannot read until somebody signs in again. Null while it works.'),
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
  summary: 'List Google accounts for sheets',
  description:
    'The workspace’s Google accounts for syncing datasets. Each instance needs its own OAuth client; without one, a sandbox is used.',
  response: z.object({
    items: z.array(SheetAccount),
    vendor: z
      .enum(SHEET_VENDORS)
      .nullable()
      .describe('Where sign-in takes place. Null: this instance has neither.'),
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
  summary: 'Start connecting a Google account for sheets',
  description:
    'The signed-in person opens `url` once, in the same browser, within 10 minutes, and returns to the dataset page. It asks only to read spreadsheets. Requires a browser session token.',
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
  summary: 'Finish connecting a Google account for sheets',
  description:
    'Exchanges what Google added to the redirect address for an account. The redirect page does this itself. 409 `grant_invalid` if the link was used, has expired, or belongs to another session.',
  body: z.object({ query: text(1, 8_000).describe('Everything after `?`.') }),
  response: SheetAccount.extend({ dataset_id: id().describe('The page that started it.') }),
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
  description: 'Revokes access at Google. Datasets keep their rows but are no longer linked to its sheets.',
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
  description: 'Null if the dataset is not synced with a sheet.',
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
    'Reads a Google sheet through one of the workspace’s accounts, as displayed, and remembers it. The table then waits like an upload: `compare` shows what it would change, `sync` applies it. Without `url`, reads the remembered sheet again. A sheet can have up to 25 MiB of text; import limits apply to its cells. 409 `sheet_signed_out` if the account must sign in again, `sheet_no_access` if it cannot see the spreadsheet, 404 `sheet_not_found`, 429 if Google asks to wait.',
  params,
  body: z
    .object({
      sheet_account_id: id().optional(),
      url: text(1, 2_000)
        .optional()
        .describe('The spreadsheet’s address. `gid` in it selects the sheet. Default: the first.'),
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
