import { unpacksTooLarge } from '#lib/providers/spreadsheet/zip'

/** Entities and Excel's `_x000D_` escapes (ECMA-376 part 1, 22.4.2.4) as the characters they stand for. */
export function unescapeXml(text: string): string {
  let plain = text
  if (plain.includes('<![CDATA['))
    plain = plain.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, inner) => escapeXml(inner))
  if (plain.includes('&')) plain = plain.replace(ENTITY, (whole, name: string) => entity(name) ?? whole)
  if (plain.includes('_x'))
    plain = plain.replace(/_x([\da-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return plain
}

const ENTITY = /&(#x[\da-f]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos);/gi
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function entity(name: string): string | undefined {
  if (!name.startsWith('#')) return NAMED[name.toLowerCase()]
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}

/** The raw value of one attribute in the text of a tag; null when the tag has none of that name. */
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

/** The start tags of one name, without their angle brackets. */
export function tagsNamed(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?=[\\s/>])([^>]*)>`, 'g'))].map((match) => match[1] ?? '')
}

/** All text between `<t>` tags; the reading aids of Japanese (`<rPh>`) are not part of the text. */
export function richText(xml: string): string {
  const body = xml.includes('<rPh') ? xml.replace(/<rPh[\s>][\s\S]*?<\/rPh>/g, '') : xml
  let text = ''
  let at = nextTextTag(body, 0)
  while (at !== -1) {
    const open = body.indexOf('>', at)
    if (open === -1) break
    if (body[open - 1] !== '/') {
      const close = body.indexOf('</t>', open)
      if (close === -1) break
      text += body.slice(open + 1, close)
    }
    at = nextTextTag(body, open)
  }
  return unescapeXml(text)
}

function nextTextTag(xml: string, from: number): number {
  let at = xml.indexOf('<t', from)
  while (at !== -1 && !/[\s>/]/.test(xml[at + 2] ?? '>')) at = xml.indexOf('<t', at + 2)
  return at
}

/** More than any row or string can be; the longest text that is held while its end is looked for. */
const MAX_ELEMENT_CHARS = 200_000_000

/** Decodes pieces of UTF-8 XML and cuts them behind the last whole `closeTag`, so that no element is split. */
export async function* wholeElements(
  pieces: AsyncIterable<Uint8Array>,
  closeTag: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true })
    // Only the new piece is searched, with the few characters before it: a tag may lie across the seam.
    const seam = rest.slice(1 - closeTag.length)
    const cut = (seam + text).lastIndexOf(closeTag)
    rest += text
    if (rest.length > MAX_ELEMENT_CHARS) throw unpacksTooLarge()
    if (cut === -1) continue
    const end = rest.length - text.length - seam.length + cut + closeTag.length
    yield rest.slice(0, end)
    rest = rest.slice(end)
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}
