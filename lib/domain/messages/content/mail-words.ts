import { isHtml, textToHtml } from '#lib/domain/messages/html'
import { type HtmlPiece, htmlPieces } from '#lib/domain/messages/html-pieces'
import { liquidEnd, parseSpintax, withoutMarks } from '#lib/domain/messages/spintax'

export type Link = { url: URL; said: string }

/** The parts of a mail that are checked: the visible words, the links and the images. */
export type MailWords = {
  text: string
  links: Link[]
  images: { alt: string; is_tiny: boolean }[]
}

/** Parses a body as it is delivered. `ours` are links that the product adds, such as the unsubscribe link. */
export function readWords(body: string, ours: string[] = []): MailWords {
  const words: MailWords = { text: '', links: [], images: [] }
  const text: string[] = []
  let open: { href: string; said: string[] } | null = null
  const close = () => {
    const link = open && webLink(open.href)
    if (open && link && !ours.includes(open.href))
      words.links.push({ url: link, said: open.said.join('').trim() })
    open = null
  }
  for (const piece of htmlPieces(isHtml(body) ? body : textToHtml(body))) {
    if (piece.kind === 'text') {
      text.push(piece.text)
      open?.said.push(piece.text)
      continue
    }
    text.push(' ')
    if (piece.name === 'a') {
      close()
      if (!piece.isClosing) open = { href: piece.attributes.get('href')?.trim() ?? '', said: [] }
    } else if (piece.name === 'img') words.images.push(toImage(piece))
  }
  close()
  words.text = text.join('').replace(/\s+/g, ' ').trim()
  return words
}

function toImage({ attributes }: Extract<HtmlPiece, { kind: 'tag' }>): MailWords['images'][number] {
  const sides = [attributes.get('width'), attributes.get('height')]
  return {
    alt: attributes.get('alt')?.trim() ?? '',
    is_tiny: sides.every((side) => side !== undefined && Number.parseInt(side, 10) <= 1),
  }
}

function webLink(href: string): URL | null {
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return null
  const url = new URL(href)
  return url.hostname.includes('.') || url.hostname.startsWith('[') ? url : null
}

/** Replaces each field by letters and keeps the words of all spintax options. A field that is a whole URL is not a link. */
export function withoutFields(source: string): string {
  const flat = withoutMarks(parseSpintax(source).nodes)
  const pieces: string[] = []
  let from = 0
  for (let at = flat.indexOf('{'); at >= 0; at = flat.indexOf('{', at)) {
    const end = liquidEnd(flat, at)
    if (end > at) {
      pieces.push(flat.slice(from, at), flat[at + 1] === '{' ? 'x' : '')
      from = end
      at = end
    } else at += 1
  }
  pieces.push(flat.slice(from))
  return pieces.join('')
}
