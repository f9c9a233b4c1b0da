import type { MailOutcome, NeverLeft, NeverLeftReason, Refusal, RefusalStage } from '#lib/providers/mail/port'
import { isTlsFailure, tlsInWords } from '#lib/providers/tls-failure'
import { TOO_LATE } from '#lib/providers/too-late'

/** The parts of a nodemailer error that say where in the dialogue it happened. */
export type SmtpError = Error & {
  code?: string
  originalCode?: string
  command?: string
  response?: string
  responseCode?: number
}

const STAGES: Record<string, RefusalStage> = { 'MAIL FROM': 'mail', 'RCPT TO': 'rcpt', DATA: 'data' }

// RFC 4954 section 6: the server demands credentials, other credentials or encryption, whatever the command was.
const AUTH_CODES = new Set([530, 534, 535, 538])

const MAX_RESPONSE_CHARS = 1000

/** A server's text made fit for the database: no NUL or other control characters, bounded, no half of a surrogate pair. */
export function cleanText(text: string) {
  return text
    .replace(/(?!\n)\p{Cc}/gu, '')
    .slice(0, MAX_RESPONSE_CHARS)
    .toWellFormed()
}

/** The enhanced status code of a reply (RFC 3463), or null. */
export function enhancedStatus(response: string) {
  return /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? null
}

/**
 * Whom a refusal is about. Enhanced codes decide if there are any: X.1.x and X.2.x are about the recipient's address and
 * mailbox, except X.1.7 and X.1.8, which are about the sender's, as is X.4.5, the daily quota.
 */
export function blames(stage: RefusalStage, enhanced: string | null): Refusal['blames'] {
  // A server that learns the size from MAIL FROM may refuse the message at that stage (X.3.4).
  const [, subject, detail] = enhanced?.split('.') ?? []
  if (subject === '3' && detail === '4') return 'message'
  if (stage === 'mail' || (subject === '4' && detail === '5')) return 'sender'
  if (subject === '1' && (detail === '7' || detail === '8')) return 'sender'
  if (subject === '1' || subject === '2') return 'recipient'
  if (stage !== 'rcpt') return 'message'
  return subject === '7' ? 'sender' : 'recipient'
}

function refusal(stage: RefusalStage, code: number, response: string): MailOutcome {
  const enhanced = enhancedStatus(response)
  const details = { stage, code, enhanced, response: cleanText(response), blames: blames(stage, enhanced) }
  return { outcome: code >= 500 ? 'refused_for_good' : 'refused_for_now', ...details }
}

export function neverLeft(reason: NeverLeftReason, error: string): NeverLeft {
  return { outcome: 'never_left', reason, error: cleanText(error) }
}

export const tooLate = (): NeverLeft => neverLeft('late', TOO_LATE)

/** The meaning of an error before the first MAIL FROM: nothing of a message was offered yet. */
export function setupFailure(error: SmtpError, host: string): NeverLeft {
  const code = error.responseCode ?? 0
  const cause = error.originalCode ?? ''
  // A 4xx reply to AUTH (RFC 4954: 454) is a temporary fault of the server and says nothing about the credentials.
  if (AUTH_CODES.has(code)) return neverLeft('auth', error.message)
  if (error.code === 'EAUTH' && (code === 0 || code >= 500)) return neverLeft('auth', error.message)
  if (error.code === 'ETLS' || isTlsFailure(cause))
    return neverLeft('tls', tlsInWords(cause, host, error.message))
  return neverLeft('connect', error.message)
}

/**
 * The meaning of an error during a transaction. `offered`: the first byte of the message was handed to the connection. From then
 * on, only a refusal by the server proves that it did not accept the message.
 */
export function sendFailure(error: SmtpError, offered: boolean): MailOutcome {
  const code = error.responseCode ?? 0
  const isRefusal = code >= 400 && code < 600
  const stage = STAGES[error.command ?? '']
  if (offered) {
    if (isRefusal && stage === 'data') return refusal('body', code, error.response ?? '')
    return { outcome: 'unknown', error: cleanText(error.message) }
  }
  if (isRefusal && AUTH_CODES.has(code)) return neverLeft('auth', error.message)
  if (isRefusal && stage) return refusal(stage, code, error.response ?? '')
  // With PIPELINING a 421 may stand for any command of the envelope.
  if (code === 421) return refusal('mail', code, error.response ?? '')
  if (!code && error.code === 'EENVELOPE') return unfit('rcpt', 'recipient', error.message)
  if (!code && error.code === 'EMESSAGE') return unfit('mail', 'message', error.message)
  return neverLeft('lost', error.message)
}

/** Refused by us before anything was sent: an invalid address, or a message larger than the server accepts. */
function unfit(stage: RefusalStage, blamed: Refusal['blames'], reason: string): MailOutcome {
  const response = cleanText(reason)
  return { outcome: 'refused_for_good', stage, code: null, enhanced: null, response, blames: blamed }
}
