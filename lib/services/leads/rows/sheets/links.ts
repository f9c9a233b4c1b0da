import type { z } from 'zod'
import type { FetchSheet } from '#lib/contracts/datasets/google-sheets'
import { db } from '#lib/db/client'
import type { SheetLinkModel } from '#lib/db/generated/models'
import { SPREADSHEET_BYTES } from '#lib/domain/datasets/file-size'
import { readSheetAddress, sheetUrl, tableCsv } from '#lib/domain/datasets/sheet-address'
import { AppError, invalid } from '#lib/errors'
import type { SheetAnswer } from '#lib/providers/sheets/port'
import { getDataset } from '#lib/services/datasets/datasets'
import { keepFetched } from '#lib/services/files/uploads'
import { endSheetAccount, sheetToken } from '#lib/services/leads/rows/sheets/access-token'
import { type FindSheets, findSheets } from '#lib/services/leads/rows/sheets/google'

const toLink = ({ workspace_id: _, spreadsheet_id, gid, ...link }: SheetLinkModel) => ({
  ...link,
  url: sheetUrl({ spreadsheet_id, gid }),
})

export async function readSheetLink(workspace_id: string, dataset_id: string) {
  await getDataset(workspace_id, dataset_id)
  const link = await db.sheetLink.findFirst({ where: { dataset_id, workspace_id } })
  return link && toLink(link)
}

export async function removeSheetLink(workspace_id: string, dataset_id: string): Promise<void> {
  await getDataset(workspace_id, dataset_id)
  await db.sheetLink.deleteMany({ where: { dataset_id, workspace_id } })
}

type Asked = z.output<typeof FetchSheet.body>

/**
 * Reads the sheet now and remembers which one it was. The table then waits for its comparison like an upload.
 */
export async function fetchSheet(
  workspace_id: string,
  dataset_id: string,
  asked: Asked,
  now: Date,
  find: FindSheets = findSheets,
) {
  await getDataset(workspace_id, dataset_id)
  const { sheet_account_id, spreadsheet_id, gid } = await wantedSheet(workspace_id, dataset_id, asked)
  const account = await db.sheetAccount.findFirst({ where: { sheet_account_id, workspace_id } })
  if (!account) throw new AppError('sheet_account_not_found')
  const sheets = find(account.vendor === 'sandbox' ? 'sandbox' : 'google')
  if (!sheets)
    throw new AppError('provider_unavailable', {
      message: 'This instance no longer has a Google OAuth client.',
    })
  const whose = { workspace_id, sheet_account_id }
  const token = await sheetToken(whose, sheets, now)
  const answer = await sheets.reader.read(token, { spreadsheet_id, gid, max_bytes: SPREADSHEET_BYTES })
  if (!answer.ok) throw await refusal(whose, answer)
  const { title, sheet, rows } = answer.table
  const bytes = new TextEncoder().encode(tableCsv(rows))
  if (bytes.length > SPREADSHEET_BYTES) throw new AppError('spreadsheet_too_large')
  const kept = await keepFetched(workspace_id, { filename: `${sheet.slice(0, 200)}.csv`, bytes }, now)
  const fields = { sheet_account_id, spreadsheet_id, gid: answer.table.gid, title, sheet, fetched_at: now }
  const link = await db.sheetLink.upsert({
    where: { dataset_id, workspace_id },
    create: { ...fields, dataset_id, workspace_id },
    update: fields,
  })
  return { ...kept, link: toLink(link) }
}

/** The sheet in the request, or else the remembered one. */
async function wantedSheet(workspace_id: string, dataset_id: string, { sheet_account_id, url }: Asked) {
  if (sheet_account_id === undefined || url === undefined) {
    const link = await db.sheetLink.findFirst({ where: { dataset_id, workspace_id } })
    if (!link)
      throw new AppError('invalid_state', {
        message: 'This dataset is not linked to a sheet. Enter a sheet’s address.',
      })
    return link
  }
  const named = readSheetAddress(url)
  if (!named)
    throw invalid(['body', 'url'], 'must be the address of a Google spreadsheet, as shown in the browser')
  return { ...named, sheet_account_id }
}

async function refusal(
  whose: { workspace_id: string; sheet_account_id: string },
  { fault, said, retry_after_ms }: Extract<SheetAnswer, { ok: false }>,
): Promise<AppError> {
  switch (fault) {
    case 'signed_out':
      return endSheetAccount(whose, said)
    case 'no_access':
      return new AppError('sheet_no_access', { message: `This Google account cannot open it: ${said}` })
    case 'not_found':
      return new AppError('sheet_not_found', { message: said })
    case 'too_large':
      return new AppError('spreadsheet_too_large', { message: said })
    case 'busy':
      return new AppError('rate_limited', {
        message: `Google asked us to wait: ${said}`,
        retryAfterSeconds: Math.ceil((retry_after_ms ?? 60_000) / 1_000),
      })
    case 'unreachable':
      return new AppError('provider_unavailable', { message: `Google could not be reached: ${said}` })
  }
}
