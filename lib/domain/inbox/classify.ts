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

/** What a mail is by itself, before it is known whom it answers. */
export type Reading = {
  form: 'message' | 'automatic' | 'bounce' | 'complaint' | 'not_for_us'
  bounce: Bounce | null
  feedback_type: string | null
  unsubscribe: UnsubscribeRequest | null
  /** YYYY-MM-DD */
  returns_on: string | null
  /** Of an automatic answer that says that the person is away. */
  absence: Absence | null
  /** What a person's message wants, where its words say so; of an automatic answer that its person has left. */
  intent: ReadIntent | null
  /** It went to many, so that its sender's address alone makes it no reply. */
  is_bulk: boolean
  /** Message-IDs of what it is about, most telling first. */
  about: string[]
  /** Addresses that a report is about. */
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

/** Reports before responders before people: a report may carry the marks of all three. */
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
  // The mail that a List-Unsubscribe link writes may be sent by a program: its token outweighs every such mark.
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

/** Who asks for no more mail wants that, in whatever words that is known by. */
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

/** In-Reply-To first, then References from the newest; Exchange keeps the original in a header of its own. */
function referencedIds(mail: InboundMail): string[] {
  const own = messageIds(readHeader(mail, 'x-ms-exchange-original-message-id'))
  return [...new Set([...mail.in_reply_to, ...[...mail.references].reverse(), ...own])].slice(0, 50)
}

/** RFC 7489 appendix B.2: aggregate reports come to whoever published a DMARC record. */
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

/** What the ledger knows of it. `how` tells which link led there. */
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
  /** Whom the matched message was sent to. */
  email: string
}

/** Our side of the mail: the mailbox it came to, and every address that mail of this owner leaves from. */
export type OwnAddresses = { mailbox: string; all: readonly string[]; wrote_it: boolean }

/**
 * What a mail is for its owner. Mail that no ledger row can be found for is `unrelated`, whatever its form. Our own copy
 * is known by its Message-ID; by its sender only where that is not the lead itself, since people enrol addresses of
 * their own to see what happens.
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
  // A copy of what went to the lead bears the lead's token too, and is not the lead's wish.
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
