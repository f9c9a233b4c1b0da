/**
 * Why a sender cannot send. None of these says anything about a lead or a message: the sender waits, and its
 * leads keep their places.
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

/** A sender that cannot send at the moment: the facts that plans and explanations need. */
export interface SenderFailure {
  cause: SenderCause
  /** What the server or network said, for people to read. */
  said: string
  /** An address, or the name of an account. */
  name: string
  /** Consecutive failed tries. */
  tries: number
  /** No try is made before this instant. */
  next_try_at: number
}

/**
 * Why an email never left, as reported by its driver. `busy`, `late` and `closed` (no free connection, or we
 * closed it) are not the sender's fault.
 */
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
/** Longest wait accepted from a provider's answer; no provider's limit is longer. */
const DAY_MS = 24 * 60 * MINUTE_MS

/** Delay before the next try, by the number of consecutive failures: 1, 2, 4 … 60 minutes. */
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

/** A sentence for the owner, without a time. */
export const failureInWords = ({ name, cause }: Pick<SenderFailure, 'name' | 'cause'>): string =>
  `${name} cannot send: ${WORDS[cause]}. Its leads keep their places, and sending is retried automatically.`

type Shown = {
  /** When the action took its slot. */
  at: number
  /** What the outcome showed about the sender. */
  sender: SenderShown
}
export type SenderShown =
  | 'works'
  | 'untried'
  /** `retry_after_ms`: how long the provider asked to wait, if it did. */
  | { cause: SenderCause; said: string; retry_after_ms?: number | null | undefined }

export type SenderState = {
  failing_since: number | null
  failing_tries: number
  /** When a test last checked the sender, or when it last recovered. */
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
  /** The try never got as far as the sender, so another may follow at once. */
  | { becomes: 'untried' }

/**
 * What outcomes mean for their sender; null if nothing changes. While the sender is failing, only actions
 * claimed after the failure began count as evidence. Earlier ones were already in progress: they neither
 * count as a try nor show that the sender works again.
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
