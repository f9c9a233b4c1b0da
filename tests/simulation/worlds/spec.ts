import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { ScheduleTimezone } from '#lib/domain/calendar/schedule'
import type { SenderRotation } from '#lib/domain/campaigns/sender-rotation'
import type { ContactRules } from '#lib/domain/sending/contact-hold'
import type { MatchedProvider } from '#lib/domain/sending/provider-matching'
import type { Faults } from '#tests/simulation/worlds/stage'

/** How one offer ends, by chance; what is left over is accepted. */
export type Answers = {
  refused_recipient: number
  refused_sender: number
  refused_message: number
  refused_for_now: number
  never_left: number
  auth: number
  unknown: number
}

/** Place of the workspace that something belongs to; `same_as`: the mailbox of another one with the same address. */
type Owned = { workspace: number }

export type MailboxSpec = Owned & {
  same_as: number | null
  daily_limit: number
  min_interval_seconds: number
  ramp_up: { start: number; increase_per_day: number } | null
  /** Whole days before the world begins. */
  ramp_age_days: number
  /** The limit follows the mailbox's health; if so, for how many days it is held at `start` when the world begins. */
  by_health: boolean
  held_days: number
  /** With whom it is, as its server says; null: with nobody in particular. */
  provider: MatchedProvider | null
}

export type AccountSpec = Omit<
  MailboxSpec,
  'daily_limit' | 'workspace' | 'same_as' | 'by_health' | 'held_days' | 'provider'
> & {
  /** Of every action type, so that no default decides. */
  limits: Record<string, { day: number | null; week: number | null }>
}

/** How the network ends one offer or question, by chance; what is left over is accepted. */
export type NetworkAnswers = {
  refused_recipient: number
  refused_sender: number
  refused_message: number
  /** The network asks the account to rest. */
  rest: number
  refused_for_now: number
  never_left: number
  signed_out: number
  unknown: number
  /** A question about a person is not answered. */
  unread: number
}

export type CampaignSpec = Owned & {
  timezone: string
  schedule_timezone: ScheduleTimezone
  daily_limit: number
  min_interval_seconds: number
  sending_window_start: string
  sending_window_end: string
  sending_windows: { start: string; end: string }[] | null
  sender_rotation: SenderRotation
  match_providers: boolean
  holiday_country: string | null
  send_days: string[]
  steps_config: StepConfig[]
  /** Places in `mailboxes`; null: all of its workspace. */
  mailboxes: number[] | null
  /** Place in `accounts`; null: all of them. */
  account: number | null
  /** Profiles by lead_index; null: a row without one. */
  profiles: (string | null)[]
  /** Zones of their own by lead_index, where leads keep their clocks; null: a row that does not say. */
  timezones: (string | null)[]
  /** Addresses by lead_index; null: a row without one. */
  emails: (string | null)[]
}

/** What all campaigns of a workspace together may do. */
export type ContactPolicy = ContactRules & { colleague_reply_days: number }

/** How the vendor of mailboxes treats their tokens; chances where nothing else is said. */
export type GrantsSpec = {
  /** By mailbox: the way that its mail goes, or null where it signs in by a password. */
  mailboxes: ('smtp' | 'api' | null)[]
  lives_ms: number
  /** A token is over before its time: when it is offered, or between a draft and its sending. */
  cut_short: number
  mid_send: number
  /** A renewal is not answered, or the sign-in is over for good. */
  unreachable: number
  ended: number
  rotates: boolean
  /** The mailbox is asked to wait so long. */
  throttled: number
  asks_ms: number
  /** Sent shows what left. */
  shown: number
}

export type WorldSpec = {
  seed: number
  /** Nothing unexpected happens: what is performed must be the forecast. */
  undisturbed: boolean
  starts_at: number
  owner_timezone: string
  workspaces: number
  /** The second workspace is a child of the first: the first one's list holds for both. */
  is_family: boolean
  mailboxes: MailboxSpec[]
  grants: GrantsSpec
  /** By mailbox, the places of the members whom it is given to; nobody where there is no such entry. */
  given: number[][]
  /** Who takes mail for the domains of leads; nobody knows where it is not said. */
  recipients: Record<string, MatchedProvider | null>
  /** None: a world of mail only. */
  accounts: AccountSpec[]
  campaigns: CampaignSpec[]
  answers: Answers
  network: NetworkAnswers
  /** Of every workspace. */
  policy: ContactPolicy
  /** Who of the first workspace is away when the world begins, and for how long. */
  away: { email: string; hours: number }[]
  /** Companies of the first workspace where somebody whom no campaign has replied before the world begins. */
  answered: { domain: string; hours: number }[]
  /** Places of the mailboxes, and of the accounts, that cannot be reached when the world begins. */
  down: { mailboxes: number[]; accounts: number[] }
  faults: Faults
  /** Chance of an event of the owner's world at each wake-up, and how many there are at most. */
  events: { chance: number; most: number }
  workers: number
  capacity: number
  /** How often the same worker goes on. */
  sticky: number
  /** Chance that a wake-up comes late, and by how much at most. */
  late: { chance: number; most_ms: number }
  /** Chance that a worker sleeps before it offers what it has claimed. */
  naps: number
}
