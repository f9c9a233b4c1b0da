import { type Rng, rngOf } from '#tests/simulation/worlds/random'
import type { CampaignSpec } from '#tests/simulation/worlds/spec'

const QUARTERS = 96
const clock = (quarter: number) => new Date(quarter * 15 * 60_000).toISOString().slice(11, 19)

/** Two or three windows in one day, on quarter hours. */
function severalWindows(rng: Rng): { start: string; end: string }[] {
  const third = QUARTERS / 3
  return [0, 1, 2].slice(rng.int(0, 1)).map((part) => {
    const start = part * third + rng.int(1, third / 2)
    return { start: clock(start), end: clock(rng.int(start + 1, (part + 1) * third - 1)) }
  })
}

/** In every fourth world some campaigns have several windows a day. */
export function withSeveralWindows(seed: number, campaigns: CampaignSpec[]): CampaignSpec[] {
  const rng = rngOf(seed, 'several windows')
  if (!rng.chance(0.25)) return campaigns
  return campaigns.map((campaign) => {
    const windows = severalWindows(rng)
    return rng.chance(0.3)
      ? campaign
      : {
          ...campaign,
          sending_windows: windows,
          sending_window_start: windows[0]?.start ?? campaign.sending_window_start,
          sending_window_end: windows.at(-1)?.end ?? campaign.sending_window_end,
        }
  })
}

/** In every fifth world nothing is sent on the public holidays of some country. */
export function withHolidays(seed: number, campaigns: CampaignSpec[]): CampaignSpec[] {
  const rng = rngOf(seed, 'holidays')
  if (!rng.chance(0.2)) return campaigns
  const countries = ['DE', 'US', 'BR', 'SA', 'JP']
  return campaigns.map((campaign) => ({ ...campaign, holiday_country: rng.pick(countries) }))
}
