import { tidyText } from '#lib/domain/messages/html'
import { type HtmlPiece, htmlPieces } from '#lib/domain/messages/html-pieces'

const PARAGRAPHS = new Set('p h1 h2 h3 h4 h5 h6 table ul ol blockquote pre'.split(' '))
const LINES = new Set('div tr section article header footer dl dt dd center'.split(' '))

/**
 * The text alternative: what a reader without HTML should see, link targets in brackets. It is put together from pieces at
 * the end, since a text that grows by each of them would be copied at each look at it.
 */
export function htmlToText(html: string): string {
  const words: string[] = []
  let endsInSpace = true
  let link: { url: string; at: number } | null = null
  const add = (text: string) => {
    if (text === '') return
    words.push(text)
    endsInSpace = /\s/.test(text.slice(-1))
  }
  for (const piece of htmlPieces(html)) {
    if (piece.kind === 'text') {
      const said = plain(piece.text)
      add(endsInSpace ? said.replace(/^ /, '') : said)
    } else if (piece.name === 'a') {
      if (link) add(linkTarget(link.url, words.slice(link.at).join('')))
      link = piece.isClosing ? null : { url: piece.attributes.get('href') ?? '', at: words.length }
    } else add(breakAt(piece))
  }
  return tidyText(words.join(''))
}

/** As one line would show it; a space that may not break is one all the same. */
const plain = (text: string) => text.replace(/[\t\n\f\r ]+/g, ' ').replaceAll('\u00a0', ' ')

function linkTarget(url: string, said: string): string {
  const target = url.trim()
  const label = said.trim()
  if (!/^(https?|mailto):/i.test(target) || label === target) return ''
  return label ? ` (${target})` : target
}

function breakAt({ name, isClosing, attributes }: Extract<HtmlPiece, { kind: 'tag' }>): string {
  if (name === 'br') return '\n'
  if (name === 'hr') return '\n---\n'
  if (name === 'img') return attributes.get('alt') ?? ''
  if (name === 'li') return isClosing ? '' : '\n- '
  if (name === 'td' || name === 'th') return isClosing ? ' ' : ''
  if (PARAGRAPHS.has(name)) return isClosing ? '\n\n' : '\n'
  return LINES.has(name) ? '\n' : ''
}
