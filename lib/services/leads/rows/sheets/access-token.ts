import type { PoolClient } from 'pg'
import { pool } from '#lib/db/client'
import { unsealOrNull } from '#lib/db/seal'
import { inTransaction } from '#lib/db/transaction'
import { AppError } from '#lib/errors'
import type { Sheets } from '#lib/services/leads/rows/sheets/google'
import { sealSheetToken } from '#lib/services/leads/rows/sheets/sealed-token'

/** How long before its expiry a token is renewed: longer than reading a sheet takes. */
const AHEAD_MS = 5 * 60_000

type Row = {
  client_id: string
  refresh_token: string
  access_token: string | null
  access_expires_at: Date | null
  ended_said: string | null
}

const READ = `SELECT client_id, refresh_token, access_token, access_expires_at, ended_said FROM sheet_accounts
  WHERE workspace_id = $1 AND sheet_account_id = $2 FOR UPDATE`

type Whose = { workspace_id: string; sheet_account_id: string }

/**
 * A valid access token for Google. If two callers find it expired, one renews it and the other reads the
 * result.
 */
export async function sheetToken(whose: Whose, sheets: Sheets, now: Date): Promise<string> {
  const answer = await inTransaction(pool(), (client) => renewed(client, whose, sheets, now))
  if ('error' in answer) throw answer.error
  return answer.token
}

type Renewed = { token: string } | { error: AppError }

async function renewed(client: PoolClient, whose: Whose, { oauth }: Sheets, now: Date): Promise<Renewed> {
  const { workspace_id, sheet_account_id } = whose
  const { rows } = await client.query<Row>(READ, [workspace_id, sheet_account_id])
  const [row] = rows
  if (!row) return { error: new AppError('sheet_account_not_found') }
  if (row.ended_said !== null) return { error: signedOut(row.ended_said) }
  const isGood = (row.access_expires_at?.getTime() ?? 0) - AHEAD_MS > now.getTime()
  const kept = row.access_token && isGood && unsealOrNull(row.access_token, sheet_account_id)
  if (kept) return { token: kept }
  if (row.client_id !== oauth.client_id)
    return { error: await end(client, whose, 'This instance’s OAuth client has changed.') }
  const refreshToken = unsealOrNull(row.refresh_token, sheet_account_id)
  // This does not end the sign-in: with the right key the token can be decrypted again.
  if (refreshToken === null)
    return { error: signedOut('its token cannot be decrypted. Was ENCRYPTION_KEY changed?') }
  const answer = await oauth.refresh(refreshToken)
  if (!answer.ok) {
    const isOver = answer.fault !== 'unreachable' && answer.fault !== 'client'
    if (isOver) return { error: await end(client, whose, answer.said) }
    return { error: new AppError('provider_unavailable', { message: answer.said }) }
  }
  const refresh = answer.refresh_token && sealSheetToken(sheet_account_id, answer.refresh_token)
  await client.query(
    `UPDATE sheet_accounts SET access_token = $3, access_expires_at = $4, refresh_token = coalesce($5, refresh_token)
     WHERE workspace_id = $1 AND sheet_account_id = $2`,
    [
      workspace_id,
      sheet_account_id,
      sealSheetToken(sheet_account_id, answer.access_token),
      answer.expires_at,
      refresh,
    ],
  )
  return { token: answer.access_token }
}

const signedOut = (said: string) =>
  new AppError('sheet_signed_out', { message: `Reconnect the Google account: ${said}` })

async function end(client: PoolClient, { workspace_id, sheet_account_id }: Whose, said: string) {
  await client.query(
    'UPDATE sheet_accounts SET ended_said = $3 WHERE workspace_id = $1 AND sheet_account_id = $2',
    [workspace_id, sheet_account_id, said.slice(0, 500)],
  )
  return signedOut(said)
}

/** Google refused a token that had not expired, so access was revoked there. */
export const endSheetAccount = (whose: Whose, said: string): Promise<AppError> =>
  inTransaction(pool(), (client) => end(client, whose, said))
