import { z } from 'zod'
import { pool } from '#lib/db/client'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { SOCIAL_NETWORKS, type SocialProvider } from '#lib/providers/social/port'
import { createSandboxSocial } from '#lib/providers/social/sandbox'
import { CURRENT_URL } from '#lib/providers/social/unipile/current'
import { createUnipile, type UnipileSettings } from '#lib/providers/social/unipile/driver'
import { isLinkState } from '#lib/services/senders/accounts/account-links'
import { hasSandbox } from '#lib/services/senders/sandbox'

const Network = z.enum(SOCIAL_NETWORKS)

/** The network of an account, which the column stores as text. */
export const storedNetwork = (account: { provider: string }) => Network.parse(account.provider)

export type SocialDriver = SocialProvider['name']

/** The Unipile settings of this instance, for either version or both; null for neither. */
function unipileSettings(): UnipileSettings | null {
  const { UNIPILE_DSN, UNIPILE_API_KEY, UNIPILE_WEBHOOK_SECRET } = env()
  const { UNIPILE_V2_API_KEY, UNIPILE_V2_WEBHOOK_SECRET, UNIPILE_V2_URL } = env()
  const settings: UnipileSettings = {}
  if (UNIPILE_DSN && UNIPILE_API_KEY)
    settings.classic = {
      dsn: UNIPILE_DSN,
      api_key: UNIPILE_API_KEY,
      webhook_secret: UNIPILE_WEBHOOK_SECRET ?? null,
      is_link_state: isLinkState,
    }
  if (UNIPILE_V2_API_KEY && UNIPILE_V2_WEBHOOK_SECRET)
    settings.current = {
      url: UNIPILE_V2_URL ?? CURRENT_URL,
      api_key: UNIPILE_V2_API_KEY,
      webhook_secret: UNIPILE_V2_WEBHOOK_SECRET,
    }
  return settings.classic || settings.current ? settings : null
}

/** The driver for new accounts; null if this instance has none. */
export function newAccountDriver(): SocialDriver | null {
  if (unipileSettings()) return 'unipile'
  return hasSandbox() ? 'sandbox' : null
}

/**
 * A driver of social networks: the one an account was connected with, or else the one for new accounts. `provider_unavailable` if this
 * instance is not configured for it.
 */
export function socialProvider(driver: string | null = newAccountDriver()): SocialProvider {
  const unipile = driver === 'unipile' ? unipileSettings() : null
  if (unipile) return createUnipile(unipile)
  if (driver === 'sandbox' && hasSandbox())
    return createSandboxSocial({ pool: pool(), clock: () => new Date(), app_url: env().APP_URL })
  throw new AppError('provider_unavailable', {
    message: 'No social network provider is configured for this account.',
  })
}
