import { dateInWords } from '#lib/domain/calendar/day-words'
import { compileSchedule, upcomingWindow } from '#lib/domain/calendar/schedule'
import { formatDay } from '#lib/domain/calendar/zoned-time'
import { type CampaignStatus, mayDispatch } from '#lib/domain/campaigns/campaign-status'
import { PAUSES, type PauseReason } from '#lib/domain/campaigns/pause-reasons'
import { usedUp } from '#lib/domain/forecast/explain-limit'
import { clockSchedule } from '#lib/domain/sending/clock-groups'
import type { CONTACT_HOLDS } from '#lib/domain/sending/contact-hold'
import { planDispatch } from '#lib/domain/sending/dispatch-policy'
import type { DispatchInput } from '#lib/domain/sending/dispatch-state'
import { HOLDS, type Hold, nextWindowDay } from '#lib/domain/sending/pacing'
import { failureInWords, type SenderFailure } from '#lib/domain/sending/sender-failures'
import type { Sender } from '#lib/domain/sending/sender-limits'

/** One rule that holds a campaign back, for the decision log and for people. */
export interface WaitReason {
  code:
    | 'not_running'
    | 'paused'
    | 'due_now'
    | 'nothing_due'
    | 'window_never_opens'
    | 'no_sender'
    | 'sender_failing'
    | 'texts_held'
    | 'absent'
    | (typeof CONTACT_HOLDS)[number]
    | 'holiday'
    | Hold
  /** When the campaign may act again under all rules; null if only an outside event helps. */
  until: number | null
  params: Readonly<Record<string, string | number | null>>
  /** One sentence without an instant in it: the caller adds `until` in the reader's zone. */
  message: string
}

/**
 * Why a campaign is not sending at `now`, and until when. If several rules apply in sequence, it names the
 * one that takes longest; `until` is the end of all of them, so it equals the plan's `next_slot_at`. Problems
 * only the owner can fix (a sender that cannot send, texts awaiting approval) take precedence over waits that
 * end by themselves.
 *
 * `held`: leads waiting for an unapproved text. `away`: people who are away, if the first one back is among
 * `follow_ups`. `contact`: people held by the contact policy.
 */
export function explainWait(
  campaign: Standing,
  input: DispatchInput,
  now: number,
  held = 0,
  away: AwayPeople | null = null,
  contact: ContactHeld | null = null,
): WaitReason {
  const standing = explainStanding(campaign)
  if (standing) return standing

  const plan = planDispatch(input, now, 0)
  const failing = failingThatHolds(input, plan.next_slot_at, now)
  if (failing)
    return reason(
      'sender_failing',
      plan.next_slot_at,
      {
        sender_id: failing.sender_id,
        channel: failing.channel,
        name: failing.failing.name,
        cause: failing.failing.cause,
        error: failing.failing.said,
      },
      failureInWords(failing.failing),
    )
  if (plan.next_slot_at === null) return held > 0 ? textsHeld(held, null) : never(input, now)
  if (plan.next_slot_at <= now) return reason('due_now', now, {}, 'The next action is due.')

  let code: Hold = 'window'
  for (const hold of HOLDS) if (plan.waits[hold] > plan.waits[code]) code = hold
  if (code === 'delay' && held > 0) return textsHeld(held, plan.next_slot_at)
  if (code === 'delay' && away && away.until <= plan.next_slot_at) return absent(away, plan.next_slot_at)
  if (code === 'delay' && contact && (contact.until ?? 0) <= plan.next_slot_at)
    return contactHeld(contact, contact.until !== null && contact.until > now ? contact.until : null)
  const clock = plan.next_timezone
  const holiday = code === 'send_days' ? explainHoliday(input, now, plan.next_slot_at, clock) : null
  if (holiday) return holiday
  const used = code === 'sender_limit' ? usedUp(input, now) : null
  return reason(
    code,
    plan.next_slot_at,
    { ...reasonParams(code, input, clock), ...used?.params },
    used?.message ?? (clock === null ? MESSAGES[code] : (BY_THEIR_CLOCKS[code] ?? MESSAGES[code])),
  )
}

/** The date and name of the holiday, if one closes the day. */
function explainHoliday(
  { campaign }: DispatchInput,
  now: number,
  until: number,
  clock: string | null,
): WaitReason | null {
  const schedule = clock === null ? compileSchedule(campaign) : clockSchedule(campaign, clock)
  const day = nextWindowDay(schedule, now)
  const name = campaign.holidays?.(day)
  if (!name) return null
  const date = formatDay(day)
  const { holiday_country = null, holiday_region = null } = campaign
  const timezone = clock ?? campaign.timezone
  const params = { holiday: name, date, holiday_country, holiday_region, timezone }
  return reason('holiday', until, params, `${dateInWords(day)} is a holiday: ${name}.`)
}

type Failing = Sender & { failing: SenderFailure }
const isFailing = (sender: Sender): sender is Failing => Boolean(sender.failing)

/** The failing sender that delays the next action or prevents it; of several, the one tried next. */
function failingThatHolds(input: DispatchInput, next: number | null, now: number): Failing | null {
  const failing = input.senders
    .filter(isFailing)
    .sort((a, b) => a.failing.next_try_at - b.failing.next_try_at)
  const [first] = failing
  if (!first) return null
  const others = input.senders.filter((sender) => !isFailing(sender))
  if (planDispatch({ ...input, senders: others }, now, 0).next_slot_at === null)
    return next === null ? null : first
  const sound = input.senders.map((sender) => ({ ...sender, failing: null }))
  const without = planDispatch({ ...input, senders: sound }, now, 0).next_slot_at
  return without !== null && next !== null && without < next ? first : null
}

/** How many people are away, and when the first of them is back. */
export type AwayPeople = { people: number; until: number }

const absent = ({ people }: AwayPeople, until: number) =>
  reason(
    'absent',
    until,
    { people },
    `${people === 1 ? '1 person is' : `${people} people are`} away, and nobody else is due before the first one is back.`,
  )

/** How many people the contact policy holds, the most frequent reason, and the earliest end. */
export type ContactHeld = {
  code: (typeof CONTACT_HOLDS)[number]
  people: number
  until: number | null
  /** A campaign that some of them wait for; null if there is none in particular. */
  campaign_id: string | null
  /** A colleague whose reply some of them wait after. */
  colleague?: string | null
}

const CONTACT_WORDS: Record<ContactHeld['code'], string> = {
  person_busy: 'in another campaign, and nobody else is due before they finish it',
  company_busy: 'waiting for colleagues who are in campaigns',
  resting: 'in the rest period between campaigns',
  colleague_replied: 'waiting since somebody else at their company replied',
  provider_paused: 'waiting because their email provider refuses or defers too many emails from the mailbox',
}

const contactHeld = ({ code, people, campaign_id, colleague }: ContactHeld, until: number | null) =>
  reason(
    code,
    until,
    { people, campaign_id, ...(colleague && { colleague }) },
    `${people === 1 ? '1 person is' : `${people} people are`} ${CONTACT_WORDS[code]}.`,
  )

const textsHeld = (held: number, until: number | null) =>
  reason(
    'texts_held',
    until,
    { held },
    `${held === 1 ? '1 lead waits' : `${held} leads wait`} for a text or a file: the text is not approved yet, its data has changed since, or the file is missing. Review the texts or add the files, and ${held === 1 ? 'it continues' : 'they continue'}.`,
  )

export type Standing = {
  status: CampaignStatus
  paused_reason: PauseReason | null
  start_date?: Date | null
  launch_error?: string | null
}

/** Why a campaign with this status does not send, whatever its leads wait for; null if it may send. */
export function explainStanding(campaign: Standing): WaitReason | null {
  const { status, paused_reason, start_date, launch_error } = campaign
  if (mayDispatch(status)) return null
  if (status === 'paused') {
    const isOwners = paused_reason === null || paused_reason === 'user'
    const why = isOwners ? 'by its owner' : `because ${PAUSES[paused_reason].cause}`
    return reason('paused', null, { paused_reason }, `The campaign is paused ${why}.`)
  }
  const until = status === 'scheduled' ? (start_date?.getTime() ?? null) : null
  const message =
    status === 'failed' && launch_error ? `The launch failed: ${launch_error}` : STANDINGS[status]
  return reason('not_running', until, { status }, message ?? `The campaign is ${status}.`)
}

const STANDINGS: Partial<Record<CampaignStatus, string>> = {
  draft: 'The campaign has not been launched.',
  scheduled: 'The campaign is waiting for its start date.',
  launching: 'The campaign is enrolling its leads.',
  completed: 'All leads have finished.',
  failed: 'The launch failed.',
}

const MESSAGES: Record<Hold, string> = {
  min_interval: 'The minimum interval since the last action has not passed.',
  window: 'The sending window is closed.',
  send_days: 'Today is not one of its sending days.',
  daily_limit: 'The daily limit of the campaign is used up.',
  sender_limit: 'Every sender for the due leads has reached its limit.',
  delay: 'No lead is due. The next steps are waiting for their delays.',
}

/** Used if leads follow their own clocks and the next one's zone decides. */
const BY_THEIR_CLOCKS: Partial<Record<Hold, string>> = {
  window: 'The sending window is closed in the time zone of every due lead.',
  send_days: 'Today is not a sending day in the time zone of any due lead.',
}

function reasonParams(
  code: Hold,
  { campaign, owner_timezone }: DispatchInput,
  clock: string | null,
): WaitReason['params'] {
  const timezone = clock ?? campaign.timezone
  switch (code) {
    case 'min_interval':
      return { min_interval_seconds: campaign.min_interval_seconds }
    case 'daily_limit':
      return { daily_limit: campaign.daily_limit, timezone: campaign.timezone }
    case 'sender_limit':
      return { timezone: owner_timezone }
    case 'send_days':
      return { send_days: campaign.send_days.join(','), timezone }
    case 'window':
      return {
        sending_window_start: campaign.sending_window_start,
        sending_window_end: campaign.sending_window_end,
        timezone,
      }
    case 'delay':
      return { timezone }
  }
}

function never(input: DispatchInput, now: number): WaitReason {
  if (input.follow_ups.length + input.new_leads.length === 0) {
    return reason('nothing_due', null, {}, 'No leads are waiting for a step.')
  }
  if (input.campaign.daily_limit <= 0 || !upcomingWindow(compileSchedule(input.campaign), now)) {
    return reason('window_never_opens', null, {}, 'The sending window never opens.')
  }
  return reason('no_sender', null, {}, 'No connected sender can do the steps that are due.')
}

function reason(
  code: WaitReason['code'],
  until: number | null,
  params: WaitReason['params'],
  message: string,
): WaitReason {
  return { code, until, params, message }
}
