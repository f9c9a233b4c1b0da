import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { ScheduleTimezone } from '#lib/domain/calendar/schedule'
import type { SenderRotation } from '#lib/domain/campaigns/sender-rotation'
import type { ContactRules } from '#lib/domain/sending/contact-hold'
import type { MatchedProvider } from '#lib/domain/sending/provider-matching'
import type { Faults } from '#tests/simulation/worlds/stage'

/** Probability of each outcome of an offer; otherwise it is accepted. */
export type Answers = {
  refused_recipient: number
  refused_sender: number
  refused_message: number
  refused_for_now: number
  never_left: number
  auth: number
  unknown: number
}

/** Index of the owning workspace; `same_as`: index of a mailbox of another workspace with the same address. */
type Owned = { workspace: number }

export type MailboxSpec = Owned & {
  same_as: number | null
  daily_limit: number
  min_interval_seconds: number
  ramp_up: { start: number; increase_per_day: number } | null
  /** Age of the ramp in whole days when the world begins. */
  ramp_age_days: number
  /** Whether the limit follows the mailbox's health, and for how many days it is held at `start` when the world begins. */
  by_health: boolean
  held_days: number
  /** The provider that its server belongs to; null: none in particular. */
  provider: MatchedProvider | null
}

export type AccountSpec = Omit<
  MailboxSpec,
  'daily_limit' | 'workspace' | 'same_as' | 'by_health' | 'held_days' | 'provider'
> & {
  /** For every action type, so that no default applies. */
  limits: Record<string, { day: number | null; week: number | null }>
}

/** Probability of each outcome of an action or lookup on the network; otherwise it succeeds. */
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
  /** A lookup of a person is not answered. */
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
  /** Indexes in `mailboxes`; null: all of its workspace. */
  mailboxes: number[] | null
  /** Index in `accounts`; null: all of them. */
  account: number | null
  /** Profiles by lead_index; null: a row without one. */
  profiles: (string | null)[]
  /** Time zones by lead_index, where the schedule follows leads; null: a row without one. */
  timezones: (string | null)[]
  /** Addresses by lead_index; null: a row without one. */
  emails: (string | null)[]
}

/** The limits of all campaigns of a workspace together. */
export type ContactPolicy = ContactRules & { colleague_reply_days: number }

/** How the vendor of mailboxes treats their tokens; probabilities unless stated otherwise. */
export type GrantsSpec = {
  /** By mailbox: how it sends; null where it signs in with a password. */
  mailboxes: ('smtp' | 'api' | null)[]
  lives_ms: number
  /** A token expires early: when it is offered, or between a draft and its sending. */
  cut_short: number
  mid_send: number
  /** A refresh gets no answer, or the grant has ended for good. */
  unreachable: number
  ended: number
  rotates: boolean
  /** The mailbox is asked to wait for `asks_ms`. */
  throttled: number
  asks_ms: number
  /** Sent shows a mail that was sent. */
  shown: number
}

export type WorldSpec = {
  seed: number
  /** Nothing unexpected happens: what is performed must equal the forecast. */
  undisturbed: boolean
  starts_at: number
  owner_timezone: string
  workspaces: number
  /** The second workspace is a child of the first, whose suppression list holds for both. */
  is_family: boolean
  mailboxes: MailboxSpec[]
  grants: GrantsSpec
  /** By mailbox, the indexes of the members it is assigned to; to nobody where there is no entry. */
  given: number[][]
  /** The mail providers of the leads' domains; unknown where there is no entry. */
  recipients: Record<string, MatchedProvider | null>
  /** Empty: a world of mail only. */
  accounts: AccountSpec[]
  campaigns: CampaignSpec[]
  answers: Answers
  network: NetworkAnswers
  /** The same in every workspace. */
  policy: ContactPolicy
  /** People of the first workspace who are away when the world begins, and for how long. */
  away: { email: string; hours: number }[]
  /** Companies of the first workspace where somebody outside all campaigns replied before the world begins. */
  answered: { domain: string; hours: number }[]
  /** Indexes of the mailboxes and accounts that are unreachable when the world begins. */
  down: { mailboxes: number[]; accounts: number[] }
  faults: Faults
  /** Probability of an outside event at each wake-up, and the maximum number of events. */
  events: { chance: number; most: number }
  workers: number
  capacity: number
  /** Probability that the same worker continues. */
  sticky: number
  /** Probability that a wake-up is late, and the maximum delay. */
  late: { chance: number; most_ms: number }
  /** Probability that a worker sleeps before it offers what it has claimed. */
  naps: number
}
