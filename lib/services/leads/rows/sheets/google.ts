import { env } from '#lib/env'
import { createMailOAuth } from '#lib/providers/mail-oauth/driver'
import { GOOGLE } from '#lib/providers/mail-oauth/vendors'
import { createGoogleSheets, SHEETS_ORIGIN, SHEETS_SCOPE } from '#lib/providers/sheets/google'
import type { SheetReader } from '#lib/providers/sheets/port'
import { sandboxSheets } from '#lib/providers/sheets/sandbox'
import { grantingSandbox, type SignIn } from '#lib/services/senders/grants/granting-sandbox'
import { hasSandbox } from '#lib/services/senders/sandbox'

export type SheetVendor = 'google' | 'sandbox'

/** The exact redirect address in this instance's registration at Google. */
export const sheetsRedirectUri = (): string => new URL('/datasets/sheets/callback', env().APP_URL).href

function findClient() {
  const { SHEETS_GOOGLE_CLIENT_ID: client_id, SHEETS_GOOGLE_CLIENT_SECRET: client_secret } = env()
  return client_id && client_secret ? { client_id, client_secret } : null
}

/** The vendor used for a sign-in; the sandbox only if this instance has no client at Google. */
export function usualVendor(): SheetVendor | null {
  if (findClient()) return 'google'
  return hasSandbox() ? 'sandbox' : null
}

/** The sign-in uses the same code as for mailboxes, with another scope. */
export type Sheets = { vendor: SheetVendor; oauth: SignIn; reader: SheetReader }
export type FindSheets = (vendor: SheetVendor) => Sheets | null

/** A vendor as configured for this instance; null if it is not. */
export const findSheets: FindSheets = (vendor) => {
  if (vendor === 'sandbox')
    return hasSandbox() ? { vendor, oauth: SANDBOX_OAUTH, reader: sandboxSheets } : null
  const client = findClient()
  if (!client) return null
  const policy = { allow_private_hosts: env().ALLOW_PRIVATE_HOSTS }
  return {
    vendor,
    oauth: createMailOAuth({ ...GOOGLE, needed_scopes: [SHEETS_SCOPE] }, client),
    reader: createGoogleSheets({ origin: SHEETS_ORIGIN, outbound: { policy } }),
  }
}

const SANDBOX_OAUTH = grantingSandbox({
  purpose: 'sheets-sandbox',
  scope: SHEETS_SCOPE,
  address: 'sheets@sandbox.example',
})
