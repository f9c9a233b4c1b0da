import { type Absence, readAbsence } from '#lib/domain/inbox/absence/absence'
import { returnDay } from '#lib/domain/inbox/absence/return-date'
import { automaticEvidence, bulkEvidence, type Evidence } from '#lib/domain/inbox/automatic-reply'
import { type Bounce, originalIds, readBounce } from '#lib/domain/inbox/bounce'
import { feedbackReport, isComplaint, isOptOut } from '#lib/domain/inbox/feedback-report'
import { messageIds, readHeader } from '#lib/domain/inbox/headers'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import { readDeparture } from '#lib/domain/inbox/intent/departure'
import type { ReadIntent } from '#lib/domain/inbox/intent/intents'
import { readIntent } from '#lib/domain/inbox/intent/read-intent'
import { type UnsubscribeRequest, unsubscribeRequest } from '#lib/domain/inbox/unsubscribe-request'

/** What a mail is by itself, before it is known which message it refers to. */
export type Reading = {
  form: 'message' | 'automatic' | 'bounce' | 'complaint' | 'not_for_us'
  bounce: Bounce | null
  feedback_type: string | null
  unsubscribe: UnsubscribeRequest | null
  /** YYYY-MM-DD */
  returns_on: string | null
  /** Set for an automatic reply that says that the person is away. */
  absence: Absence | null
  /**
   * The intent of a person's message, as far as the rules find one; for an automatic reply, that its person
   * has left.
   */
  intent: ReadIntent | null
  /** Bulk mail: its sender's address alone does not make it a reply. */
  is_bulk: boolean
  /** Message-IDs of the messages it refers to, strongest evidence first. */
  about: string[]
  /** The addresses that a report is about. */
  recipients: string[]
  evidence: Evidence[]
}

const NOTHING = {
  bounce: null,
  feedback_type: null,
  unsubscribe: null,
  returns_on: null,
  absence: null,
  intent: null,
  is_bulk: false,
  recipients: [],
}

/**
 * Checks for reports first, then automatic replies, then people: a report may carry the signs of all three.
 */
export function readInbound(mail: InboundMail, receivedAt: number): Reading {
  const reading = readReport(mail) ?? readWords(mail, receivedAt)
  if (mail.cut.length === 0) return reading
  return { ...reading, evidence: [...reading.evidence, { rule: 'cut', found: mail.cut.join(', ') }] }
}

function readReport(mail: InboundMail): Reading | null {
  const feedback = feedbackReport(mail)
  if (feedback) {
    const found = `feedback-report ${feedback.type}`
    const base = {
      ...NOTHING,
      about: originalIds(mail),
      recipients: feedback.recipients,
      feedback_type: feedback.type,
    }
    const evidence = [{ rule: 'feedback_report', found }]
    if (isOptOut(feedback)) return { ...base, form: 'complaint', evidence }
    return { ...base, form: isComplaint(feedback) ? 'complaint' : 'not_for_us', evidence }
  }
  if (isDmarcReport(mail))
    return {
      ...NOTHING,
      form: 'not_for_us',
      about: [],
      evidence: [{ rule: 'dmarc_report', found: mail.subject.slice(0, 200) }],
    }
  const bounce = readBounce(mail)
  if (!bounce) return null
  if ('notice' in bounce)
    return {
      ...NOTHING,
      form: 'not_for_us',
      about: bounce.message_ids,
      evidence: [{ rule: 'delivery_notice', found: bounce.notice }],
    }
  const { message_ids: about, recipients, evidence } = bounce
  return { ...NOTHING, form: 'bounce', bounce, about, recipients, evidence }
}

function readWords(mail: InboundMail, receivedAt: number): Reading {
  const unsubscribe = unsubscribeRequest(mail)
  const automatic = automaticEvidence(mail)
  const bulk = bulkEvidence(mail)
  const about = referencedIds(mail)
  const base = { ...NOTHING, unsubscribe, is_bulk: bulk.length > 0, about }
  // The mail created by a List-Unsubscribe link may be sent by a program; its token outweighs every sign of
  // that.
  if (unsubscribe?.by === 'token')
    return {
      ...base,
      form: 'message',
      evidence: [{ rule: 'unsubscribe_token', found: unsubscribe.token.slice(0, 12) }],
    }
  if (automatic.length > 0) {
    const sentAt = mail.date ?? receivedAt
    return {
      ...base,
      form: 'automatic',
      unsubscribe: null,
      returns_on: returnDay(`${mail.subject}\n\n${mail.new_text}`, sentAt)?.day ?? null,
      absence: readAbsence(mail, sentAt),
      intent: readDeparture(mail, sentAt),
      evidence: automatic,
    }
  }
  const said = unsubscribe
    ? [{ rule: `unsubscribe_${unsubscribe.by}`, found: unsubscribe.found.slice(0, 200) }]
    : []
  return {
    ...base,
    intent: messageIntent(mail, unsubscribe, receivedAt),
    form: 'message',
    evidence: [...bulk, ...said],
  }
}

/** A mail that asks for no more mail has that intent, however the request was recognized. */
function messageIntent(
  mail: InboundMail,
  unsubscribe: UnsubscribeRequest | null,
  receivedAt: number,
): ReadIntent | null {
  const stop: ReadIntent | null =
    unsubscribe === null || unsubscribe.by === 'token'
      ? null
      : { intent: 'stop', evidence: unsubscribe.found.slice(0, 200), until: null, referral: null }
  if (unsubscribe?.by === 'words') return stop
  return readIntent(mail, receivedAt) ?? stop
}

/**
 * In-Reply-To first, then References from the newest; Exchange puts the original's id into its own header.
 */
function referencedIds(mail: InboundMail): string[] {
  const own = messageIds(readHeader(mail, 'x-ms-exchange-original-message-id'))
  return [...new Set([...mail.in_reply_to, ...[...mail.references].reverse(), ...own])].slice(0, 50)
}

/** RFC 7489 appendix B.2: DMARC aggregate reports are sent to the publisher of the DMARC record. */
function isDmarcReport(mail: InboundMail) {
  return (
    /^\s*report domain:\s*\S+\s+submitter:/i.test(mail.subject) ||
    /^dmarc.?(aggregate )?report/i.test(mail.subject)
  )
}

export type InboundKind =
  | 'reply'
  | 'automatic_reply'
  | 'hard_bounce'
  | 'soft_bounce'
  | 'complaint'
  | 'unsubscribe'
  | 'own_message'
  | 'unrelated'

/** The matching message in the ledger. `how` tells by which evidence it was found. */
export type Match = {
  how:
    | 'return_path'
    | 'unsubscribe_token'
    | 'message_id'
    | 'conversation'
    | 'quoted_link'
    | 'recipient'
    | 'sender_and_subject'
    | 'sender_address'
  found: string
  /** The recipient of the matching message. */
  email: string
}

/** The mailbox the mail arrived in, and all addresses from which this workspace sends. */
export type OwnAddresses = { mailbox: string; all: readonly string[]; wrote_it: boolean }

/**
 * What a mail means for its workspace. A mail without a matching ledger row is `unrelated`, whatever its
 * form. Our own copy is recognized by its Message-ID. Its sender counts only if that is not the lead itself,
 * since people enrol their own addresses for testing.
 */
export function classify(
  mail: InboundMail,
  reading: Reading,
  match: Match | null,
  own: OwnAddresses,
): { kind: InboundKind; evidence: Evidence[] } {
  const from = mail.from?.address ?? ''
  const matched = match ? [{ rule: `matched_by_${match.how}`, found: match.found.slice(0, 200) }] : []
  const evidence = [...matched, ...reading.evidence]
  const isOwn =
    own.wrote_it || from === own.mailbox.toLowerCase() || (own.all.includes(from) && from !== match?.email)
  const isReport = reading.form === 'bounce' || reading.form === 'complaint'
  // A copy of the mail to the lead also contains the lead's unsubscribe token, but is not a request of the
  // lead.
  const isCopy = from !== match?.email && mail.recipients.some(({ address }) => address === match?.email)
  if (isOwn && !isReport && (match?.how !== 'unsubscribe_token' || isCopy))
    return {
      kind: 'own_message',
      evidence: [{ rule: own.wrote_it ? 'own_campaign_mail' : 'own_address', found: from }, ...evidence],
    }
  if (!match || reading.form === 'not_for_us') return { kind: 'unrelated', evidence }
  if (reading.form === 'bounce')
    return { kind: reading.bounce?.severity === 'hard' ? 'hard_bounce' : 'soft_bounce', evidence }
  if (reading.form === 'complaint') {
    const isWish = reading.feedback_type === 'opt-out' || reading.feedback_type === 'opt-out-list'
    return { kind: isWish ? 'unsubscribe' : 'complaint', evidence }
  }
  if (reading.form === 'automatic') return { kind: 'automatic_reply', evidence }
  if (match.how === 'unsubscribe_token' || reading.unsubscribe?.by === 'words')
    return { kind: 'unsubscribe', evidence }
  if (reading.is_bulk && (match.how === 'sender_address' || match.how === 'sender_and_subject'))
    return { kind: 'unrelated', evidence }
  return { kind: 'reply', evidence }
}
