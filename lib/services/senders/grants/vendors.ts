import { keyFor } from '#lib/db/seal'
import { readSignedToken, signedToken } from '#lib/domain/tokens/signed-token'
import { env } from '#lib/env'
import type { MailApi } from '#lib/providers/mail/port'
import type { MailApiOptions } from '#lib/providers/mail-api/http'
import { createMailOAuth } from '#lib/providers/mail-oauth/driver'
import type { MailOAuth, MailRoute, MailServers, MailVendor } from '#lib/providers/mail-oauth/port'
import { createSandboxOAuth } from '#lib/providers/mail-oauth/sandbox'
import {
  adminConsentUrl,
  GMAIL_ORIGIN,
  GMAIL_UPLOADS,
  google,
  graphOrigin,
  graphUploads,
  microsoft,
  type VendorSettings,
} from '#lib/providers/mail-oauth/vendors'
import { hasSandbox } from '#lib/services/senders/sandbox'

/** The redirect URL, exactly as registered with the vendor. */
export const redirectUri = (vendor: MailVendor): string =>
  new URL(`/mailboxes/callback/${vendor}`, env().APP_URL).href

export const microsoftSettings = (route: MailRoute = 'smtp'): VendorSettings =>
  microsoft(env().MAIL_MICROSOFT_TENANT, env().MAIL_MICROSOFT_CLOUD, route)

const vendorSettings = (vendor: 'google' | 'microsoft', route: MailRoute) =>
  vendor === 'google' ? google(route) : microsoftSettings(route)

/** SMTP and IMAP, which keep our Message-IDs, unless the instance's operator has configured otherwise. */
export const usualRoute = (vendor: MailVendor): MailRoute => {
  const { MAIL_GOOGLE_ROUTE, MAIL_MICROSOFT_ROUTE } = env()
  if (vendor === 'sandbox') return 'smtp'
  return vendor === 'google' ? MAIL_GOOGLE_ROUTE : MAIL_MICROSOFT_ROUTE
}

export function findClient(vendor: 'google' | 'microsoft') {
  const { MAIL_GOOGLE_CLIENT_ID, MAIL_GOOGLE_CLIENT_SECRET } = env()
  const { MAIL_MICROSOFT_CLIENT_ID, MAIL_MICROSOFT_CLIENT_SECRET } = env()
  const [client_id, client_secret] =
    vendor === 'google'
      ? [MAIL_GOOGLE_CLIENT_ID, MAIL_GOOGLE_CLIENT_SECRET]
      : [MAIL_MICROSOFT_CLIENT_ID, MAIL_MICROSOFT_CLIENT_SECRET]
  return client_id && client_secret ? { client_id, client_secret } : null
}

/** A vendor as configured on this instance; null if it is not. */
export function mailOAuth(vendor: MailVendor, route = usualRoute(vendor)): MailOAuth | null {
  if (vendor === 'sandbox') return hasSandbox() ? sandbox() : null
  const client = findClient(vendor)
  return client && createMailOAuth(vendorSettings(vendor, route), client)
}

const SIGNED = { code: 'mc', refresh: 'mr', access: 'ma' } as const

/** The sandbox's codes and tokens are signed, so that it need not store them. */
const signForSandbox = (kind: keyof typeof SIGNED, payload: string): string =>
  signedToken(SIGNED[kind], Buffer.from(payload), keyFor('sandbox-oauth'))

const readOfSandbox = (kind: 'code' | 'refresh', token: string): string | null =>
  readSignedToken(SIGNED[kind], token, keyFor('sandbox-oauth'))?.toString() ?? null

/** Where the browser goes from the sandbox's page: with a code for `address`, or with a refusal. */
export function answerOfSandbox(query: URLSearchParams): string {
  const back = new URL(redirectUri('sandbox'))
  back.searchParams.set('state', query.get('state') ?? '')
  const address = query.get('address')?.trim().toLowerCase() ?? ''
  const payload = `${query.get('code_challenge') ?? ''} ${address} ${query.get('name') ?? ''}`.trimEnd()
  const isAllowed = !query.has('declined') && /^[^\s@]+@[^\s@]+$/.test(address)
  if (isAllowed) back.searchParams.set('code', signForSandbox('code', payload))
  else back.searchParams.set('error', 'access_denied')
  return back.href
}

/** Null: this instance has no sandbox. */
export function sandboxServers(): MailServers | null {
  const { SANDBOX_SMTP_PORT } = env()
  return SANDBOX_SMTP_PORT
    ? { smtp: { host: '127.0.0.1', port: SANDBOX_SMTP_PORT, security: 'none' }, imap: null }
    : null
}

function sandbox(): MailOAuth {
  return createSandboxOAuth({
    consent_url: new URL('/mailboxes/sandbox-consent', env().APP_URL).href,
    servers: sandboxServers(),
    sign: signForSandbox,
    read: readOfSandbox,
    clock: () => new Date(),
  })
}

/** The address of a vendor's API. */
export const mailApiOptions = (api: MailApi): MailApiOptions => ({
  origin: api === 'gmail' ? GMAIL_ORIGIN : graphOrigin(env().MAIL_MICROSOFT_CLOUD),
  upload_origins: api === 'gmail' ? GMAIL_UPLOADS : graphUploads(env().MAIL_MICROSOFT_CLOUD),
  outbound: { policy: { allow_private_hosts: env().ALLOW_PRIVATE_HOSTS } },
})

/** What an operator and an administrator need to know about each vendor. */
export function readMailVendors() {
  const items = (['google', 'microsoft'] as const).map((vendor) => {
    const route = usualRoute(vendor)
    const settings = vendorSettings(vendor, route)
    const client = findClient(vendor)
    return {
      vendor,
      route,
      is_ready: client !== null,
      redirect_uri: redirectUri(vendor),
      scopes: [...settings.other_scopes, ...settings.needed_scopes],
      api_scopes: vendorSettings(vendor, 'api').needed_scopes,
      admin_consent_url:
        vendor === 'microsoft' && client
          ? adminConsentUrl(settings, client.client_id, redirectUri(vendor))
          : null,
    }
  })
  const local = {
    vendor: 'sandbox' as const,
    redirect_uri: redirectUri('sandbox'),
    route: 'smtp' as const,
    scopes: [],
    api_scopes: [],
    admin_consent_url: null,
  }
  return { items: hasSandbox() ? [...items, { ...local, is_ready: true }] : items }
}
