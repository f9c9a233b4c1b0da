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
  /** False while the other server still tries: then nothing is decided yet. */
  is_final: boolean
  blames: Blamed
  /** Whom it did not reach; several where the report does not single one out. */
  recipients: string[]
  status: string | null
  diagnostic: string | null
  /** Message-IDs by which the message that came back can be known. */
  message_ids: string[]
  evidence: { rule: string; found: string }[]
}

/** Message-IDs that we may have made, wherever a report mentions them. */
const OURS = /<?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}@[a-z0-9.-]{1,253})>?/gi

/**
 * A message that could not be delivered, by report (RFC 3464) or by the words of servers that send none. `notice` for
 * reports that tell of no failure: delivered, relayed, expanded. Null for everything else.
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

/** What came back for what the mailbox itself has sent, or may send: a limit passes, and neither is the lead's. */
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
  // Some write no action, or one of their own, and leave the status to say it.
  return !['delivered', 'relayed', 'expanded'].includes(action ?? '') && readSeverity(status) !== null
}

function reported(mail: InboundMail, failed: ReportedRecipient[]): Bounce {
  const final = failed.filter(({ action }) => action !== 'delayed')
  const [recipient] = final.length > 0 ? final : failed
  const diagnostic = recipient?.diagnostic ?? null
  const said = diagnostic && enhancedCode(diagnostic)
  const status = isVague(recipient?.status ?? null) ? (said ?? recipient?.status ?? null) : recipient?.status
  const is_final = final.length > 0
  // Who refuses it without asking another server, as for a limit of its own, says why in the text alone.
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

/** From the returned headers, else from wherever the text quotes an id of ours. */
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
