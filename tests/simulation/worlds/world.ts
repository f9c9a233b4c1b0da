import { StepsConfig } from '#lib/contracts/campaigns/steps'
import { SEND_DAYS } from '#lib/domain/calendar/schedule'
import { NO_GRANTS, withGrants } from '#tests/simulation/grants/vault'
import { withClocks } from '#tests/simulation/worlds/clocks'
import { type Rng, rngOf } from '#tests/simulation/worlds/random'
import { withMatching, withTurns } from '#tests/simulation/worlds/sender-choices'
import { withHolidays, withSeveralWindows } from '#tests/simulation/worlds/several-windows'
import { QUIET_NETWORK, withAccounts } from '#tests/simulation/worlds/social-world'
import type { Answers, CampaignSpec, MailboxSpec, WorldSpec } from '#tests/simulation/worlds/spec'
import { NASTY_ZONES, transitionsOf } from '#tests/support/files/zones'

const NONE: Answers = {
  refused_recipient: 0,
  refused_sender: 0,
  refused_message: 0,
  refused_for_now: 0,
  never_left: 0,
  auth: 0,
  unknown: 0,
}
const HOUR_MS = 3_600_000

/** Every third world has accounts. */
export const hasAccounts = (seed: number): boolean => seed % 3 === 0

/** Every sixth world has a second workspace, which writes to the same people. */
export const hasNeighbour = (seed: number): boolean => seed % 6 === 1

/** Adds the campaigns of another world as a second workspace, in this world's database and at its time. */
function withNeighbour(world: WorldSpec): WorldSpec {
  const rng = rngOf(world.seed, 'neighbour')
  const other = mailWorldOf(world.seed, 'next door', world.undisturbed)
  const before = world.mailboxes.length
  const mailboxes = other.mailboxes.map((box, index) => {
    const isShared = !world.undisturbed && index === 0 && rng.chance(0.6)
    return { ...box, workspace: 1, same_as: isShared ? 0 : null }
  })
  const campaigns = other.campaigns.slice(0, 2).map((campaign) => ({
    ...campaign,
    workspace: 1,
    mailboxes: campaign.mailboxes?.map((place) => before + place) ?? null,
  }))
  return {
    ...world,
    workspaces: 2,
    is_family: rng.chance(0.5),
    mailboxes: [...world.mailboxes, ...mailboxes],
    campaigns: [...world.campaigns, ...campaigns],
  }
}

/** Everything about a world that its seed decides before it begins. */
export const worldOf = (seed: number): WorldSpec => withMatching(withGrants(seed, peopledWorld(seed)))

function peopledWorld(seed: number): WorldSpec {
  const mail = mailWorldOf(seed)
  const both = hasNeighbour(seed) ? withNeighbour(mail) : mail
  const world = hasAccounts(seed) ? withAccounts(mail) : both
  const away = someAway(rngOf(seed, 'away'), world)
  const peopled = withTurns({
    ...world,
    away,
    campaigns: withClocks(seed, withHolidays(seed, withSeveralWindows(seed, world.campaigns))),
  })
  if (world.undisturbed) return withAnswers(seed, beside(rngOf(seed, 'beside'), peopled))
  const down = someDown(rngOf(seed, 'down'), world)
  return withAnswers(seed, { ...peopled, down, policy: aPolicy(rngOf(seed, 'policy')) })
}

/** In some worlds a reply makes colleagues wait, and in some of these somebody replied before the world begins. */
function withAnswers(seed: number, world: WorldSpec): WorldSpec {
  const rng = rngOf(seed, 'colleagues')
  const policy = { ...world.policy, colleague_reply_days: rng.pick([0, 0, 0, 1, 3]) }
  const emails = world.campaigns.flatMap(({ emails }) => emails.flatMap((email) => email ?? []))
  const domains = [...new Set(emails.flatMap((email) => email.split('@')[1] ?? []))].toSorted()
  const answered = domains.flatMap((domain) =>
    rng.chance(0.3) ? [{ domain, hours: rng.pick([1, 20, 50, 90]) }] : [],
  )
  return { ...world, policy, answered }
}

/** In undisturbed worlds campaigns must keep their common forecast: usually under one contact policy, and from the same mailboxes. */
function beside(rng: Rng, world: WorldSpec): WorldSpec {
  if (rng.chance(0.2)) return world
  const policy = aPolicy(rng)
  if (world.accounts.length > 0 || world.workspaces > 1 || rng.chance(0.3)) return { ...world, policy }
  const campaigns = world.campaigns.map((campaign) => ({
    ...campaign,
    mailboxes: someMailboxes(rng, world.mailboxes.length),
  }))
  return { ...world, policy, campaigns }
}

const FREE: WorldSpec['policy'] = {
  one_campaign_at_a_time: false,
  company_max_active: null,
  rest_days: 0,
  colleague_reply_days: 0,
}

function aPolicy(rng: Rng): WorldSpec['policy'] {
  return {
    one_campaign_at_a_time: rng.chance(0.7),
    company_max_active: rng.pick([null, null, null, 1, 2]),
    rest_days: rng.pick([0, 0, 0, 1, 3]),
    colleague_reply_days: 0,
  }
}

/** In some worlds people are away from the beginning, also in undisturbed ones. */
function someAway(rng: Rng, { campaigns }: WorldSpec): WorldSpec['away'] {
  if (!rng.chance(0.4)) return []
  const emails = new Set(campaigns.flatMap((campaign) => campaign.emails.flatMap((email) => email ?? [])))
  return [...emails].flatMap((email) =>
    rng.chance(0.4) ? [{ email, hours: rng.pick([1, 20, 70, 200, 500]) }] : [],
  )
}

/** Now and then a world begins with unreachable senders. */
function someDown(rng: Rng, { mailboxes, accounts }: WorldSpec): WorldSpec['down'] {
  const isBad = rng.chance(0.4)
  const some = (list: unknown[]) => list.flatMap((_, place) => (isBad && rng.chance(0.5) ? [place] : []))
  return { mailboxes: some(mailboxes), accounts: some(accounts) }
}

function mailWorldOf(seed: number, use = 'world', given?: boolean): WorldSpec {
  const rng = rngOf(seed, use)
  const isQuiet = rng.chance(0.25)
  const undisturbed = given ?? isQuiet
  const timezone = rng.pick(NASTY_ZONES)
  const campaigns = rng.pick([1, 2, 2, 3])
  const mailboxes = Array.from({ length: undisturbed ? campaigns * 2 : rng.int(1, 3) }, () => aMailbox(rng))
  const most = rng.pick([3, 5, 8])
  const shared = Array.from(
    { length: 8 },
    (_, index) => `lead-${index}@${index < 4 ? 'acme' : 'globex'}.example`,
  )
  // Campaigns with slots at the same instants compete for their mailboxes.
  const inStep = !undisturbed && rng.chance(0.6) ? somePace(rng) : null
  return {
    seed,
    undisturbed,
    starts_at: startNear(rng, timezone),
    owner_timezone: rng.chance(0.5) ? timezone : rng.pick(NASTY_ZONES),
    workspaces: 1,
    is_family: false,
    mailboxes,
    grants: NO_GRANTS,
    accounts: [],
    network: QUIET_NETWORK,
    down: { mailboxes: [], accounts: [] },
    given: [],
    recipients: {},
    away: [],
    policy: FREE,
    answered: [],
    campaigns: Array.from({ length: campaigns }, (_, index) => ({
      ...aCampaign(rng, inStep || rng.chance(0.8) ? timezone : rng.pick(NASTY_ZONES)),
      ...inStep,
      workspace: 0,
      mailboxes: undisturbed
        ? [index * 2, index * 2 + 1].slice(0, rng.int(1, 2))
        : someMailboxes(rng, mailboxes.length),
      account: null,
      sending_windows: null,
      sender_rotation: 'senders',
      match_providers: false,
      holiday_country: null,
      schedule_timezone: 'campaign',
      timezones: [],
      profiles: [],
      emails: shared
        .slice(0, rng.int(2, most))
        .map((email) => (rng.chance(0.05) ? null : rng.chance(0.05) ? (shared[0] ?? null) : email)),
    })),
    answers: undisturbed ? NONE : someAnswers(rng),
    faults: undisturbed
      ? { lose_connection: 0, die: 0, time_passes: 0 }
      : {
          lose_connection: rng.pick([0, 0, 0.003, 0.01]),
          die: rng.pick([0, 0, 0.003, 0.01]),
          time_passes: rng.pick([0, 0, 0.01, 0.05]),
        },
    events: undisturbed
      ? { chance: 0, most: 0 }
      : { chance: rng.pick([0.1, 0.3, 0.6]), most: rng.int(2, 12) },
    workers: rng.pick([1, 1, 2, 3, 4]),
    capacity: rng.pick([1, 3, 50]),
    sticky: rng.pick([0, 0.5, 0.9]),
    late: undisturbed
      ? { chance: 0, most_ms: 0 }
      : { chance: rng.pick([0, 0.1]), most_ms: rng.pick([60_000, 30 * HOUR_MS]) },
    // From a stream of its own, so that worlds without naps stay as they are.
    naps: undisturbed ? 0 : rngOf(seed, 'sleep').pick([0, 0, 0.03, 0.2]),
  }
}

function aMailbox(rng: Rng): MailboxSpec {
  const box = anyMailbox(rng)
  // Derived from values that are drawn anyway, so that every other world stays as it is.
  const by_health = box.ramp_up !== null && box.ramp_age_days > 0
  return { ...box, by_health, held_days: by_health && box.ramp_age_days < 3 ? 2 : 0, provider: null }
}

function anyMailbox(rng: Rng): Omit<MailboxSpec, 'by_health' | 'held_days' | 'provider'> {
  return {
    workspace: 0,
    same_as: null,
    daily_limit: rng.pick([1, 2, 4, 50, 50]),
    min_interval_seconds: rng.pick([0, 0, 90, 7_200]),
    ramp_up: rng.chance(0.3) ? { start: rng.pick([1, 2]), increase_per_day: rng.pick([0, 1, 2]) } : null,
    ramp_age_days: rng.int(0, 3),
  }
}

type Bare = Omit<
  CampaignSpec,
  | 'workspace'
  | 'mailboxes'
  | 'emails'
  | 'account'
  | 'profiles'
  | 'sending_windows'
  | 'holiday_country'
  | 'schedule_timezone'
  | 'timezones'
  | 'sender_rotation'
  | 'match_providers'
>

function aCampaign(rng: Rng, timezone: string): Bare {
  const rules = Array.from({ length: rng.int(1, 4) }, (_, index) => ({
    delay_days: rng.pick(index === 0 ? [0, 0, 0, 1] : [0, 0, 1, 2, 5]),
    condition: laterOnly(
      index,
      rng.pick(['always', 'always', 'always', 'always', 'always', 'opened', 'not_opened'] as const),
    ),
    track_opens: true,
    // Each message names its campaign and step, so that an offer can be attributed.
    message_template: `[[CAMPAIGN ${index + 1}]] A word.`,
  }))
  const mayBegin = (index: number) => rules.slice(0, index).every((rule) => rule.condition !== 'always')
  const steps = StepsConfig.parse(
    rules.map((rule, index) => ({ ...rule, subject: mayBegin(index) ? 'Hello' : null })),
  )
  return { timezone, steps_config: steps, ...somePace(rng) }
}

/** A first step that waits for an open could never happen, and its campaign would not be launched. */
const laterOnly = (index: number, condition: 'always' | 'opened' | 'not_opened') =>
  index === 0 && condition === 'opened' ? 'always' : condition

/** What an owner may also change while a campaign is paused. */
export function somePace(rng: Rng) {
  const start = rng.int(0, 95) * 15
  const length = rng.pick([0, 30, 60, 480, 480, 1_200])
  const clock = (minute: number) => new Date((minute % 1_440) * 60_000).toISOString().slice(11, 19)
  return {
    daily_limit: rng.pick([1, 2, 4, 50, 50]),
    min_interval_seconds: rng.pick([0, 0, 60, 5_000, 50_000]),
    sending_window_start: clock(start),
    sending_window_end: clock(start + length),
    send_days: rng.chance(0.4) ? [...SEND_DAYS] : rng.some(SEND_DAYS, 1),
  }
}

export function someMailboxes(rng: Rng, count: number): number[] | null {
  if (rng.chance(0.4)) return null
  return rng.some(
    Array.from({ length: count }, (_, index) => index),
    1,
  )
}

function someAnswers(rng: Rng): Answers {
  const scale = rng.pick([0, 0.3, 1])
  const some = (most: number) => rng.next() * most * scale
  return {
    refused_recipient: some(0.08),
    refused_sender: some(0.04),
    refused_message: some(0.04),
    refused_for_now: some(0.3),
    never_left: some(0.15),
    auth: some(0.04),
    unknown: some(0.12),
  }
}

/** Shortly before a clock change, where the zone has one. */
function startNear(rng: Rng, timezone: string): number {
  const changes = transitionsOf(timezone)
  const near =
    changes.length > 0 ? rng.pick(changes) : Date.UTC(rng.int(2021, 2034), rng.int(0, 11), rng.int(1, 28))
  return near - rng.int(0, 120) * HOUR_MS - rng.int(0, 3_599) * 1_000
}
