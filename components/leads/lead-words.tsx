import type { Output } from '#lib/contracts/contract'
import type { StopCampaignLeads } from '#lib/contracts/leads/lead-stops'
import { PAUSES } from '#lib/domain/campaigns/pause-reasons'
import { capital } from '#lib/domain/text/capital'

const KINDS: Record<string, string> = {
  sending: 'Being sent',
  retry: 'Refused for now, will be retried',
  uncertain: 'Uncertain: it may have arrived',
  planned: 'Planned',
  launched: 'Campaign launched',
  paused: 'Campaign paused',
  resumed: 'Campaign resumed',
  edited: 'Campaign edited',
  opened_once: 'Sending hours opened for the day',
  completed: 'Every step done',
  automatic_reply: 'Automatic reply',
  put_off: 'Postponed',
  hold_set: 'Held manually',
  hold_lifted: 'Hold lifted',
  has_left: 'The person has left',
  branched: 'Moved by a reply rule',
  sender_changed: 'Mailbox changed',
  stopped: 'Stopped manually',
  written_by_hand: 'Stopped: a message was sent manually',
  taken_back: 'Resumed: the stop was undone',
  tried_again: 'Tried again',
  resolved_sent: 'Confirmed as sent',
  resolved_not_sent: 'Confirmed as not sent',
}

/** The words for a kind of event; unknown kinds stay readable. */
export const words = (kind: string) => KINDS[kind] ?? capital(kind.replaceAll('_', ' '))

const isPause = (reason: string): reason is keyof typeof PAUSES => Object.hasOwn(PAUSES, reason)

/** A reason in words; some reasons are codes. */
export function reasonWords({ kind, reason }: { kind: string; reason: string | null }): string | null {
  if (reason === null) return null
  if (kind === 'paused' && isPause(reason)) return reason === 'user' ? 'manually' : PAUSES[reason].cause
  return /^[a-z_]+$/.test(reason) ? reason.replaceAll('_', ' ') : reason
}

/** Why a lead was left unchanged; follows a colon. */
export const WHY_UNCHANGED: Record<Output<typeof StopCampaignLeads>['unchanged'][number]['reason'], string> =
  {
    not_found: 'no longer in the campaign',
    not_waiting: 'already finished',
    not_stopped: 'not stopped, or has replied since',
    suppressed: 'on the suppression list',
    edited: 'the campaign or its row has been edited since',
    under_way: 'a message is being sent; try again in a minute',
    failed: 'its step failed',
    not_failed: 'it has not failed, or has replied since',
    handed_over: 'its message was accepted and then returned, so it is not sent again',
  }
