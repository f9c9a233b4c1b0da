import { rngOf } from '#tests/simulation/worlds/random'
import type { CampaignSpec } from '#tests/simulation/worlds/spec'
import { NASTY_ZONES } from '#tests/support/files/zones'

/** UTC is excluded: it says nothing about where somebody is. */
export const LIVED_IN = NASTY_ZONES.filter((zone) => zone !== 'UTC')

/** In every third world some campaigns follow the time zones of their leads, as far as the rows contain one. */
export function withClocks(seed: number, campaigns: CampaignSpec[]): CampaignSpec[] {
  const rng = rngOf(seed, 'clocks')
  if (!rng.chance(0.35)) return campaigns
  const zones = [0, 1, 2].map(() => rng.pick(LIVED_IN))
  return campaigns.map((campaign) => {
    if (rng.chance(0.2)) return campaign
    const timezones = campaign.emails.map(() => (rng.chance(0.25) ? null : rng.pick(zones)))
    return { ...campaign, schedule_timezone: 'lead', timezones }
  })
}
