import { keyFor } from '#lib/db/seal'
import { readSignedToken, signedToken } from '#lib/domain/tokens/signed-token'
import type { MailOAuth } from '#lib/providers/mail-oauth/port'

/** The parts of an OAuth sign-in that is not for a mailbox. */
export type SignIn = Pick<
  MailOAuth,
  'client_id' | 'needed_scopes' | 'authorizeUrl' | 'exchange' | 'refresh' | 'revoke'
>

const CODE = 'sc'
const LIFETIME_MS = 3_600_000

/** A sign-in that asks nobody, and accepts only codes and tokens that it issued for the same purpose. */
export function grantingSandbox(of: { purpose: string; scope: string; address: string }): SignIn {
  const { purpose, scope, address } = of
  const granted = () => ({
    ok: true as const,
    access_token: 'sandbox',
    expires_at: new Date(Date.now() + LIFETIME_MS),
    refresh_token: 'sandbox',
    scopes: [scope],
  })
  return {
    client_id: 'sandbox',
    needed_scopes: [scope],
    async authorizeUrl({ state, nonce, redirect_uri }) {
      const url = new URL(redirect_uri)
      url.searchParams.set('state', state)
      url.searchParams.set('code', signedToken(CODE, Buffer.from(nonce), keyFor(purpose)))
      return url.href
    },
    async exchange(callback, { nonce }) {
      const code = callback.searchParams.get('code') ?? ''
      const said = readSignedToken(CODE, code, keyFor(purpose))?.toString()
      if (said !== nonce) return { ok: false, fault: 'ended', said: 'The code is not valid.' }
      return { ...granted(), account: { subject: 'sandbox', address, name: null } }
    },
    refresh: async () => granted(),
    revoke: async () => true,
  }
}
