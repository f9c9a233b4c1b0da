import PostalMime, { type Address, type Email } from 'postal-mime'
import { htmlToText } from '#lib/domain/render/html-to-text'

export type Person = { name: string; address: string }

export type InboundMail = {
  /** In order, names in lower case, values unfolded. */
  headers: { name: string; value: string }[]
  from: Person | null
  /** To and Cc. */
  recipients: Person[]
  subject: string
  /** Epoch milliseconds by its own Date header; null where it has none that can be read. */
  date: number | null
  /** With the angle brackets, as are the others. */
  message_id: string | null
  in_reply_to: string[]
  references: string[]
  /** What a reader sees, as text; made from the HTML where there is no text part. */
  text: string
  html: string | null
  /** What reports consist of: message/* parts and returned headers, as text. */
  reports: { content_type: string; text: string }[]
  attachments: { filename: string | null; content_type: string; size_bytes: number }[]
}

/** No rule looks further into a text: the words that matter stand at its beginning, and the work stays bounded. */
export const MAX_TEXT = 64 * 1024
const REPORT_PART = /^(message\/|text\/rfc822-headers)/

/** Whatever the bytes are there is an answer: mail that defies parsing is text under as many headers as can be read. */
export async function parseInbound(raw: Uint8Array): Promise<InboundMail> {
  const options = { attachmentEncoding: 'arraybuffer', forceRfc822Attachments: true } as const
  const mail = await PostalMime.parse(raw, options).catch(() => null)
  if (!mail) return unreadable(new TextDecoder().decode(raw.subarray(0, MAX_TEXT)))
  const headers = mail.headers.map(({ key, value }) => ({ name: clean(key), value: clean(value) }))
  return {
    headers,
    from: people(mail.from)[0] ?? null,
    recipients: [...(mail.to ?? []), ...(mail.cc ?? [])].flatMap(people).slice(0, 100),
    subject: clean(mail.subject),
    date: dateOf(mail.date),
    message_id: messageIds(mail.messageId)[0] ?? null,
    in_reply_to: messageIds(mail.inReplyTo),
    references: messageIds(mail.references),
    text: clean(textOf(mail) || bodyOf(raw, mail)),
    html: mail.html ? clean(mail.html) : null,
    reports: mail.attachments.filter((part) => REPORT_PART.test(part.mimeType)).map(report),
    attachments: mail.attachments.filter((part) => !REPORT_PART.test(part.mimeType)).map(attachment),
  }
}

/** The first value of a header, or "". */
export function headerOf(mail: Pick<InboundMail, 'headers'>, name: string): string {
  return mail.headers.find((header) => header.name === name)?.value.trim() ?? ''
}

/** Every `<…@…>` of a header; some programs leave the brackets out. */
export function messageIds(value: string | undefined): string[] {
  const text = clean(value).slice(0, 10_000)
  const bracketed = text.match(/<[^<>\s]{1,500}>/g)
  if (bracketed) return bracketed
  return (text.match(/[^\s<>"',;]{1,250}@[^\s<>"',;]{1,250}/g) ?? []).map((id) => `<${id}>`)
}

/** The header block of a returned message: up to its first empty line, unfolded, names in lower case. */
export function readHeaders(text: string): { name: string; value: string }[] {
  const block = text.slice(0, MAX_TEXT).replace(/\r\n?/g, '\n').replace(/^\n+/, '').split('\n\n')[0] ?? ''
  return block
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const colon = line.indexOf(':')
      if (colon < 1) return []
      return [{ name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() }]
    })
}

const textOf = (mail: Email) => (mail.text?.trim() ? mail.text : mail.html ? htmlToText(mail.html) : '')

/** Where the structure of a mail was damaged its parts are not found, but its words are still there. */
function bodyOf(raw: Uint8Array, mail: Email): string {
  if (mail.attachments.length > 0) return ''
  const text = new TextDecoder().decode(raw.subarray(0, MAX_TEXT)).replace(/\r\n/g, '\n')
  const start = text.indexOf('\n\n')
  return start < 0 ? '' : text.slice(start + 2)
}

const clean = (text: string | undefined) => (text ?? '').replaceAll('\0', '').toWellFormed()

function people(address: Address | undefined): Person[] {
  if (!address) return []
  if (address.group) return address.group.flatMap(people)
  const mail = clean(address.address).trim().toLowerCase().slice(0, 320)
  return mail ? [{ name: clean(address.name).slice(0, 320), address: mail }] : []
}

function dateOf(date: string | undefined) {
  const time = Date.parse(date ?? '')
  return Number.isNaN(time) ? null : time
}

function report({ mimeType, content }: Email['attachments'][number]) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
  return { content_type: mimeType, text: clean(new TextDecoder().decode(bytes.subarray(0, MAX_TEXT))) }
}

function attachment({ filename, mimeType, content }: Email['attachments'][number]) {
  const size_bytes = typeof content === 'string' ? content.length : content.byteLength
  return {
    filename: filename === null ? null : clean(filename).slice(0, 500),
    content_type: mimeType,
    size_bytes,
  }
}

function unreadable(text: string): InboundMail {
  const headers = readHeaders(text).map(({ name, value }) => ({ name, value: clean(value) }))
  const value = (name: string) => headerOf({ headers }, name)
  const address = /[^\s<>"',;]+@[^\s<>"',;]+/.exec(value('from').slice(0, 1_000))?.[0]
  return {
    headers,
    from: address ? { name: '', address: address.toLowerCase().slice(0, 320) } : null,
    recipients: [],
    subject: value('subject'),
    date: dateOf(value('date')),
    message_id: messageIds(value('message-id'))[0] ?? null,
    in_reply_to: messageIds(value('in-reply-to')),
    references: messageIds(value('references')),
    text: clean(text),
    html: null,
    reports: [],
    attachments: [],
  }
}
