import { type Header, messageIds, readHeader } from '#lib/domain/inbox/headers'
import { type Cut, type MimePart, type Person, readMime } from '#lib/domain/inbox/mime'
import { newText } from '#lib/domain/inbox/new-text'

export type InboundMail = {
  /** In order, names in lower case, values unfolded. */
  headers: Header[]
  from: Person | null
  /** To and Cc. */
  recipients: Person[]
  /** Which of the recipients are in Cc. */
  cc: string[]
  /** Only set for sent mail, since recipients never see it. */
  bcc: string[]
  subject: string
  /** Epoch milliseconds from the mail's Date header; null if missing or invalid. */
  date: number | null
  /** Includes the angle brackets, like the other ids. */
  message_id: string | null
  in_reply_to: string[]
  references: string[]
  /** The visible text; derived from the HTML if there is no text part. */
  text: string
  /** The part that the author wrote; see newText. */
  new_text: string
  html: string | null
  /** The parts of reports: message/* parts and returned headers, as text. */
  reports: { content_type: string; text: string }[]
  attachments: { filename: string | null; content_type: string; size_bytes: number }[]
  /** Parts that were truncated because they were too long. */
  cut: Cut[]
}

/** A person's message with its sender and recipients. */
export type WrittenAnswer = Pick<InboundMail, 'new_text' | 'from' | 'recipients'>

/** Parses any bytes without failing; see readMime for the limits. */
export async function parseInbound(raw: Uint8Array): Promise<InboundMail> {
  const mail = await readMime(raw)
  const header = (name: string) => readHeader(mail, name)
  return {
    headers: mail.headers,
    from: mail.from && lowerCase(mail.from),
    recipients: [...mail.to, ...mail.cc].map(lowerCase),
    cc: mail.cc.map(({ address }) => address.toLowerCase()),
    bcc: mail.bcc.map(({ address }) => address.toLowerCase()),
    subject: mail.subject,
    date: parseDate(header('date')),
    message_id: messageIds(header('message-id'))[0] ?? null,
    in_reply_to: messageIds(header('in-reply-to')),
    references: messageIds(header('references')),
    text: mail.text,
    new_text: newText(mail.text),
    html: mail.html,
    reports: mail.parts.flatMap(({ content_type, text }) => (text === null ? [] : [{ content_type, text }])),
    attachments: mail.parts.filter(({ text }) => text === null).map(attachment),
    cut: mail.cut,
  }
}

const lowerCase = ({ name, address }: Person): Person => ({ name, address: address.toLowerCase() })

function parseDate(date: string): number | null {
  const time = Date.parse(date.slice(0, 200))
  return Number.isNaN(time) ? null : time
}

function attachment({ filename, content_type, size_bytes }: MimePart) {
  return { filename, content_type, size_bytes }
}
