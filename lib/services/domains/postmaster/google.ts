import { env } from '#lib/env'
import { createMailOAuth } from '#lib/providers/mail-oauth/driver'
import { GOOGLE } from '#lib/providers/mail-oauth/vendors'
import { createGooglePostmaster, POSTMASTER_ORIGIN, POSTMASTER_SCOPE } from '#lib/providers/postmaster/google'
import type { PostmasterReader } from '#lib/providers/postmaster/port'
import { sandboxPostmaster } from '#lib/providers/postmaster/sandbox'
import { grantingSandbox, type SignIn } from '#lib/services/senders/grants/granting-sandbox'
import { findClient } from '#lib/services/senders/grants/vendors'
import { hasSandbox } from '#lib/services/senders/sandbox'

export type PostmasterVendor = 'google' | 'sandbox'

/** The redirect URL, exactly as registered with Google. */
export const postmasterRedirectUri = (): string => new URL('/domains/postmaster/callback', env().APP_URL).href

/** The vendor for new sign-ins: this instance's Google client; the sandbox only if there is none. */
export function usualPostmaster(): PostmasterVendor | null {
  if (findClient('google')) return 'google'
  return hasSandbox() ? 'sandbox' : null
}

export type Postmaster = { vendor: PostmasterVendor; oauth: SignIn; reader: PostmasterReader }
export type FindPostmaster = (vendor: PostmasterVendor) => Postmaster | null

/** A vendor as configured on this instance; null if it is not. */
export const findPostmaster: FindPostmaster = (vendor) => {
  if (vendor === 'sandbox')
    return hasSandbox() ? { vendor, oauth: SANDBOX_OAUTH, reader: sandboxPostmaster } : null
  const client = findClient('google')
  if (!client) return null
  const policy = { allow_private_hosts: env().ALLOW_PRIVATE_HOSTS }
  return {
    vendor,
    oauth: createMailOAuth({ ...GOOGLE, needed_scopes: [POSTMASTER_SCOPE] }, client),
    reader: createGooglePostmaster({ origin: POSTMASTER_ORIGIN, outbound: { policy } }),
  }
}

const SANDBOX_OAUTH = grantingSandbox({
  purpose: 'postmaster-sandbox',
  scope: POSTMASTER_SCOPE,
  address: 'postmaster@sandbox.example',
})
