import { bounceWords } from '#lib/domain/inbox/bounce-words'
import { deliveryReport, type ReportedRecipient, returnedHeaders } from '#lib/domain/inbox/delivery-report'
import { messageIds } from '#lib/domain/inbox/headers'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import {
  type Blamed,
  basicCode,
  blamedBy,
  enhancedCode,
  isVague,
  readSenderFault,
  readSeverity,
  type Severity,
} from '#lib/domain/inbox/status-code'

export type Bounce = {
  severity: Severity
  /** False while the other server still tries to deliver; nothing is decided until then. */
  is_final: boolean
  blames: Blamed
  /** The failed recipient; several if the report does not single one out. */
  recipients: string[]
  status: string | null
  diagnostic: string | null
  /** Message-IDs that may identify the returned message. */
  message_ids: string[]
  evidence: { rule: string; found: string }[]
}

/** Message-IDs in our own format, wherever a report mentions them. */
const OURS = /<?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}@[a-z0-9.-]{1,253})>?/gi

/**
 * A message that could not be delivered, recognized by a report (RFC 3464) or by the wording of servers that
 * send none. `notice` for reports of anything but a failure: delivered, relayed, expanded. Null for any other
 * mail.
 */
export function readBounce(mail: InboundMail): Bounce | { notice: string; message_ids: string[] } | null {
  const report = deliveryReport(mail)
  if (report) {
    const failed = report.filter(({ action, status }) => isFailure(action, status))
    const [first] = failed.length > 0 ? failed : report
    if (report.length > 0 && failed.length === 0)
      return { notice: first?.action ?? 'unknown', message_ids: originalIds(mail) }
    if (first) return reported(mail, failed)
  }
  const words = bounceWords(mail)
  if (!words) return null
  const text = words.excerpt
  const status = enhancedCode(text)
  const severity = words.is_final
    ? (words.severity ??
      readSeverity(isVague(status) ? basicCode(text) : status) ??
      readSeverity(status) ??
      'hard')
    : 'soft'
  return withSender(text, {
    severity,
    is_final: words.is_final,
    blames: blamedBy(status, text),
    recipients: words.recipients,
    status,
    diagnostic: words.diagnostic,
    message_ids: originalIds(mail),
    evidence: words.evidence,
  })
}

export const SENDING_LIMIT = 'sending_limit'

const MOST_TEXT = 8_192

/**
 * Applies refusals that concern the sending mailbox: a used-up limit is temporary, and neither is the lead's
 * fault.
 */
function withSender(words: string, bounce: Bounce): Bounce {
  const fault = bounce.is_final ? readSenderFault(bounce.status, words) : null
  if (fault === null) return bounce
  if (fault === 'refused') return { ...bounce, blames: 'sender' }
  const found = bounce.status ?? bounce.diagnostic?.slice(0, 200) ?? ''
  const evidence = [...bounce.evidence, { rule: SENDING_LIMIT, found }]
  return { ...bounce, severity: 'soft', blames: 'sender', evidence }
}

function isFailure(action: string | null, status: string | null) {
  if (action === 'failed' || action === 'delayed') return true
  // Some servers write no action, or a custom one, and only give a status.
  return !['delivered', 'relayed', 'expanded'].includes(action ?? '') && readSeverity(status) !== null
}

function reported(mail: InboundMail, failed: ReportedRecipient[]): Bounce {
  const final = failed.filter(({ action }) => action !== 'delayed')
  const [recipient] = final.length > 0 ? final : failed
  const diagnostic = recipient?.diagnostic ?? null
  const said = diagnostic && enhancedCode(diagnostic)
  const status = isVague(recipient?.status ?? null) ? (said ?? recipient?.status ?? null) : recipient?.status
  const is_final = final.length > 0
  // A server that refuses mail itself, for example because of its own limit, gives the reason only in the
  // text.
  const words = diagnostic ?? (isVague(status ?? null) ? mail.text.slice(0, MOST_TEXT) : '')
  return withSender(words, {
    severity: is_final ? (readSeverity(status ?? basicCode(diagnostic ?? ''), words) ?? 'hard') : 'soft',
    is_final,
    blames: blamedBy(status ?? null, words),
    recipients: failed.flatMap(({ address }) => address ?? []),
    status: status ?? null,
    diagnostic,
    message_ids: originalIds(mail),
    evidence: [
      {
        rule: 'delivery_status_report',
        found: `${recipient?.action ?? 'no action'} ${status ?? 'no status'}`,
      },
    ],
  })
}

/** Message-IDs from the returned headers, else any of our ids quoted in the text. */
export function originalIds(mail: InboundMail): string[] {
  const returned = returnedHeaders(mail).filter(({ name }) =>
    ['message-id', 'x-original-message-id', 'x-microsoft-original-message-id'].includes(name),
  )
  const quoted = [mail.text, ...mail.reports.map(({ text }) => text)].flatMap((text) =>
    [...text.matchAll(OURS)].slice(0, 20).map(([, id]) => `<${id}>`),
  )
  const all = [
    ...returned.flatMap(({ value }) => messageIds(value)),
    ...quoted,
    ...mail.in_reply_to,
    ...mail.references,
  ]
  return [...new Set(all)].slice(0, 50)
}
