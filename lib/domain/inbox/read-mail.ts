import { displayDocument } from '#lib/domain/inbox/display-html'
import { messageIds, readHeader } from '#lib/domain/inbox/headers'
import { readMime } from '#lib/domain/inbox/mime'
import { textToHtml } from '#lib/domain/messages/html'

const MAX_ID = 500

export type ReadMail = {
  from: { name: string; address: string } | null
  to: { name: string; address: string }[]
  subject: string
  /** ISO 8601; null if missing or invalid. */
  date: string | null
  message_id: string | null
  in_reply_to: string | null
  references: string[]
  text: string
  /** A complete document for a sandboxed iframe; derived from the text if the mail has no HTML. */
  display_html: string
  /** In order, names in lower case, values unfolded. */
  headers: { name: string; value: string }[]
  attachments: { filename: string | null; content_type: string; size_bytes: number }[]
}

/** A mail as shown to its reader. Never fails: mail that cannot be parsed is shown as text. */
export async function readMail(raw: Uint8Array): Promise<ReadMail> {
  const mail = await readMime(raw)
  const header = (name: string) => readHeader(mail, name)
  return {
    from: mail.from,
    to: mail.to,
    subject: mail.subject,
    date: isoDate(header('date')),
    message_id: header('message-id').slice(0, MAX_ID) || null,
    in_reply_to: header('in-reply-to').slice(0, MAX_ID) || null,
    references: messageIds(header('references')),
    text: mail.text,
    display_html: displayDocument(mail.html || textToHtml(mail.text)),
    headers: mail.headers,
    attachments: mail.parts.map(({ filename, content_type, size_bytes }) => ({
      filename,
      content_type,
      size_bytes,
    })),
  }
}

function isoDate(date: string): string | null {
  const time = Date.parse(date.slice(0, 200))
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
