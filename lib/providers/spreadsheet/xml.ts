import { counted, tooLarge } from '#lib/providers/spreadsheet/budget'

/** Replaces entities and Excel's `_x000D_` escapes (ECMA-376 part 1, 22.4.2.4) by their characters. */
export function unescapeXml(text: string): string {
  let plain = text.includes('<![CDATA[') ? withoutCdata(text) : text
  if (plain.includes('&')) plain = plain.replace(ENTITY, (whole, name: string) => entity(name) ?? whole)
  if (plain.includes('_x'))
    plain = plain.replace(/_x([\da-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return plain
}

function withoutCdata(text: string): string {
  return replaceBetween(text, '<![CDATA[', ']]>', (inner) => escapeXml(inner))
}

/** Replaces each range from `open` to the next `close`, both included; an unclosed range stays as it is. */
function replaceBetween(
  text: string,
  open: string,
  close: string,
  replacement: (inner: string) => string,
): string {
  const kept: string[] = []
  let from = 0
  for (let at = text.indexOf(open); at !== -1; at = text.indexOf(open, from)) {
    const end = text.indexOf(close, at + open.length)
    if (end === -1) break
    kept.push(text.slice(from, at), replacement(text.slice(at + open.length, end)))
    from = end + close.length
  }
  kept.push(text.slice(from))
  return kept.join('')
}

const ENTITY = /&(#x[\da-f]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos);/gi
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function entity(name: string): string | undefined {
  if (!name.startsWith('#')) return NAMED[name.toLowerCase()]
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}

/** The raw value of an attribute in a tag; null if the tag does not have it. */
export function attribute(tag: string, name: string): string | null {
  let at = tag.indexOf(`${name}=`)
  while (at > 0 && !/[\s:]/.test(tag[at - 1] ?? '')) at = tag.indexOf(`${name}=`, at + 1)
  if (at === -1) return null
  const start = at + name.length + 2
  const quote = tag[start - 1]
  if (quote !== '"' && quote !== "'") return null
  const end = tag.indexOf(quote, start)
  return end === -1 ? null : tag.slice(start, end)
}

/** The position of the next tag that begins like this (`<row`), from `from` on; -1 if there is none. */
export function nextTag(xml: string, tag: string, from: number): number {
  let at = xml.indexOf(tag, from)
  while (at !== -1 && !isTagEnd(xml.charCodeAt(at + tag.length))) at = xml.indexOf(tag, at + tag.length)
  return at
}

/** A blank, `>` or `/` ends the name of a tag. NaN (the end of the text) does not. */
function isTagEnd(code: number): boolean {
  return code === 0x20 || code === 0x3e || code === 0x2f || code === 0x0a || code === 0x0d || code === 0x09
}

/** The start tags of one name, without their angle brackets, up to one that is never closed. */
export function tagsNamed(xml: string, name: string): string[] {
  const tags: string[] = []
  let at = nextTag(xml, `<${name}`, 0)
  while (at !== -1) {
    const close = xml.indexOf('>', at)
    if (close === -1) break
    tags.push(xml.slice(at + 1 + name.length, close))
    at = nextTag(xml, `<${name}`, close)
  }
  return tags
}

/** All text in `<t>` tags; phonetic readings of Japanese (`<rPh>`) are not part of the text. */
export function richText(xml: string): string {
  const body = xml.includes('<rPh') ? withoutReadingAids(xml) : xml
  const texts: string[] = []
  let at = nextTag(body, '<t', 0)
  while (at !== -1) {
    const open = body.indexOf('>', at)
    if (open === -1) break
    if (body[open - 1] !== '/') {
      const close = body.indexOf('</t>', open)
      if (close === -1) break
      texts.push(body.slice(open + 1, close))
    }
    at = nextTag(body, '<t', open)
  }
  return unescapeXml(texts.join(''))
}

function withoutReadingAids(xml: string): string {
  const kept: string[] = []
  let from = 0
  for (let at = nextTag(xml, '<rPh', 0); at !== -1; at = nextTag(xml, '<rPh', from)) {
    const end = xml.indexOf('</rPh>', at)
    if (end === -1) break
    kept.push(xml.slice(from, at))
    from = end + '</rPh>'.length
  }
  kept.push(xml.slice(from))
  return kept.join('')
}

/** How XML is cut into whole elements: the closing tag, the tag that ends the list, and the longest element. */
export type Elements = { close: string; end: string; max_chars: number; called: string }

/**
 * Decodes pieces of UTF-8 XML and cuts them after the last complete `close` tag, so that no element is split. Data after `end`
 * is still unpacked, because damage may show there, but dropped.
 */
export async function* wholeElements(
  pieces: AsyncIterable<Uint8Array>,
  { close, end, max_chars, called }: Elements,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  // The pieces of an unfinished element, joined once at its end: joining at each piece would take quadratic time.
  let pending: string[] = []
  let heldChars = 0
  let seam = ''
  let isOver = false
  for await (const piece of pieces) {
    if (isOver) continue
    const text = decoder.decode(piece, { stream: true })
    // Only the new piece is searched, with the few characters before it, since a tag may span two pieces.
    const searched = seam + text
    isOver = searched.includes(end)
    const cut = searched.lastIndexOf(close)
    const next = cut === -1 ? 0 : cut + close.length - seam.length
    if (cut !== -1) {
      // A tag that spans two pieces ends within the new one, so `next` is never before it.
      pending.push(text.slice(0, next))
      yield pending.join('')
      pending = []
      heldChars = 0
    }
    pending.push(text.slice(next))
    heldChars += text.length - next
    seam = searched.slice(1 - Math.max(close.length, end.length))
    if (cut !== -1) seam = seam.slice(Math.max(0, seam.length - (text.length - next)))
    if (heldChars > max_chars && !isOver)
      throw tooLarge(`One ${called} of the file takes more than ${counted(max_chars)} characters.`)
  }
  const rest = pending.join('') + (isOver ? '' : decoder.decode())
  if (rest !== '') yield rest
}
