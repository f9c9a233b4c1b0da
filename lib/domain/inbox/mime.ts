import { type AddressObject, type EmailAddress, MailParser } from 'mailparser'
import {
  MAX_DEPTH,
  MAX_HEAD,
  MAX_HTML,
  MAX_NAME,
  MAX_PARTS,
  MAX_PEOPLE,
  MAX_RAW,
  MAX_SUBJECT,
  MAX_TEXT,
} from '#lib/domain/inbox/bounds'
import { boundedHead, type Header, readHeader, readHeaders } from '#lib/domain/inbox/headers'
import { textToHtml } from '#lib/domain/messages/html'
import { htmlToText } from '#lib/domain/messages/html-to-text'
import { asciiAddress } from '#lib/domain/text/ascii-address'

export type Person = { name: string; address: string }

/** A part that is not displayed, or a report part as text. */
export type MimePart = {
  filename: string | null
  content_type: string
  size_bytes: number
  /** The beginning of message/* parts and returned headers. */
  text: string | null
}

/** What was truncated, or `structure` if the mail could not be parsed at all. */
export type Cut = 'mail' | 'head' | 'subject' | 'people' | 'depth' | 'text' | 'html' | 'parts' | 'structure'

export type Mime = {
  /** In order, names in lower case, values unfolded. */
  headers: Header[]
  from: Person | null
  to: Person[]
  cc: Person[]
  bcc: Person[]
  subject: string
  text: string
  html: string | null
  parts: MimePart[]
  cut: Cut[]
}

/** Parts that belong to reports and are not shown as attachments. */
export const REPORT_PART = /^(message\/|text\/rfc822-headers)/

/**
 * The only entry point for untrusted mail: any bytes yield a result, every field is bounded, and truncation
 * is reported. Mail that cannot be parsed becomes plain text under as many headers as can be read.
 */
export async function readMime(raw: Uint8Array): Promise<Mime> {
  const cut = new Set<Cut>()
  const bytes = raw.subarray(0, MAX_RAW)
  if (bytes.length < raw.length) cut.add('mail')
  const { head, body, isCut } = boundedHead(bytes)
  if (isCut) cut.add('head')
  const headers = readHeaders(decoded(head))
  const parsed = await parse(isCut ? together(head, body) : bytes).catch(() => null)
  if (!parsed) {
    cut.add('structure')
    return bounded({ ...unreadable(headers), text: decoded(bytes.subarray(0, MAX_TEXT)), cut })
  }
  const { text, html } = readWords(parsed.tree, cut)
  const isLost = text.trim() === '' && parsed.parts.length === 0
  return bounded({
    headers,
    from: people(parsed.from)[0] ?? null,
    to: people(parsed.to),
    cc: people(parsed.cc),
    bcc: people(parsed.bcc),
    subject: parsed.subject,
    // If a mail's structure is damaged its parts are not found, but its text still is.
    text: isLost ? decoded(body.subarray(0, MAX_TEXT)).replace(/\r\n/g, '\n') : text,
    html,
    parts: parsed.parts,
    cut,
  })
}

export const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()

const decoded = (bytes: Uint8Array) => clean(new TextDecoder().decode(bytes))

function together(head: Uint8Array, body: Uint8Array): Uint8Array {
  const whole = new Uint8Array(head.length + 2 + body.length)
  whole.set(head)
  whole.set([13, 10], head.length)
  whole.set(body, head.length + 2)
  return whole
}

function bounded({ cut, ...mail }: Omit<Mime, 'cut'> & { cut: Set<Cut> }): Mime {
  const within = (field: Cut, text: string, most: number) => {
    if (text.length > most) cut.add(field)
    return clean(text.slice(0, most))
  }
  const subject = within('subject', mail.subject, MAX_SUBJECT)
  const text = within('text', mail.text, MAX_TEXT)
  const html = mail.html === null ? null : within('html', mail.html, MAX_HTML)
  if (mail.to.length + mail.cc.length + mail.bcc.length > MAX_PEOPLE) cut.add('people')
  const to = mail.to.slice(0, MAX_PEOPLE)
  const cc = mail.cc.slice(0, MAX_PEOPLE - to.length)
  const bcc = mail.bcc.slice(0, MAX_PEOPLE - to.length - cc.length)
  return { ...mail, to, cc, bcc, subject, text, html, cut: [...cut] }
}

function people(address: AddressObject | AddressObject[] | undefined): Person[] {
  const people: Person[] = []
  const waiting: EmailAddress[] = [address ?? []]
    .flat()
    .flatMap(({ value }) => value)
    .reverse()
  for (let each = waiting.pop(); each && people.length <= MAX_PEOPLE; each = waiting.pop()) {
    if (each.group) waiting.push(...each.group.slice(0, MAX_PEOPLE + 1).reverse())
    const mail = clean(each.address ?? '')
      .trim()
      .slice(0, MAX_NAME)
    // The parser decodes punycode domains, but we store them encoded.
    if (mail) people.push({ name: clean(each.name ?? '').slice(0, MAX_NAME), address: asciiAddress(mail) })
  }
  return people
}

function unreadable(headers: Header[]): Omit<Mime, 'cut'> {
  const mail = { headers, to: [], cc: [], bcc: [], text: '', html: null, parts: [] }
  const address = /[^\s<>"',;]{1,250}@[^\s<>"',;]{1,250}/.exec(readHeader(mail, 'from').slice(0, 1_000))?.[0]
  return { ...mail, from: address ? { name: '', address } : null, subject: readHeader(mail, 'subject') }
}

/** The parser's tree of parts; its own joining drops HTML that stands beside a text part. */
type Node = { contentType?: string | false; textContent?: string; children?: Node[] }

declare module 'mailparser' {
  interface MailParser {
    /** Missing in the package's types. */
    tree: Node | false
  }
}

type Parsed = {
  tree: Node
  from: AddressObject | undefined
  to: AddressObject | AddressObject[] | undefined
  cc: AddressObject | AddressObject[] | undefined
  bcc: AddressObject | AddressObject[] | undefined
  subject: string
  parts: MimePart[]
}

/** Rejects if a limit of the parser is reached. */
function parse(raw: Uint8Array): Promise<Parsed> {
  const parser = new MailParser({
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
    keepDeliveryStatus: true,
    ignoreEmbedded: true,
    checksumAlgo: false,
    maxHeadSize: MAX_HEAD,
    maxChildNodes: MAX_PARTS,
  })
  const parts: MimePart[] = []
  return new Promise((resolve, reject) => {
    parser.on('error', reject)
    parser.on('data', (part) => {
      if (part.type !== 'attachment') return
      // The parser returns `false` for an unreadable type. An error thrown here would not be caught.
      const given: unknown = part.contentType
      const content_type =
        (typeof given === 'string' && clean(given).slice(0, 200)) || 'application/octet-stream'
      const kept: Uint8Array[] = []
      let size_bytes = 0
      part.content.on('data', (chunk: Uint8Array) => {
        if (size_bytes < MAX_TEXT && REPORT_PART.test(content_type)) kept.push(chunk)
        size_bytes += chunk.length
      })
      part.content.on('end', () => {
        const text = REPORT_PART.test(content_type)
          ? decoded(Buffer.concat(kept).subarray(0, MAX_TEXT))
          : null
        const filename = part.filename ? clean(`${part.filename}`).slice(0, 500) : null
        parts.push({ filename, content_type, size_bytes, text })
        part.release?.()
      })
    })
    parser.on('end', () => {
      const { from, to, cc, bcc, subject = '' } = parser
      resolve({ tree: parser.tree || {}, from, to, cc, bcc, subject, parts })
    })
    parser.end(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength))
  })
}

/** `text` is null until it is derived from the HTML, which happens once and only if there is no text part. */
type Words = { text: string | null; html: string | null }

const isEmpty = ({ text, html }: Words) => html === null && (text ?? '').trim() === ''
const asText = ({ text, html }: Words) => text ?? htmlToText(html ?? '')

/**
 * The text of a mail and, if any part is HTML, its HTML: one of several alternatives, and all of everything
 * else.
 */
function readWords(tree: Node, cut: Set<Cut>): { text: string; html: string | null } {
  let room = MAX_HTML
  const leaf = ({ contentType, textContent = '' }: Node): Words => {
    if (contentType !== 'text/html') return { text: textContent, html: null }
    const html = textContent.slice(0, room)
    if (html.length < textContent.length) cut.add('html')
    room -= html.length
    return { text: null, html }
  }
  const inNode = (node: Node, depth: number): Words => {
    if (depth > MAX_DEPTH) {
      cut.add('depth')
      return { text: '', html: null }
    }
    if (!node.children?.length) return leaf(node)
    const parts = node.children.map((child) => inNode(child, depth + 1)).filter((words) => !isEmpty(words))
    const [only = { text: '', html: null }, another] = parts
    if (!another) return only
    return node.contentType === 'multipart/alternative' ? chooseOne(parts) : joinAll(parts)
  }
  const words = inNode(tree, 1)
  return { text: asText(words), html: words.html }
}

function chooseOne(parts: Words[]): Words {
  return {
    text: parts.find(({ text }) => text?.trim())?.text ?? null,
    html: parts.findLast(({ html }) => html !== null)?.html ?? null,
  }
}

function joinAll(parts: Words[]): Words {
  const text = parts.map(asText).join('\n')
  if (parts.every(({ html }) => html === null)) return { text, html: null }
  const pages = parts.map(({ text: said, html }) => html ?? textToHtml((said ?? '').slice(0, MAX_TEXT)))
  return { text, html: pages.join('<br>\n') }
}
