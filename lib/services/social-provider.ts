import { pool } from '#lib/db/client'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import type { SocialProvider } from '#lib/providers/social/port'
import { createSandboxSocial } from '#lib/providers/social/sandbox'
import { createUnipile } from '#lib/providers/social/unipile'
import { isLinkState } from '#lib/services/account-links'
import { hasSandbox } from '#lib/services/sandbox-mail'

export type SocialDriver = SocialProvider['name']

/** The driver that new accounts are connected with; null where this instance has none. */
export function newAccountDriver(): SocialDriver | null {
  const { UNIPILE_DSN, UNIPILE_API_KEY } = env()
  if (UNIPILE_DSN && UNIPILE_API_KEY) return 'unipile'
  return hasSandbox() ? 'sandbox' : null
}

/**
 * A driver of social networks: the one an account was connected with, or else the one for new accounts.
 * `provider_unavailable` where this instance is not set up for it.
 */
export function socialProvider(driver: string | null = newAccountDriver()): SocialProvider {
  const { UNIPILE_DSN, UNIPILE_API_KEY, UNIPILE_WEBHOOK_SECRET, APP_URL } = env()
  if (driver === 'unipile' && UNIPILE_DSN && UNIPILE_API_KEY)
    return createUnipile({
      dsn: UNIPILE_DSN,
      api_key: UNIPILE_API_KEY,
      webhook_secret: UNIPILE_WEBHOOK_SECRET ?? null,
      is_link_state: isLinkState,
    })
  if (driver === 'sandbox' && hasSandbox())
    return createSandboxSocial({ pool: pool(), clock: () => new Date(), app_url: APP_URL })
  throw new AppError('provider_unavailable', {
    message: 'No provider of social networks is configured for this account.',
  })
}
