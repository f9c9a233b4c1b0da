import { appendHtml, escapeHtml, htmlDocument, isHtml, textToHtml } from '#lib/domain/messages/html'
import { htmlToText } from '#lib/domain/messages/html-to-text'
import { leanHtml } from '#lib/domain/messages/lean-html'
import { headerText, type RenderedMessage } from '#lib/domain/messages/message'
import { sendingAddress } from '#lib/domain/messages/own-addresses'
import { withLinks, withPixel } from '#lib/domain/messages/tracked-html'

type Address = { name: string | null; address: string }

export type MailMessage = {
  from: Address
  to: Address
  cc: Address[]
  bcc: Address[]
  reply_to: Address | null
  subject: string
  date: Date
  message_id: string
  in_reply_to: string | null
  references: string[]
  headers: Record<string, string>
  text: string
  html: string
}

export type MailInput = {
  action_id: string
  rendered: RenderedMessage
  sender: {
    address: string
    /** Another of its own addresses for the From header; absent or null: none. */
    send_as?: string | null
    name: string | null
    signature?: string | null
    reply_to?: string | null
  }
  recipient: { address: string; name?: string | null }
  /** Addresses that get a copy. */
  cc?: string[]
  bcc?: string[]
  date: Date
  /** Message-IDs of the thread so far, oldest first; empty for the first message. */
  thread: string[]
  /** Null only if nobody could unsubscribe, as in a test message to oneself. */
  unsubscribe: { url: string; token: string; text?: string | null } | null
  /** Absent if nothing is tracked. */
  tracking?: {
    /** The URL that replaces a link, or null to leave it; `link` counts from 1. Null: no link is rewritten. */
    click_url: ((url: string, link: number) => string | null) | null
    /** Null: no image. */
    pixel_url: string | null
  }
}

/** Appended if the text has no unsubscribe link of its own; `{{ unsubscribe_url }}` is replaced by the link. */
export const UNSUBSCRIBE_TEXT = 'If this is not for you, just say so or use this link: {{ unsubscribe_url }}'
const URL_PLACE = /\{\{-?\s*unsubscribe_url\s*-?\}\}/

// RFC 5322 sets no limit, but servers refuse very long headers: the first id and the latest ones keep a thread together.
const MAX_REFERENCES = 20
/** In characters; a longer text is not a name and would not fit into a header line. */
const MAX_NAME = 250

/** Derived from the action, so that a reply or bounce can be assigned to it; nothing else in the mail names us. */
export function toMessageId(actionId: string, senderAddress: string) {
  return `<${actionId}@${safeDomain(senderAddress)}>`
}

/** The action from which a Message-ID was derived; null for any other Message-ID. */
export function readActionId(messageId: string) {
  const match = /^\s*<?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@/i.exec(messageId)
  return match?.[1]?.toLowerCase() ?? null
}

function safeDomain(address: string) {
  const domain = address.slice(address.lastIndexOf('@') + 1).trim()
  return /^[A-Za-z0-9.-]+$/.test(domain) ? domain.toLowerCase() : 'localhost.invalid'
}

/** One complete mail before encoding: addresses, thread, unsubscribe headers, signature and footer. */
export function buildMailMessage(input: MailInput): MailMessage {
  const { sender, recipient, unsubscribe } = input
  // An id that servers would refuse in a header is left out.
  const thread = input.thread.filter((id) => /^[\x21-\x7e]+$/.test(id))
  const from = sendingAddress(sender)
  const { text, html } = withFooter(withSignature(input.rendered, sender.signature), unsubscribe)
  return {
    from: address(from, sender.name),
    to: address(recipient.address, recipient.name),
    cc: (input.cc ?? []).map((one) => address(one, null)),
    bcc: (input.bcc ?? []).map((one) => address(one, null)),
    reply_to: sender.reply_to ? address(sender.reply_to, sender.name) : null,
    subject: headerText(input.rendered.subject),
    date: input.date,
    message_id: toMessageId(input.action_id, from),
    in_reply_to: thread.at(-1) ?? null,
    references:
      thread.length > MAX_REFERENCES ? [...thread.slice(0, 1), ...thread.slice(1 - MAX_REFERENCES)] : thread,
    headers: unsubscribe ? unsubscribeHeaders(from, unsubscribe) : {},
    text,
    html: withTracking(htmlDocument(html), input),
  }
}

/** Applied last, so that the signature's links count too. The unsubscribe link and the text part are never changed. */
function withTracking(html: string, { tracking, unsubscribe }: Pick<MailInput, 'tracking' | 'unsubscribe'>) {
  const { click_url, pixel_url } = tracking ?? { click_url: null, pixel_url: null }
  let link = 0
  const linked = click_url
    ? withLinks(html, (url) => (url === unsubscribe?.url ? null : click_url(url, ++link)))
    : html
  return pixel_url ? withPixel(linked, pixel_url) : linked
}

function address(mail: string, name: string | null | undefined): Address {
  return {
    name:
      headerText(name ?? '')
        .slice(0, MAX_NAME)
        .toWellFormed() || null,
    address: mail.trim(),
  }
}

/** RFC 2369 with both ways, RFC 8058 for one click; the token in the subject identifies who wrote back. */
function unsubscribeHeaders(senderAddress: string, { url, token }: { url: string; token: string }) {
  const mailto = `mailto:${encodeURI(senderAddress)}?subject=${encodeURIComponent(`unsubscribe ${token}`)}`
  return {
    'List-Unsubscribe': `<${headerText(url)}>, <${headerText(mailto)}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

function withSignature(words: { text: string; html: string }, signature: string | null | undefined) {
  const own = signature?.trim()
  if (!own) return words
  const asHtml = isHtml(own) ? leanHtml(own) : textToHtml(own)
  const asText = isHtml(own) ? htmlToText(own) : own
  return { text: `${words.text}\n\n${asText}`, html: appendHtml(words.html, asHtml) }
}

function withFooter(words: { text: string; html: string }, unsubscribe: MailInput['unsubscribe']) {
  if (!unsubscribe) return words
  const { url } = unsubscribe
  if (words.text.includes(url) || words.html.includes(escapeHtml(url))) return words
  const own = unsubscribe.text?.trim() || UNSUBSCRIBE_TEXT
  const line = URL_PLACE.test(own) ? own : `${own} {{ unsubscribe_url }}`
  const [before = '', after = ''] = line.split(URL_PLACE)
  const link = `<a href="${escapeHtml(url)}">Unsubscribe</a>`
  return {
    text: `${words.text}\n\n${before}${url}${after}`,
    html: appendHtml(words.html, `<p>${escapeHtml(before)}${link}${escapeHtml(after)}</p>`),
  }
}
