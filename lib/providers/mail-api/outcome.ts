import type { z } from 'zod'
import type { InboxFailure } from '#lib/providers/inbox/port'
import type { MailOutcome, MailVerification, NeverLeftReason, Refusal } from '#lib/providers/mail/port'
import type { ApiAnswer, ApiCall } from '#lib/providers/mail-api/http'

/**
 * The meaning of an answer, for any API. `failed`: it does not say whether the request was carried out; `gone`: the object of
 * the request does not exist.
 */
export type ApiFault = {
  kind:
    | 'auth'
    | 'scope'
    | 'policy'
    | 'client'
    | 'throttled'
    | 'sender'
    | 'recipient'
    | 'message'
    | 'failed'
    | 'gone'
  status: number | null
  /** Without an answer: why the request never left, or that it was lost. */
  reason?: Extract<NeverLeftReason, 'blocked' | 'connect' | 'lost'>
  said: string
  retry_after_ms?: number | null
}

export const isDone = (answer: ApiAnswer): answer is Extract<ApiAnswer, { status: number }> =>
  answer.status !== null && answer.status >= 200 && answer.status < 300

/** `offered`: the call that sends was made. Before that, nothing can have left, whatever the API answered. */
export function toOutcome(fault: ApiFault, offered: boolean): MailOutcome {
  const { kind, said: error } = fault
  switch (kind) {
    case 'auth':
    case 'scope':
    case 'policy':
    case 'client':
      return { outcome: 'never_left', reason: kind, error }
    case 'throttled':
      return {
        outcome: 'refused_for_now',
        ...refusal(fault, 'mail', 'sender'),
        retry_after_ms: fault.retry_after_ms ?? null,
      }
    case 'sender':
      return { outcome: 'refused_for_good', ...refusal(fault, 'mail', 'sender') }
    case 'recipient':
      return { outcome: 'refused_for_good', ...refusal(fault, 'rcpt', 'recipient') }
    case 'message':
      return { outcome: 'refused_for_good', ...refusal(fault, 'body', 'message') }
    default: {
      const reason = fault.reason ?? 'lost'
      if (offered && reason === 'lost') return { outcome: 'unknown', error }
      return { outcome: 'never_left', reason, error }
    }
  }
}

/** The result of verifying a mailbox, which sends nothing. */
export function toVerification(fault: ApiFault): MailVerification {
  const outcome = toOutcome(fault, false)
  const reason = outcome.outcome === 'never_left' ? outcome.reason : 'lost'
  return { ok: false, reason: fault.kind === 'throttled' ? 'throttled' : reason, error: fault.said }
}

const refusal = (
  { status, said }: ApiFault,
  stage: Refusal['stage'],
  blames: Refusal['blames'],
): Refusal => ({ stage, code: status, enhanced: null, response: said, blames })

/** A refusal that ends a reading. */
export class Refused extends Error {
  readonly fault: ApiFault
  constructor(fault: ApiFault) {
    super(fault.said)
    this.fault = fault
  }
}

export const isGone = (error: unknown): boolean => error instanceof Refused && error.fault.kind === 'gone'

type Done = Extract<ApiAnswer, { status: number }>

/** An answer of another form counts as no answer. */
export async function askFor<T>(
  ask: (call: ApiCall) => Promise<Done>,
  schema: z.ZodType<T>,
  call: ApiCall,
): Promise<T> {
  const answer = await ask(call)
  const read = schema.safeParse(answer.body)
  if (read.success) return read.data
  throw otherForm(answer.status)
}

export const otherForm = (status: number) =>
  new Refused({ kind: 'failed', status, said: 'The API answered in another form than it documents.' })

/** The outcome of a reading that was refused; an error thrown by `keep` or `advance` is thrown on. */
export function refusedReading(error: unknown) {
  if (!(error instanceof Refused)) throw error
  return { ok: false as const, reason: toInboxFailure(error.fault), error: error.fault.said }
}

function toInboxFailure({ kind, reason }: ApiFault): InboxFailure {
  if (kind === 'auth' || kind === 'scope' || kind === 'policy' || kind === 'client') return 'auth'
  return reason ?? 'lost'
}
