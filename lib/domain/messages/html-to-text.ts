import { tidyText } from '#lib/domain/messages/html'
import { type HtmlPiece, htmlPieces } from '#lib/domain/messages/html-pieces'

const PARAGRAPHS = new Set('p h1 h2 h3 h4 h5 h6 table blockquote pre'.split(' '))
const LINES = new Set('div tr section article header footer dl dt dd center'.split(' '))

const LISTS = new Set(['ul', 'ol'])
const DEEPEST = 5

/** `said` counts the items of a numbered list. */
type List = { name: string; said: number }
type Tag = Extract<HtmlPiece, { kind: 'tag' }>

/**
 * The text alternative for readers without HTML, with link targets in brackets. Pieces are joined at the end: a text that grew
 * with each piece would be copied each time it is inspected.
 */
export function htmlToText(html: string): string {
  const words: string[] = []
  let endsInSpace = true
  let link: { url: string; at: number } | null = null
  const lists: List[] = []
  let isAfterMark = false
  const add = (text: string) => {
    if (text === '') return
    words.push(text)
    isAfterMark = false
    endsInSpace = /\s/.test(text.slice(-1))
  }
  for (const piece of htmlPieces(html)) {
    if (piece.kind === 'text') {
      const said = plain(piece.text)
      add(endsInSpace ? said.replace(/^ /, '') : said)
    } else if (piece.name === 'a') {
      if (link) add(linkTarget(link.url, words.slice(link.at).join('')))
      link = piece.isClosing ? null : { url: piece.attributes.get('href') ?? '', at: words.length }
    } else if (piece.name === 'li' || LISTS.has(piece.name)) {
      add(listBreak(piece, lists))
      isAfterMark = piece.name === 'li' && !piece.isClosing
    } else if (piece.name === 'p' && lists.length > 0) add(piece.isClosing || isAfterMark ? '' : '\n')
    else add(breakAt(piece))
  }
  return tidyText(words.join(''))
}

/** White space collapsed as on one line; a non-breaking space counts as a space. */
const plain = (text: string) => text.replace(/[\t\n\f\r ]+/g, ' ').replaceAll('\u00a0', ' ')

function linkTarget(url: string, said: string): string {
  const target = url.trim()
  const label = said.trim()
  if (!/^(https?|mailto):/i.test(target) || label === target) return ''
  return label ? ` (${target})` : target
}

/** A nested list starts on a new line, indented. */
function listBreak({ name, isClosing }: Tag, lists: List[]): string {
  const around = lists.at(-1)
  if (name === 'li') {
    if (isClosing) return ''
    const mark = around?.name === 'ol' ? `${++around.said}. ` : '- '
    return `\n${'  '.repeat(Math.max(0, Math.min(lists.length, DEEPEST) - 1))}${mark}`
  }
  if (!isClosing) lists.push({ name, said: 0 })
  else if (around) lists.pop()
  return lists.length > (isClosing ? 0 : 1) ? '' : isClosing ? '\n\n' : '\n'
}

function breakAt({ name, isClosing, attributes }: Tag): string {
  if (name === 'br') return '\n'
  if (name === 'hr') return '\n---\n'
  if (name === 'img') return attributes.get('alt') ?? ''
  if (name === 'td' || name === 'th') return isClosing ? ' ' : ''
  if (PARAGRAPHS.has(name)) return isClosing ? '\n\n' : '\n'
  return LINES.has(name) ? '\n' : ''
}
