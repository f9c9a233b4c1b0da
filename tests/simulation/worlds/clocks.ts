import { rngOf } from '#tests/simulation/worlds/random'
import type { CampaignSpec } from '#tests/simulation/worlds/spec'
import { NASTY_ZONES } from '#tests/support/files/zones'

/** UTC says nothing of where somebody is. */
export const LIVED_IN = NASTY_ZONES.filter((zone) => zone !== 'UTC')

/** In every third world leads of some campaigns keep their own clocks, as far as their rows say where they are. */
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
