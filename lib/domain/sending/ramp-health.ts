import { dateInWords } from '#lib/domain/calendar/day-words'
import { rampLimit } from '#lib/domain/sending/sender-limits'

export const RAMP_VERDICTS = ['rise', 'hold', 'fall'] as const
export type RampVerdict = (typeof RAMP_VERDICTS)[number]
export const RAMP_CAUSES = ['complaints', 'bounces', 'deferrals', 'spam', 'outage'] as const
export type RampCause = (typeof RAMP_CAUSES)[number]

/**
 * What became of a mailbox's emails before the day being judged, leaving out what already lowered or held the
 * ramp.
 */
export type RampEvidence = {
  sent: number
  bounced: number
  deferred: number
  complained: number
  /** Hours in which no email could be handed to the mailbox's server. */
  outage_hours: number
  /** From its last placement test: how many emails arrived, and how many of those in a spam folder. */
  tested: number
  spam: number
}
export const NO_EVIDENCE: RampEvidence = {
  sent: 0,
  bounced: 0,
  deferred: 0,
  complained: 0,
  outage_hours: 0,
  tested: 0,
  spam: 0,
}

/** What a mailbox that ramps up by health may send on one day. Days are local dates of the owner. */
export type RampDay = {
  day: number
  allowed: number
  verdict: RampVerdict
  /** Null while the limit rises. */
  cause: RampCause | null
  /** The last day that stays at `allowed` if nothing else goes wrong. */
  rises_after: number
  /** Evidence from before this day no longer counts. */
  judged_from: number
  evidence: RampEvidence
}

type Ramp = { start: number; increase_per_day: number; day: number }

/** Older evidence is ignored. */
export const EVIDENCE_DAYS = 7
/** Days without a rise: after the limit fell, and after test emails were found in spam. */
const FALLEN_DAYS = 3
const SPAM_DAYS = 7

type Limits = { count: number; share: number }
const BAD = {
  complaints: { count: 2, share: 0.003 },
  bounces: { count: 3, share: 0.05 },
  deferrals: { count: 5, share: 0.2 },
  spam: { count: 2, share: 1 / 3 },
} as const satisfies Partial<Record<RampCause, Limits>>
const WORRYING = {
  complaints: { count: 1, share: 0 },
  bounces: { count: 2, share: 0.02 },
  deferrals: { count: 3, share: 0.1 },
  spam: { count: 1, share: 0 },
} as const satisfies Partial<Record<RampCause, Limits>>
const OUTAGE_HOURS = 3

type Judged = keyof typeof BAD
const JUDGED: readonly Judged[] = ['complaints', 'bounces', 'deferrals', 'spam']

/** The number of bad emails for a cause, and the number of emails it is measured against. */
export function rampShare(evidence: RampEvidence, cause: Judged): { count: number; of: number } {
  const offered = Math.max(evidence.sent, evidence.bounced) + evidence.deferred
  if (cause === 'complaints') return { count: evidence.complained, of: evidence.sent }
  if (cause === 'bounces') return { count: evidence.bounced, of: offered }
  if (cause === 'deferrals') return { count: evidence.deferred, of: offered }
  return { count: evidence.spam, of: evidence.tested }
}

const exceeds = (evidence: RampEvidence, cause: Judged, { count: least, share }: Limits) => {
  const { count, of } = rampShare(evidence, cause)
  return count >= least && count > of * share
}

/** The verdict on the evidence, and the first cause that led to it. */
export function judgeRamp(evidence: RampEvidence): { verdict: RampVerdict; cause: RampCause | null } {
  const bad = JUDGED.find((cause) => exceeds(evidence, cause, BAD[cause]))
  if (bad) return { verdict: 'fall', cause: bad }
  const worrying = JUDGED.find((cause) => exceeds(evidence, cause, WORRYING[cause]))
  if (worrying) return { verdict: 'hold', cause: worrying }
  if (evidence.outage_hours >= OUTAGE_HOURS) return { verdict: 'hold', cause: 'outage' }
  return { verdict: 'rise', cause: null }
}

/**
 * The limit for `today`. While all is well it rises by `increase_per_day` for each day since the last decision; it stays if
 * something is worrying, and halves if something is bad. Each sign counts only once, so a mailbox that does well afterwards
 * rises on the very day that was forecast. `previous` is null when the ramp is judged for the first time.
 */
export function decideRamp(
  { ramp, ceiling }: { ramp: Ramp; ceiling: number },
  previous: RampDay | null,
  evidence: RampEvidence,
  today: number,
): RampDay {
  // The owner moved the timezone west: the later day's decision stands.
  if (previous && previous.day >= today) return previous
  const floor = Math.min(ceiling, ramp.start)
  const within = (count: number) => Math.max(floor, Math.min(ceiling, count))
  const before = within(previous?.allowed ?? rampLimit(ramp, ceiling, today - 1))
  const { verdict, cause } = judgeRamp(evidence)
  const judged_from = previous?.judged_from ?? today - EVIDENCE_DAYS
  const base = { day: today, evidence, judged_from: Math.max(judged_from, today - EVIDENCE_DAYS) }
  if (verdict === 'fall') {
    const days = cause === 'spam' ? SPAM_DAYS : FALLEN_DAYS
    const rises_after = Math.max(previous?.rises_after ?? 0, today + days - 1)
    const allowed = within(Math.floor(before / 2))
    return { ...base, allowed, verdict, cause, rises_after, judged_from: today }
  }
  if (verdict === 'hold') {
    const rises_after = Math.max(previous?.rises_after ?? 0, cause === 'spam' ? today + SPAM_DAYS - 1 : today)
    return { ...base, allowed: before, verdict, cause, rises_after, judged_from: today }
  }
  const isHeld = previous !== null && previous.rises_after >= today && !isCleared(previous, evidence)
  if (isHeld)
    return {
      ...base,
      allowed: before,
      verdict: 'hold',
      cause: previous.cause,
      rises_after: previous.rises_after,
      evidence: previous.evidence,
    }
  const from = previous && Math.min(today - 1, Math.max(previous.day, previous.rises_after))
  const allowed =
    from === null
      ? rampLimit(ramp, ceiling, today)
      : within(before + ramp.increase_per_day * Math.max(0, today - from))
  return { ...base, allowed, verdict, cause, rises_after: today }
}

/** A later placement test with no email in spam ends a hold or fall that an earlier test caused. */
const isCleared = (previous: RampDay, evidence: RampEvidence) =>
  previous.cause === 'spam' && evidence.tested > 0 && evidence.spam === 0

/** The decision in the form `Meter` counts with: the limit rises again from the day after `rises_after`. */
export const rampFrom = (
  ramp: Pick<Ramp, 'increase_per_day'>,
  { allowed, day, rises_after }: RampDay,
): Ramp => ({
  start: allowed,
  increase_per_day: ramp.increase_per_day,
  day: Math.max(day, rises_after),
})

const WHAT = {
  complaints: 'recipients complained',
  bounces: 'emails bounced',
  deferrals: 'emails were deferred',
  spam: 'test emails were found in spam',
} as const

/** Why the limit does not rise, such as "3 of 60 emails bounced"; null if it rises. */
export function rampReason({ cause, evidence }: Pick<RampDay, 'cause' | 'evidence'>): string | null {
  if (cause === null) return null
  if (cause === 'outage') return `it could not send in ${evidence.outage_hours} hours`
  const { count, of } = rampShare(evidence, cause)
  return `${count.toLocaleString('en')} of ${of.toLocaleString('en')} ${WHAT[cause]}`
}

/** A sentence about a mailbox whose limit does not rise; null if it rises. */
export function rampInWords(name: string, day: RampDay): string | null {
  const reason = rampReason(day)
  if (reason === null) return null
  const does = day.verdict === 'fall' ? 'was lowered to' : 'stays at'
  return `${name} ${does} ${day.allowed.toLocaleString('en')} a day until ${dateInWords(day.rises_after)}: ${reason}.`
}
