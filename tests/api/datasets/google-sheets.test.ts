import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  AuthorizeSheets,
  CompleteSheets,
  DisconnectSheets,
  FetchSheet,
  ReadSheetAccounts,
  ReadSheetLink,
  RemoveSheetLink,
} from '#lib/contracts/datasets/google-sheets'
import { CompareTable } from '#lib/contracts/datasets/table-sync'
import { db } from '#lib/db/client'
import { AppError } from '#lib/errors'
import { authorizeSheets, completeSheets, disconnectSheets } from '#lib/services/leads/rows/sheets/accounts'
import { fetchSheet } from '#lib/services/leads/rows/sheets/links'
import { call } from '#tests/support/call'
import { aDataset, aUser } from '#tests/support/scenes/factories'
import { aSheetsServer } from '#tests/support/servers/sheets'

Object.assign(process.env, { SANDBOX_SMTP_PORT: '1025' })

const NOW = new Date()
const HOUR = 3_600_000
const URL_OF = 'https://docs.google.com/spreadsheets/d/spreadsheet-1/edit#gid=7'
const ROWS = [
  ['Email', 'First name'],
  ['ada@example.com', 'Adele'],
  [],
  ['new@example.com', '=1+1'],
  ['x', ''],
]

let server: Awaited<ReturnType<typeof aSheetsServer>>
let owner: Awaited<ReturnType<typeof aUser>> & { session_id: string }
let dataset_id: string
beforeAll(async () => {
  server = await aSheetsServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  owner = { ...(await aUser()), session_id: randomUUID() }
  const rows = [
    { email: 'ada@example.com', first_name: 'Ada' },
    { email: 'bob@example.com', first_name: 'Bob' },
  ]
  dataset_id = (await aDataset(owner, rows)).dataset_id
  server.state.refusal = null
  server.state.sheets = [
    { gid: 0, title: 'Other', rows: [['Nothing']] },
    { gid: 7, title: "Ada's leads", rows: ROWS },
  ]
})

async function connected() {
  const { url } = await authorizeSheets(owner, dataset_id, NOW, server.find, 'google')
  return completeSheets(owner, server.oauth.allow(url), NOW, server.find)
}
const fetched = (body: { sheet_account_id?: string; url?: string }, now = NOW) =>
  fetchSheet(owner.workspace_id, dataset_id, body, now, server.find)
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error
      return error.code
    },
  )

test('a sheet is read as it is shown, kept, and compared like an upload', async () => {
  const { sheet_account_id, address } = await connected()
  expect(address).toBe('ana@company.test')
  const { upload_id, filename, link } = await fetched({ sheet_account_id, url: URL_OF })
  expect([filename, link]).toMatchObject(["Ada's leads.csv", { title: 'Leads 2026', url: URL_OF }])
  const { body } = await call(CompareTable, { as: owner, params: { dataset_id, upload_id }, body: {} })
  expect([body.added.count, body.changed.count, body.gone.count]).toEqual([1, 1, 1])
  expect(body.added.samples).toEqual([{ data: { email: 'new@example.com', first_name: '=1+1' } }])
  expect(body.refused).toMatchObject([{ code: 'invalid_email', samples: [{ row_number: 5 }] }])
  const kept = await call(ReadSheetLink, { as: owner, params: { dataset_id } })
  expect(kept.body.link).toMatchObject({ sheet: "Ada's leads", sheet_account_id })
  expect((await fetched({})).link).toMatchObject({ url: URL_OF })
  expect((await call(RemoveSheetLink, { as: owner, params: { dataset_id } })).status).toBe(204)
  expect((await call(ReadSheetLink, { as: owner, params: { dataset_id } })).body.link).toBeNull()
})

test('thousands of rows are asked for in parts, and none is lost between them', async () => {
  const { sheet_account_id } = await connected()
  const rows = Array.from({ length: 11_000 }, (_, n) => (n === 4_999 ? [] : [`lead-${n}@example.com`]))
  server.state.sheets = [{ gid: 7, title: 'Many', rows: [['Email'], ...rows] }]
  server.state.asked = []
  const { upload_id } = await fetched({ sheet_account_id, url: URL_OF })
  expect(server.state.asked.filter((path) => path.includes('/values/'))).toHaveLength(3)
  const { body } = await call(CompareTable, { as: owner, params: { dataset_id, upload_id }, body: {} })
  expect(body.added.count).toBe(10_999)
})

describe('an account', () => {
  test('has its tokens sealed, is renewed when they run out, and is one however often it signs in', async () => {
    const { sheet_account_id } = await connected()
    expect((await connected()).sheet_account_id).toBe(sheet_account_id)
    const row = await db.sheetAccount.findUniqueOrThrow({ where: { sheet_account_id } })
    expect([row.refresh_token, row.access_token].some((text) => /^(refresh|access)-/.test(text ?? ''))).toBe(
      false,
    )
    const calls = server.oauth.calls.refresh
    await fetched({ sheet_account_id, url: URL_OF }, new Date(NOW.getTime() + 2 * HOUR))
    expect(server.oauth.calls.refresh).toBe(calls + 1)
  })

  test('that was revoked says so, asks Google no more, and works again once somebody signs in', async () => {
    const { sheet_account_id } = await connected()
    server.oauth.live.access.clear()
    expect(await codeOf(fetched({ sheet_account_id, url: URL_OF }))).toBe('sheet_signed_out')
    const asked = server.state.asked.length
    expect(await codeOf(fetched({ sheet_account_id, url: URL_OF }))).toBe('sheet_signed_out')
    expect(server.state.asked).toHaveLength(asked)
    const { body } = await call(ReadSheetAccounts, { as: owner })
    expect(body.items).toMatchObject([{ sheet_account_id, ended_said: expect.any(String) }])
    await connected()
    expect((await fetched({ sheet_account_id, url: URL_OF })).filename).toBe("Ada's leads.csv")
  })

  test('is gone once it is disconnected, with its links, and Google is told', async () => {
    const { sheet_account_id } = await connected()
    await fetched({ sheet_account_id, url: URL_OF })
    await disconnectSheets(owner.workspace_id, sheet_account_id, server.find)
    expect(server.oauth.calls.revoked.at(-1)).toMatch(/^refresh-/)
    expect(await db.sheetLink.count({ where: { dataset_id } })).toBe(0)
    expect(await db.datasetRow.count({ where: { dataset_id } })).toBe(2)
  })

  test('belongs to its workspace, and a sign-in to the session that asked for it, once', async () => {
    const { sheet_account_id } = await connected()
    const other = { ...(await aUser()), session_id: randomUUID() }
    const params = { sheet_account_id }
    expect((await call(DisconnectSheets, { as: other, params })).status).toBe(404)
    const { url } = await authorizeSheets(owner, dataset_id, NOW, server.find, 'google')
    const query = server.oauth.allow(url)
    expect(await codeOf(completeSheets(other, query, NOW, server.find))).toBe('grant_invalid')
    expect(await codeOf(completeSheets(owner, query, NOW, server.find))).toBeNull()
    expect(await codeOf(completeSheets(owner, query, NOW, server.find))).toBe('grant_invalid')
  })
})

test.each([
  [{ status: 403, message: 'The caller does not have permission' }, 'sheet_no_access'],
  [{ status: 404, message: 'Requested entity was not found.' }, 'sheet_not_found'],
  [{ status: 429, message: 'Quota exceeded', headers: { 'retry-after': '17' } }, 'rate_limited'],
  [{ status: 500, message: 'Internal error' }, 'provider_unavailable'],
])('%j of Google is %s, and keeps nothing', async (refusal, code) => {
  const { sheet_account_id } = await connected()
  server.state.refusal = refusal
  const error = await fetched({ sheet_account_id, url: URL_OF }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code })
  if (code === 'rate_limited') expect(error).toMatchObject({ retryAfterSeconds: 17 })
  expect(await db.sheetLink.count({ where: { dataset_id } })).toBe(0)
})

test('what is no address of a sheet is 422, and no sheet of the spreadsheet 404', async () => {
  const { sheet_account_id } = await connected()
  const params = { dataset_id }
  for (const url of [
    'https://example.com/spreadsheets/d/spreadsheet-1',
    'https://docs.google.com/document/d/spreadsheet-1',
  ])
    expect((await call(FetchSheet, { as: owner, params, body: { sheet_account_id, url } })).status).toBe(422)
  expect((await call(FetchSheet, { as: owner, params, body: { url: URL_OF } })).status).toBe(422)
  expect((await call(FetchSheet, { as: owner, params, body: {} })).status).toBe(409)
  const other = URL_OF.replace('gid=7', 'gid=99')
  expect(await codeOf(fetched({ sheet_account_id, url: other }))).toBe('sheet_not_found')
})

test('without a client at Google there is a sandbox, which says so', async () => {
  const { url, vendor } = await authorizeSheets(owner, dataset_id, NOW)
  expect(vendor).toBe('sandbox')
  const query = new URL(url).search.slice(1)
  const account = await completeSheets(owner, query, NOW)
  expect(account).toMatchObject({ vendor: 'sandbox', dataset_id })
  const { sheet_account_id } = account
  const asked = { sheet_account_id, url: 'https://docs.google.com/spreadsheets/d/anything-at-all/edit' }
  const { body } = await call(FetchSheet, { as: owner, params: { dataset_id }, body: asked })
  expect(body.link.title).toBe('Sandbox spreadsheet')
})

test('a key may not connect an account: a person does, in a browser', async () => {
  const person = { ...owner, session_id: undefined }
  expect(await codeOf(authorizeSheets(person, dataset_id, NOW, server.find, 'google'))).toBe('forbidden')
  expect([AuthorizeSheets.jwt_only, CompleteSheets.jwt_only]).toEqual([true, true])
})
