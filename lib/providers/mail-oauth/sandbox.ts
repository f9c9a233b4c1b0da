import { createHash, timingSafeEqual } from 'node:crypto'
import type { MailOAuth, MailServers } from '#lib/providers/mail-oauth/port'

type SandboxOptions = {
  /** The address of its consent page. */
  consent_url: string
  servers: MailServers | null
  /** Signs its codes and tokens, so that it needs no storage. */
  sign: (kind: 'code' | 'refresh' | 'access', payload: string) => string
  read: (kind: 'code' | 'refresh', token: string) => string | null
  clock: () => Date
}

const LIFETIME_MS = 3_600_000
export const SANDBOX_SCOPE = 'sandbox.mail'

const hashVerifier = (verifier: string) => createHash('sha256').update(verifier).digest()

/** A vendor whose consent page is part of this instance and that grants access to the sandbox: the whole flow without an account. */
export function createSandboxOAuth({ consent_url, servers, sign, read, clock }: SandboxOptions): MailOAuth {
  const granted = (address: string) => ({
    ok: true as const,
    access_token: sign('access', `${address} ${clock().getTime()}`),
    expires_at: new Date(clock().getTime() + LIFETIME_MS),
    refresh_token: sign('refresh', address),
    scopes: [SANDBOX_SCOPE],
  })
  return {
    vendor: 'sandbox',
    client_id: 'sandbox',
    route: 'smtp',
    needed_scopes: [SANDBOX_SCOPE],
    servers,
    async authorizeUrl({ state, code_verifier, login_hint }) {
      const url = new URL(consent_url)
      url.searchParams.set('state', state)
      url.searchParams.set('code_challenge', hashVerifier(code_verifier).toString('base64url'))
      if (login_hint) url.searchParams.set('login_hint', login_hint)
      return url.href
    },
    async exchange(callback, { state, code_verifier }) {
      const query = callback.searchParams
      if (query.get('error')) return { ok: false, fault: 'declined', said: 'It was not allowed.' }
      const [challenge = '', address = '', ...name] = (read('code', query.get('code') ?? '') ?? '').split(' ')
      const given = Buffer.from(challenge, 'base64url')
      const expected = hashVerifier(code_verifier)
      const isOurs = given.length === expected.length && timingSafeEqual(given, expected)
      if (!isOurs || !address || query.get('state') !== state)
        return { ok: false, fault: 'ended', said: 'The code is not valid.' }
      return { ...granted(address), account: { subject: address, address, name: name.join(' ') || null } }
    },
    async refresh(refreshToken) {
      const address = read('refresh', refreshToken)
      if (!address) return { ok: false, fault: 'ended', said: 'The sandbox did not grant this.' }
      return granted(address)
    },
    revoke: async () => true,
  }
}
