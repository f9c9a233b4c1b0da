import { StepsConfig } from '#lib/contracts/campaigns/steps'
import { needsText, takesText } from '#lib/domain/campaigns/social-step'
import { neverHolds } from '#lib/domain/campaigns/step-conditions'
import { SOCIAL_ACTION_TYPES } from '#lib/domain/social/social-limits'
import { type Rng, rngOf } from '#tests/simulation/worlds/random'
import type { AccountSpec, CampaignSpec, NetworkAnswers, WorldSpec } from '#tests/simulation/worlds/spec'

export const QUIET_NETWORK: NetworkAnswers = {
  refused_recipient: 0,
  refused_sender: 0,
  refused_message: 0,
  rest: 0,
  refused_for_now: 0,
  never_left: 0,
  signed_out: 0,
  unknown: 0,
  unread: 0,
}

/** Actions that no relation to the person prevents: they happen as forecast. */
const ALWAYS_POSSIBLE = ['visit_profile', 'follow', 'like_post', 'inmail'] as const
const CONDITIONS = ['always', 'always', 'always', 'connected', 'not_connected', 'opened'] as const

/** The same world with accounts, whose campaigns mix social steps and mails. Uses a random stream of its own. */
export function withAccounts(world: WorldSpec): WorldSpec {
  const rng = rngOf(world.seed, 'social world')
  const { undisturbed } = world
  const count = undisturbed ? world.campaigns.length : rng.int(1, 3)
  return {
    ...world,
    accounts: Array.from({ length: count }, () => anAccount(rng)),
    campaigns: world.campaigns.map((campaign, index) => ({
      ...campaign,
      ...reachable(rng, campaign, undisturbed),
      account: undisturbed ? index : rng.chance(0.4) ? null : rng.int(0, count - 1),
      steps_config: someSteps(rng, index, undisturbed),
    })),
    network: undisturbed ? QUIET_NETWORK : someNetwork(rng),
    events: undisturbed ? world.events : { chance: rng.pick([0.3, 0.6]), most: rng.int(6, 20) },
  }
}

function anAccount(rng: Rng): AccountSpec {
  return {
    limits: Object.fromEntries(SOCIAL_ACTION_TYPES.map((type) => [type, someCap(rng)])),
    min_interval_seconds: rng.pick([0, 60, 60, 900, 7_200]),
    ramp_up: rng.chance(0.3) ? { start: rng.pick([1, 2]), increase_per_day: rng.pick([0, 1, 2]) } : null,
    ramp_age_days: rng.int(0, 3),
  }
}

export const someCap = (rng: Rng) => ({
  day: rng.pick([1, 2, 3, 50, null]),
  week: rng.pick([1, 3, 5, 50, null]),
})

/** Some rows have only an address or only a profile; the first has both, so that the campaign can be launched. */
function reachable(rng: Rng, { emails }: CampaignSpec, undisturbed: boolean) {
  const profile = (index: number) => {
    const name = `lead-${index}${!undisturbed && index > 0 && rng.chance(0.08) ? '-nobody' : ''}`
    return rng.pick([`https://www.linkedin.com/in/${name}`, `linkedin.com/in/${name}/`, name])
  }
  if (undisturbed)
    return {
      emails: emails.map((_, index) => `lead-${index}@acme.example`),
      profiles: emails.map((_, index) => profile(index)),
    }
  return {
    emails: emails.map((email, index) => (index > 0 && rng.chance(0.2) ? null : email)),
    profiles: emails.map((_, index) => (index > 0 && rng.chance(0.15) ? null : profile(index))),
  }
}

/** Usually includes a mail; steps that require a connection usually follow an invitation. */
function someSteps(rng: Rng, place: number, undisturbed: boolean) {
  const rules = Array.from({ length: rng.int(1, 5) }, (_, index) => {
    const isMail = rng.chance(0.3)
    const action_type = isMail
      ? ('email' as const)
      : rng.pick(
          undisturbed
            ? ALWAYS_POSSIBLE
            : ([...SOCIAL_ACTION_TYPES, 'connection_request', 'connection_request', 'message'] as const),
        )
    const hasText = isMail || needsText(action_type) || (takesText(action_type) && rng.chance(0.5))
    return {
      channel: isMail ? ('email' as const) : ('social' as const),
      action_type,
      delay_days: rng.pick(index === 0 ? [0, 0, 0, 1] : [0, 0, 1, 2, 5]),
      condition: undisturbed ? ('always' as const) : rng.pick(CONDITIONS),
      track_opens: isMail,
      subject: isMail || action_type === 'inmail' ? 'Hello' : null,
      message_template: hasText ? `[[CAMPAIGN ${index + 1}]] A word.` : null,
    }
  })
  const possible = rules.map((rule, index) =>
    neverHolds(rules, index) === null && (index > 0 || rule.condition !== 'connected')
      ? rule
      : { ...rule, condition: 'always' as const },
  )
  // Texts carry the campaign's index, even where all its steps are mails.
  return StepsConfig.parse(possible).map((step) => ({
    ...step,
    message_template: step.message_template?.replaceAll('CAMPAIGN', `${place}`) ?? null,
  }))
}

function someNetwork(rng: Rng): NetworkAnswers {
  const scale = rng.pick([0, 0.3, 1])
  const some = (most: number) => rng.next() * most * scale
  return {
    refused_recipient: some(0.08),
    refused_sender: some(0.04),
    refused_message: some(0.04),
    rest: some(0.2),
    refused_for_now: some(0.2),
    never_left: some(0.15),
    signed_out: some(0.06),
    unknown: some(0.12),
    unread: some(0.15),
  }
}
