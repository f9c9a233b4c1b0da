/**
 * Why a sender cannot send. None of it says anything about a lead or a message: the sender waits, and its leads keep their
 * places.
 */
export const SENDER_CAUSES = [
  'unreachable',
  'sign_in',
  'blocked',
  'throttled',
  'refused',
  'misconfigured',
  'unreadable',
  'signed_out',
  'needs_admin',
] as const
export type SenderCause = (typeof SENDER_CAUSES)[number]

/** A sender that cannot send at the moment, as far as plans and explanations depend on it. */
export interface SenderFailure {
  cause: SenderCause
  /** What was said, for people. */
  said: string
  /** An address, or the name of an account. */
  name: string
  /** Tries in a row that came to nothing. */
  tries: number
  /** Nothing is tried before then. */
  next_try_at: number
}

/** Why a mail never left, as its driver says; one for which no connection was free, or that we closed, is nobody's fault. */
type Obstacle =
  | 'resolve'
  | 'blocked'
  | 'connect'
  | 'tls'
  | 'auth'
  | 'lost'
  | 'busy'
  | 'late'
  | 'closed'
  | 'scope'
  | 'policy'
  | 'client'
  | 'throttled'
  | 'refused'
  | 'folder'

const CAUSES: Readonly<Record<Obstacle, SenderCause | null>> = {
  resolve: 'unreachable',
  connect: 'unreachable',
  tls: 'unreachable',
  lost: 'unreachable',
  folder: 'unreachable',
  blocked: 'blocked',
  auth: 'sign_in',
  scope: 'signed_out',
  policy: 'needs_admin',
  client: 'misconfigured',
  throttled: 'throttled',
  refused: 'refused',
  busy: null,
  late: null,
  closed: null,
}

export const failureCause = (reason: Obstacle): SenderCause | null => CAUSES[reason]

const MINUTE_MS = 60_000
const LONGEST_MS = 60 * MINUTE_MS
/** No provider's limit is longer, whatever its answer says. */
const DAY_MS = 24 * 60 * MINUTE_MS

/** How long after so many tries in a row the next one comes: 1, 2, 4 … 60 minutes. */
export const retryAfter = (tries: number): number =>
  Math.min(LONGEST_MS, MINUTE_MS * 2 ** Math.max(0, Math.min(tries, 10) - 1))

const WORDS: Record<SenderCause, string> = {
  unreachable: 'its server cannot be reached',
  sign_in: 'its server refuses the sign-in',
  blocked: 'its server is on a private network that this instance may not access',
  throttled: 'its server is not accepting more emails right now',
  refused: 'its server does not let it send',
  misconfigured: 'this instance is not set up for it',
  signed_out: 'its owner has to sign in again',
  needs_admin: 'an administrator of its organization must allow it',
  unreadable: 'its incoming mail cannot be read, so replies would go unnoticed',
}

/** What the owner reads, in a sentence without an instant. */
export const failureInWords = ({ name, cause }: Pick<SenderFailure, 'name' | 'cause'>): string =>
  `${name} cannot send: ${WORDS[cause]}. Its leads keep their places, and sending is retried automatically.`

type Shown = {
  /** When the action took its slot. */
  at: number
  /** What its outcome showed of its sender. */
  sender: SenderShown
}
export type SenderShown =
  | 'works'
  | 'untried'
  /** With the time for which its provider asks, where it does. */
  | { cause: SenderCause; said: string; retry_after_ms?: number | null | undefined }

export type SenderState = {
  failing_since: number | null
  failing_tries: number
  /** When it was last looked at by a test, or worked again. */
  last_checked_at: number | null
}

export type SenderVerdict =
  | {
      becomes: 'failing'
      cause: SenderCause
      said: string
      tries: number
      since: number
      next_try_at: number
    }
  | { becomes: 'connected' }
  /** The try met nothing of the sender: another may be made at once. */
  | { becomes: 'untried' }

/**
 * What outcomes mean for their sender; null: nothing new. While it fails, only what was claimed after it began to is
 * evidence: the rest was under way before, and neither counts as a try nor shows that it works again.
 */
export function judgeSender(state: SenderState, shown: readonly Shown[], now: number): SenderVerdict | null {
  const { failing_since, failing_tries, last_checked_at } = state
  const telling = shown.filter(({ at }) =>
    failing_since === null ? at >= (last_checked_at ?? Number.NEGATIVE_INFINITY) : at > failing_since,
  )
  const fault = telling.flatMap(({ sender }) => (typeof sender === 'object' ? [sender] : []))[0]
  if (failing_since !== null && telling.some(({ sender }) => sender === 'works'))
    return { becomes: 'connected' }
  if (!fault)
    return failing_since !== null && telling.some(({ sender }) => sender === 'untried')
      ? { becomes: 'untried' }
      : null
  const tries = failing_since === null ? 1 : failing_tries + 1
  return {
    becomes: 'failing',
    cause: fault.cause,
    said: fault.said,
    tries,
    since: failing_since ?? now,
    next_try_at: now + Math.max(retryAfter(tries), Math.min(fault.retry_after_ms ?? 0, DAY_MS)),
  }
}
