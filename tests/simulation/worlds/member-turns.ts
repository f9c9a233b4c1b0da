import { rngOf } from '#tests/simulation/worlds/random'
import type { WorldSpec } from '#tests/simulation/worlds/spec'

/** In every third world mailboxes are given to members, who take new leads in turn: some have more, some share one. */
export function withTurns(world: WorldSpec): WorldSpec {
  const rng = rngOf(world.seed, 'member turns')
  if (!rng.chance(0.35)) return world
  return {
    ...world,
    given: world.mailboxes.map(() => [0, 1, 2].filter(() => rng.chance(0.45))),
    campaigns: world.campaigns.map((campaign) => ({
      ...campaign,
      sender_rotation: rng.chance(0.8) ? 'members' : 'senders',
    })),
  }
}
