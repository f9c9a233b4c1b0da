import { decodeEntities, tidyText } from '#lib/domain/render/html'
import { type HtmlPiece, htmlPieces } from '#lib/domain/render/html-pieces'

const PARAGRAPHS = new Set('p h1 h2 h3 h4 h5 h6 table ul ol blockquote pre'.split(' '))
const LINES = new Set('div tr section article header footer dl dt dd center'.split(' '))

/** The text alternative: what a reader without HTML should see, link targets in brackets. */
export function htmlToText(html: string) {
  let text = ''
  let link: { url: string; at: number } | null = null
  for (const piece of htmlPieces(html)) {
    if (piece.kind === 'text') {
      const words = decodeEntities(piece.text.replace(/[\t\n\f\r ]+/g, ' '))
      text += /\s$/.test(text) || text === '' ? words.replace(/^ /, '') : words
    } else if (piece.name === 'a') {
      if (link) text += targetOf(link, text)
      link = piece.isClosing ? null : { url: piece.attributes.get('href') ?? '', at: text.length }
    } else text += breakAt(piece)
  }
  return tidyText(text)
}

function targetOf({ url, at }: { url: string; at: number }, text: string) {
  const target = decodeEntities(url).trim()
  const label = text.slice(at).trim()
  if (!/^(https?|mailto):/i.test(target) || label === target) return ''
  return label ? ` (${target})` : target
}

function breakAt({ name, isClosing, attributes }: Extract<HtmlPiece, { kind: 'tag' }>) {
  if (name === 'br') return '\n'
  if (name === 'hr') return '\n---\n'
  if (name === 'img') return decodeEntities(attributes.get('alt') ?? '')
  if (name === 'li') return isClosing ? '' : '\n- '
  if (name === 'td' || name === 'th') return isClosing ? ' ' : ''
  if (PARAGRAPHS.has(name)) return isClosing ? '\n\n' : '\n'
  return LINES.has(name) ? '\n' : ''
}
