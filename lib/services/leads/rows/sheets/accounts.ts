import { db } from '#lib/db/client'
import { unseal } from '#lib/db/seal'
import { AppError } from '#lib/errors'
import type { Granted, GrantRefusal } from '#lib/providers/mail-oauth/port'
import { getDataset } from '#lib/services/datasets/datasets'
import {
  type FindSheets,
  findSheets,
  type Sheets,
  type SheetVendor,
  sheetsRedirectUri,
  usualVendor,
} from '#lib/services/leads/rows/sheets/google'
import { sealSheetToken } from '#lib/services/leads/rows/sheets/sealed-token'
import { deriveSheetSecrets, issueSheetState, spendSheetState } from '#lib/services/leads/rows/sheets/state'

type Person = { workspace_id: string; session_id?: string | undefined }

export async function readSheetAccounts(workspace_id: string) {
  const items = await db.sheetAccount.findMany({
    where: { workspace_id },
    orderBy: [{ created_at: 'asc' }, { sheet_account_id: 'asc' }],
  })
  return {
    items: items.map((item) => ({ ...item, vendor: toVendor(item) })),
    vendor: usualVendor(),
    redirect_uri: sheetsRedirectUri(),
  }
}

const toVendor = ({ vendor }: { vendor: string }): SheetVendor =>
  vendor === 'sandbox' ? 'sandbox' : 'google'

function requireSession({ workspace_id, session_id }: Person) {
  if (session_id) return { workspace_id, session_id }
  const message = 'This must be done in the browser. Sign in to the dashboard.'
  throw new AppError('forbidden', { message })
}

function requireSheets(vendor: SheetVendor | null, find: FindSheets): Sheets {
  const sheets = vendor && find(vendor)
  if (sheets) return sheets
  const message = 'This instance has no Google OAuth client. Its operator can register one.'
  throw new AppError('provider_unavailable', { message })
}

/** The URL at which a person signs in and lets this instance read spreadsheets. */
export async function authorizeSheets(
  person: Person,
  dataset_id: string,
  now: Date,
  find: FindSheets = findSheets,
  vendor: SheetVendor | null = usualVendor(),
) {
  const session = requireSession(person)
  const sheets = requireSheets(vendor, find)
  await getDataset(person.workspace_id, dataset_id)
  const { sheetState, state } = issueSheetState({ ...session, vendor: sheets.vendor, dataset_id }, now)
  const url = await sheets.oauth.authorizeUrl({
    state,
    ...deriveSheetSecrets(sheetState),
    redirect_uri: sheetsRedirectUri(),
    login_hint: null,
  })
  return { url, vendor: sheets.vendor }
}

/** Completes the sign-in: the code becomes a new account, or renews an existing one. */
export async function completeSheets(
  person: Person,
  query: string,
  now: Date,
  find: FindSheets = findSheets,
) {
  const session = requireSession(person)
  const callback = new URL(sheetsRedirectUri())
  callback.search = query
  const state = callback.searchParams.get('state') ?? ''
  const asked = await spendSheetState(state, session, now)
  if (!asked) throw new AppError('grant_invalid')
  const { oauth, vendor } = requireSheets(asked.vendor, find)
  const answer = await oauth.exchange(callback, { state, ...deriveSheetSecrets(asked) })
  if (!answer.ok) throw refusal(answer)
  const { refresh_token, account } = answer
  if (!refresh_token || !hasScopes(oauth, answer)) throw new AppError('sheet_scope_missing')
  const { workspace_id } = session
  const fields = { address: account.address, client_id: oauth.client_id, granted_at: now }
  const key = { workspace_id, vendor, subject: account.subject }
  const saved = await db.$transaction(async (tx) => {
    const row = await tx.sheetAccount.upsert({
      where: { workspace_id_vendor_subject: key },
      create: { ...key, ...fields, refresh_token: '' },
      update: fields,
    })
    // A token is sealed for one account and cannot be opened for another, so the account needs its id first.
    const { sheet_account_id } = row
    return tx.sheetAccount.update({
      where: { sheet_account_id, workspace_id },
      data: {
        refresh_token: sealSheetToken(sheet_account_id, refresh_token),
        access_token: sealSheetToken(sheet_account_id, answer.access_token),
        access_expires_at: answer.expires_at,
        ended_said: null,
      },
    })
  })
  return { ...saved, vendor, dataset_id: asked.dataset_id }
}

/** People may untick requested permissions. */
const hasScopes = ({ needed_scopes }: Sheets['oauth'], { scopes }: Granted): boolean =>
  scopes === null || needed_scopes.every((scope) => scopes.includes(scope))

function refusal({ fault, said }: GrantRefusal): AppError {
  if (fault === 'declined') return new AppError('mailbox_not_allowed')
  if (fault === 'admin') return new AppError('mailbox_needs_admin')
  if (fault === 'unreachable')
    return new AppError('provider_unavailable', { message: `The sign-in could not be completed: ${said}` })
  return new AppError('provider_rejected', { message: `The sign-in was refused: ${said}` })
}

/** Google is told last: an account deleted here reads nothing more, whatever Google answers. */
export async function disconnectSheets(
  workspace_id: string,
  sheet_account_id: string,
  find: FindSheets = findSheets,
): Promise<void> {
  const where = { sheet_account_id, workspace_id }
  const row = await db.sheetAccount.findFirst({ where })
  const { count } = await db.sheetAccount.deleteMany({ where })
  if (!row || count === 0) throw new AppError('sheet_account_not_found')
  try {
    await find(toVendor(row))?.oauth.revoke(unseal(row.refresh_token, sheet_account_id))
  } catch {
    // Encrypted with a key that is gone, so the token cannot be revoked at Google.
  }
}
