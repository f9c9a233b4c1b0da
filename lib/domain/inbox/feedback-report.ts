import { returnedHeaders } from '#lib/domain/inbox/delivery-report'
import { readHeader, readHeaders } from '#lib/domain/inbox/headers'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'

export type FeedbackReport = {
  /** RFC 5965 section 7.3: abuse, fraud, virus, other, not-spam (RFC 6430), auth-failure (RFC 6591), opt-out… */
  type: string
  /** Who complained, if the provider says so; most redact it. */
  recipients: string[]
}

/**
 * A spam complaint forwarded by a provider: as ARF (RFC 5965), or like Microsoft's JMRP as the bare message
 * without a report.
 */
export function feedbackReport(mail: InboundMail): FeedbackReport | null {
  const part = mail.reports.find(({ content_type }) => content_type === 'message/feedback-report')
  const returned = returnedHeaders(mail)
  const to = [
    ...returned.filter(({ name }) => name === 'x-hmxmroriginalrecipient'),
    ...returned.filter(({ name }) => name === 'to'),
  ].flatMap(({ value }) => addresses(value))
  if (part) {
    const fields = readHeaders(part.text)
    const field = (name: string) => fields.filter((each) => each.name === name).map(({ value }) => value)
    return {
      type: field('feedback-type')[0]?.toLowerCase().trim() || 'other',
      recipients: [...field('original-rcpt-to').flatMap(addresses), ...to],
    }
  }
  const isJmrp = returned.some(({ name }) => name === 'x-hmxmroriginalrecipient')
  if (isJmrp || /^complaint about message from /i.test(mail.subject)) return { type: 'abuse', recipients: to }
  // A report whose parts were damaged in transit still declares its type.
  const type = readHeader(mail, 'content-type')
  if (/report-type\s*=\s*"?feedback-report/i.test(type))
    return {
      type: /^feedback-type:\s*([\w-]+)/im.exec(mail.text)?.[1]?.toLowerCase() ?? 'other',
      recipients: to,
    }
  return null
}

/** Whether the person wants no more mail. `not-spam` takes a complaint back; `auth-failure` is about DNS. */
export const isComplaint = ({ type }: FeedbackReport) =>
  !['not-spam', 'auth-failure', 'dmarc', 'opt-out', 'opt-out-list'].includes(type)

export const isOptOut = ({ type }: FeedbackReport) => type === 'opt-out' || type === 'opt-out-list'

function addresses(value: string): string[] {
  const matches = value.slice(0, 2_000).match(/[^\s<>;,:"'()[\]]{1,250}@[^\s<>;,:"'()[\]]{1,250}/g) ?? []
  return matches.map((address) => address.toLowerCase())
}
