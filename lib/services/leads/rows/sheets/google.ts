import { keyFor } from '#lib/db/seal'
import { readSignedToken, signedToken } from '#lib/domain/tokens/signed-token'
import { env } from '#lib/env'
import { createMailOAuth } from '#lib/providers/mail-oauth/driver'
import type { MailOAuth } from '#lib/providers/mail-oauth/port'
import { GOOGLE } from '#lib/providers/mail-oauth/vendors'
import { createGoogleSheets, SHEETS_ORIGIN, SHEETS_SCOPE } from '#lib/providers/sheets/google'
import type { SheetReader } from '#lib/providers/sheets/port'
import { sandboxSheets } from '#lib/providers/sheets/sandbox'
import { hasSandbox } from '#lib/services/senders/sandbox'

export type SheetVendor = 'google' | 'sandbox'

/** The exact address that the registration of this instance names. */
export const sheetsRedirectUri = (): string => new URL('/datasets/sheets/callback', env().APP_URL).href

function findClient() {
  const { SHEETS_GOOGLE_CLIENT_ID: client_id, SHEETS_GOOGLE_CLIENT_SECRET: client_secret } = env()
  return client_id && client_secret ? { client_id, client_secret } : null
}

/** Where a sign-in leads; the sandbox only where this instance has no client at Google. */
export function usualVendor(): SheetVendor | null {
  if (findClient()) return 'google'
  return hasSandbox() ? 'sandbox' : null
}

/** What is asked of a sign-in; the same code as for mailboxes, and another scope. */
export type SheetsOAuth = Pick<
  MailOAuth,
  'client_id' | 'needed_scopes' | 'authorizeUrl' | 'exchange' | 'refresh' | 'revoke'
>
export type Sheets = { vendor: SheetVendor; oauth: SheetsOAuth; reader: SheetReader }
export type FindSheets = (vendor: SheetVendor) => Sheets | null

/** A vendor as this instance is set up for it; null where it is not. */
export const findSheets: FindSheets = (vendor) => {
  if (vendor === 'sandbox')
    return hasSandbox() ? { vendor, oauth: sandboxOAuth, reader: sandboxSheets } : null
  const client = findClient()
  if (!client) return null
  const policy = { allow_private_hosts: env().ALLOW_PRIVATE_HOSTS }
  return {
    vendor,
    oauth: createMailOAuth({ ...GOOGLE, needed_scopes: [SHEETS_SCOPE] }, client),
    reader: createGoogleSheets({ origin: SHEETS_ORIGIN, outbound: { policy } }),
  }
}

const SANDBOX_CODE = 'sc'
const SANDBOX_ADDRESS = 'sheets@sandbox.example'
const LIFETIME_MS = 3_600_000

const sandboxGrant = () => ({
  ok: true as const,
  access_token: 'sandbox',
  expires_at: new Date(Date.now() + LIFETIME_MS),
  refresh_token: 'sandbox',
  scopes: [SHEETS_SCOPE],
})

/** It asks nobody, and grants what it made up itself. */
const sandboxOAuth: SheetsOAuth = {
  client_id: 'sandbox',
  needed_scopes: [SHEETS_SCOPE],
  async authorizeUrl({ state, nonce, redirect_uri }) {
    const url = new URL(redirect_uri)
    url.searchParams.set('state', state)
    url.searchParams.set('code', signedToken(SANDBOX_CODE, Buffer.from(nonce), keyFor('sheets-sandbox')))
    return url.href
  },
  async exchange(callback, { nonce }) {
    const code = callback.searchParams.get('code') ?? ''
    const said = readSignedToken(SANDBOX_CODE, code, keyFor('sheets-sandbox'))?.toString()
    if (said !== nonce) return { ok: false, fault: 'ended', said: 'The code is not good.' }
    return { ...sandboxGrant(), account: { subject: 'sandbox', address: SANDBOX_ADDRESS, name: null } }
  },
  refresh: async () => sandboxGrant(),
  revoke: async () => true,
}
