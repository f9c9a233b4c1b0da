import PostalMime, { type Address, type Email } from 'postal-mime'
import { displayDocument } from '#lib/domain/display-html'
import { textToHtml } from '#lib/domain/render/html'
import { htmlToText } from '#lib/domain/render/html-to-text'

export type ReadMail = {
  from: { name: string; address: string } | null
  to: { name: string; address: string }[]
  subject: string
  /** ISO 8601, null when the mail has none that can be read. */
  date: string | null
  message_id: string | null
  in_reply_to: string | null
  references: string[]
  text: string
  /** A whole document for a sandboxed iframe; made from the text where the mail has no HTML. */
  display_html: string
  /** In order, names in lower case, values unfolded. */
  headers: { name: string; value: string }[]
  attachments: { filename: string | null; content_type: string; size_bytes: number }[]
}

/** A mail as its reader sees it. Whatever the bytes are, there is an answer: mail that defies parsing is text. */
export async function readMail(raw: Uint8Array): Promise<ReadMail> {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' }).catch(() => null)
  if (!mail) return unreadable(new TextDecoder().decode(raw))
  const text = clean(mail.text ?? (mail.html ? htmlToText(mail.html) : ''))
  return {
    from: person(mail.from),
    to: (mail.to ?? []).flatMap(people),
    subject: clean(mail.subject),
    date: isoDate(mail.date),
    message_id: mail.messageId ?? null,
    in_reply_to: mail.inReplyTo ?? null,
    references: mail.references?.match(/<[^<>\s]+>/g) ?? [],
    text,
    display_html: displayDocument(clean(mail.html) || textToHtml(text)),
    headers: mail.headers.map(({ key, value }) => ({ name: key, value: clean(value) })),
    attachments: mail.attachments.map(attachment),
  }
}

const clean = (text: string | undefined) => (text ?? '').replaceAll('\0', '').toWellFormed()

function people(address: Address): { name: string; address: string }[] {
  if (address.group) return address.group.flatMap(people)
  return address.address ? [{ name: clean(address.name), address: clean(address.address) }] : []
}

const person = (address: Address | undefined) => (address ? (people(address)[0] ?? null) : null)

function isoDate(date: string | undefined) {
  const time = Date.parse(date ?? '')
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

function attachment({ filename, mimeType, content }: Email['attachments'][number]) {
  const size_bytes = typeof content === 'string' ? content.length : content.byteLength
  return { filename, content_type: mimeType, size_bytes }
}

function unreadable(text: string): ReadMail {
  return {
    from: null,
    to: [],
    subject: '',
    date: null,
    message_id: null,
    in_reply_to: null,
    references: [],
    text: clean(text),
    display_html: displayDocument(textToHtml(clean(text))),
    headers: [],
    attachments: [],
  }
}
