import type { MatchedProvider } from '#lib/domain/sending/provider-matching'
import { rngOf } from '#tests/simulation/worlds/random'
import type { WorldSpec } from '#tests/simulation/worlds/spec'

/** In every third world mailboxes are assigned to members, who take new leads in turn: some have several, some share one. */
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

/** The servers by which the provider of a mailbox is recognised. */
export const HOSTS: Record<MatchedProvider, string> = {
  google: 'smtp.gmail.com',
  microsoft: 'smtp.office365.com',
}

const SOMEBODY = ['google', 'microsoft', null] as const

/** In some worlds mailboxes and recipients are at Google and Microsoft, and most campaigns match providers. */
export function withMatching(world: WorldSpec): WorldSpec {
  const rng = rngOf(world.seed, 'provider matching')
  if (!rng.chance(0.4)) return world
  return {
    ...world,
    mailboxes: world.mailboxes.map((box) => ({ ...box, provider: rng.pick(SOMEBODY) })),
    recipients: { 'acme.example': rng.pick(SOMEBODY), 'globex.example': rng.pick(SOMEBODY) },
    campaigns: world.campaigns.map((campaign) => ({ ...campaign, match_providers: rng.chance(0.8) })),
  }
}
