import type { Tier } from '#lib/db/generated/enums'

const API_KEYS: Record<Tier, number> = { free: 2, starter: 5, growth: 20, scale: 100 }

/** Active API keys that an account may have at once. */
export const tierLimit = ({ tier, extra_api_keys }: { tier: Tier; extra_api_keys: number }): number =>
  API_KEYS[tier] + extra_api_keys
