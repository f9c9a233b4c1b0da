import type { Claim, MailboxRow } from '#tests/simulation/checks/ledger'
import { dateOf, daysBetween } from '#tests/simulation/worlds/calendar'
import type { Offer } from '#tests/simulation/worlds/provider'
import type { Network } from '#tests/simulation/worlds/social-network'

/** What is known apart from the ledger when a change is judged. */
export type Witness = {
  /** The provider's own log. */
  offers: Offer[]
  /** How the network has it between accounts and people. */
  network: Network
  /** Places of the campaigns, as messages name them. */
  places: Map<string, number>
  /** Actions of which the owner said that they were not sent. */
  words: Set<string>
  /** In whose name the commit that is judged was made; null where a worker made it. */
  acting: string | null
  /** The virtual time. */
  now: number
  /** Commits until now, and when the transaction that is judged began. */
  commits: number
  began: number
}

export type Fail = (invariant: string, text: string) => never

export const isOver = (status: string) => status !== 'pending' && status !== 'active'
export const instant = (iso: string) => Date.parse(iso)
/** Its domain is the mailbox's, which an edit may take away. */
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
