import { loadZone, moveDays } from '#lib/domain/calendar/zoned-time'
import type { LeadStatus } from '#lib/domain/campaigns/campaign-status'
import type { Channel } from '#lib/domain/campaigns/step-conditions'
import type { Blamed } from '#lib/domain/inbox/status-code'
import type { SenderCause } from '#lib/domain/sending/sender-failures'

/** The outcome of offering one action to a provider; the classes mean the same for every provider. */
export type OutcomeClass =
  | 'accepted'
  | 'refused_for_good'
  | 'refused_for_now'
  | 'never_left'
  | 'unknown'
  /** Nothing was offered: a last check showed that the step does not apply to this lead. */
  | 'not_for_lead'

export type Outcome = {
  outcome: OutcomeClass
  /** What the provider said, for people to read. */
  response: string
  /** Whose fault a refusal is. Only `recipient` says anything about the address. */
  blames?: Blamed
  /** The provider's Message-ID, if it replaced ours. */
  server_message_id?: string | null
  /** A fault that stops the sender as a whole. It says nothing about this action, which did not leave. */
  sender_fault?: SenderCause
  /** The provider accepted the connection of this sender, whatever it said about the action. */
  sender_worked?: boolean
  /** The account must be reconnected; its provider reports when that has happened. */
  sender_rejected?: boolean
  /**
   * The connection broke during this action, which may itself be the cause. The lead waits longer each time
   * so that others are tried first.
   */
  may_be_cause?: boolean
  /** For a temporary refusal: when the provider says to try again. */
  retry_after_ms?: number | null
  /** The network does not know the lead's profile, so none of its social steps can happen. */
  unreachable?: boolean
  /** The ids of an accepted social action and its recipient. */
  social?: {
    provider_id: string
    chat_id: string | null
    message_id: string | null
    invitation_id: string | null
  }
}

export type Offered = {
  /** Absent: email. */
  channel?: Channel
  step: number
  /** The instant planned for the action; delays of later steps count from it. */
  performed_at: number
  /** How often this action was offered, including this time. */
  attempts: number
  /** Steps of the campaign; delays of those after `step` decide when the next is due. */
  steps_config: readonly { delay_days: number }[]
  timezone: string
}

export type Consequence = {
  action: 'sent' | 'retry' | 'failed' | 'uncertain' | 'skipped'
  lead: Extract<LeadStatus, 'active' | 'completed' | 'failed' | 'bounced'>
  /** The step it waits for and since when it is due; null when the lead is over. */
  next: { step: number; due_at: number } | null
  reason: string | null
  /** The slot was not used and must not count against a limit. */
  give_back: boolean
  suppress: boolean
  disconnect_sender: boolean
  /** Nothing was offered that could be refused, so it does not count as one of the five tries. */
  is_no_try: boolean
}

export const MAX_ATTEMPTS = 5
const MINUTE_MS = 60_000
const LONGEST_BACKOFF_MS = 240 * MINUTE_MS
/** Delays before each retry: greylisting passes after minutes, a full mailbox after hours. The fifth refusal is final. */
const BACKOFF_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS, LONGEST_BACKOFF_MS]
const NEVER_LEFT_MS = 2 * MINUTE_MS

/**
 * What an outcome means for the action, the lead and the sender (sending rules, "Outcome classes").
 *
 * `unknown` counts as sent and is never offered again automatically; the lead continues with its next step.
 * `never_left` is not one of the five tries, since nothing was offered. Nor is a fault of the sender: the
 * lead keeps its place and the sender is tried again.
 */
export function decideConsequence(offered: Offered, result: Outcome, now: number): Consequence {
  const base = {
    reason: null,
    give_back: false,
    suppress: false,
    disconnect_sender: false,
    is_no_try: false,
  }
  const again = (due_at: number) => ({
    ...base,
    action: 'retry' as const,
    lead: 'active' as const,
    next: { step: offered.step, due_at },
    give_back: true,
    reason: result.response,
  })
  if (result.sender_fault)
    return result.may_be_cause
      ? again(now + (BACKOFF_MS[offered.attempts - 1] ?? LONGEST_BACKOFF_MS))
      : { ...again(offered.performed_at), is_no_try: true }
  switch (result.outcome) {
    case 'accepted':
      return { ...base, action: 'sent', ...goOn(offered) }
    case 'unknown':
      return { ...base, action: 'uncertain', ...goOn(offered), reason: result.response }
    case 'never_left':
      return {
        ...again(now + NEVER_LEFT_MS),
        disconnect_sender: result.sender_rejected ?? false,
        is_no_try: true,
      }
    case 'refused_for_now':
      if (offered.attempts < MAX_ATTEMPTS)
        return again(
          now + Math.max(BACKOFF_MS[offered.attempts - 1] ?? NEVER_LEFT_MS, result.retry_after_ms ?? 0),
        )
      return {
        ...base,
        action: 'failed',
        lead: 'failed',
        next: null,
        reason: `${MAX_ATTEMPTS} tries: ${result.response}`,
      }
    case 'not_for_lead':
      return {
        ...base,
        action: 'skipped',
        ...goOn(offered),
        give_back: true,
        is_no_try: true,
        reason: result.response,
      }
    case 'refused_for_good': {
      // A person who accepts no messages, or who has no post, may still be reached by later steps.
      if (offered.channel === 'social' && result.blames === 'recipient')
        return { ...base, action: 'failed', ...goOn(offered), reason: result.response }
      const bounced = result.blames === 'recipient'
      return {
        ...base,
        action: 'failed',
        lead: bounced ? 'bounced' : 'failed',
        next: null,
        reason: result.response,
        suppress: bounced,
      }
    }
  }
}

/**
 * The next step is due after its own delay, at the same local time. After the last step the lead is
 * completed.
 */
export function goOn(offered: Omit<Offered, 'attempts'>): Pick<Consequence, 'lead' | 'next'> {
  const following = offered.steps_config[offered.step]
  if (!following) return { lead: 'completed', next: null }
  const due_at = moveDays(loadZone(offered.timezone), offered.performed_at, following.delay_days)
  // Never at the same instant: the outcome of this step may still end the lead.
  return {
    lead: 'active',
    next: { step: offered.step + 1, due_at: Math.max(due_at, offered.performed_at + 1) },
  }
}
