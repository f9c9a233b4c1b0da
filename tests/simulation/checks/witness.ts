import type { Claim, MailboxRow } from '#tests/simulation/checks/ledger'
import { dateOf, daysBetween } from '#tests/simulation/worlds/calendar'
import type { Offer } from '#tests/simulation/worlds/provider'
import type { Network } from '#tests/simulation/worlds/social-network'

/** What a change is judged against besides the ledger. */
export type Witness = {
  /** The provider's own log. */
  offers: Offer[]
  /** The real relations between accounts and people, as the network has them. */
  network: Network
  /** The index of each campaign, which its messages carry. */
  places: Map<string, number>
  /** Actions that the owner declared as not sent. */
  words: Set<string>
  /** The workspace on whose behalf the judged commit was made; null where a worker made it. */
  acting: string | null
  /** The virtual time. */
  now: number
  /** Number of commits so far, and when the judged transaction began. */
  commits: number
  began: number
}

export type Fail = (invariant: string, text: string) => never

export const isOver = (status: string) => status !== 'pending' && status !== 'active'
export const instant = (iso: string) => Date.parse(iso)
/** The local part of a Message-ID. Its domain is the mailbox's, which an edit may change. */
export const localPart = (messageId: string | null) => messageId?.split('@')[0]

export const isNear = (claim: Claim, others: Claim[], seconds: number) =>
  others.some((one) => Math.abs(claim.at - one.at) < seconds * 1_000)

export function limitOn(
  mailbox: Pick<MailboxRow, 'daily_limit' | 'ramp_up' | 'ramp_up_started_at'>,
  date: string,
  timezone: string,
): number {
  if (!mailbox.ramp_up) return mailbox.daily_limit
  const days = daysBetween(dateOf(timezone, instant(mailbox.ramp_up_started_at)), date)
  const ramped = mailbox.ramp_up.start + mailbox.ramp_up.increase_per_day * Math.max(0, days)
  return Math.min(mailbox.daily_limit, ramped)
}
