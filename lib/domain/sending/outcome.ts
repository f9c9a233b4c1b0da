import { loadZone, moveDays } from '#lib/domain/calendar/zoned-time'
import type { LeadStatus } from '#lib/domain/campaigns/campaign-status'
import type { Channel } from '#lib/domain/campaigns/step-conditions'
import type { Blamed } from '#lib/domain/inbox/status-code'
import type { SenderCause } from '#lib/domain/sending/sender-failures'

/** What became of one offer to a provider; the classes mean the same for every provider. */
export type OutcomeClass =
  | 'accepted'
  | 'refused_for_good'
  | 'refused_for_now'
  | 'never_left'
  | 'unknown'
  /** Nothing was offered, since looking closer showed that the step is not for this lead. */
  | 'not_for_lead'

export type Outcome = {
  outcome: OutcomeClass
  /** What the provider said, for people. */
  response: string
  /** Of a refusal: whose fault it is. Only the recipient's says anything about the address. */
  blames?: Blamed
  /** The Message-ID that the provider gave the message instead of ours. */
  server_message_id?: string | null
  /** What stops the sender, whatever it has to send: then nothing is said about this action, and nothing of it left. */
  sender_fault?: SenderCause
  /** Whether the provider was reached over this sender, whatever it said of the action. */
  sender_worked?: boolean
  /** The account has to be signed in to again; its provider tells when it was. */
  sender_rejected?: boolean
  /** The connection broke at this very action, which may be why: the lead waits longer each time, so that others show. */
  may_be_cause?: boolean
  /** Of a refusal for now: when the provider says to come back. */
  retry_after_ms?: number | null
  /** The network has nobody by the lead's profile: no social step of it can happen. */
  unreachable?: boolean
  /** What an accepted social action left behind, and to whom. */
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
  /** The instant that the plan gave the action: delays count from it. */
  performed_at: number
  /** Offers made of this action, this one included. */
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
  /** The slot was not used: it must not count against a limit. */
  give_back: boolean
  suppress: boolean
  disconnect_sender: boolean
  /** Nothing was offered that could be refused: it is no try of the five. */
  is_no_try: boolean
}

export const MAX_ATTEMPTS = 5
const MINUTE_MS = 60_000
const LONGEST_BACKOFF_MS = 240 * MINUTE_MS
/** Greylisting opens after minutes, a full mailbox after hours; after the fifth refusal it is over. */
const BACKOFF_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS, LONGEST_BACKOFF_MS]
const NEVER_LEFT_MS = 2 * MINUTE_MS

/**
 * What an outcome means for the action, the lead and the sender (sending rules, "Outcome classes").
 * `unknown` counts as sent and is never offered again by itself; the lead goes on with its next step.
 * `never_left` is no try of the five: nothing was offered. Nor is what stops the sender: the lead keeps its place, and it
 * is the sender that is tried again.
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
      // A person who takes no message, or has written no post, says nothing about the steps to come.
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

/** The next step is due its delay after this one, at the same local time; after the last the lead is completed. */
export function goOn(offered: Omit<Offered, 'attempts'>): Pick<Consequence, 'lead' | 'next'> {
  const following = offered.steps_config[offered.step]
  if (!following) return { lead: 'completed', next: null }
  const due_at = moveDays(loadZone(offered.timezone), offered.performed_at, following.delay_days)
  // Never at the same instant: the outcome of one step decides whether there is another.
  return {
    lead: 'active',
    next: { step: offered.step + 1, due_at: Math.max(due_at, offered.performed_at + 1) },
  }
}
