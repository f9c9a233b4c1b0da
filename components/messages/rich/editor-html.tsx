import { MARK, markLiquid, unmarkLiquid } from './liquid-marks.tsx'

/** The elements and attributes that the editor supports. */
const HELD: Record<string, readonly string[]> = {
  P: [],
  BR: [],
  STRONG: [],
  B: [],
  EM: [],
  I: [],
  A: ['href'],
  UL: [],
  OL: ['start'],
  LI: [],
  IMG: ['src', 'alt', 'width', 'style'],
}

const parse = (html: string): Document => new DOMParser().parseFromString(withoutStyles(html), 'text/html')

/** Removes styles before parsing; the page's policy would refuse and report each of them. */
function withoutStyles(html: string): string {
  let kept = ''
  let from: number | null = 0
  for (const { 0: tag, index } of html.matchAll(/<\/?style[^<>]*>/gi)) {
    const isEnd = tag.startsWith('</')
    if (isEnd) from ??= index + tag.length
    else if (from !== null) {
      kept += html.slice(from, index)
      from = null
    }
  }
  return from === null ? kept : kept + html.slice(from)
}

/** The parts of a source that the editor would drop, in words; empty if it supports everything. */
export function partsNotHeld(source: string): string[] {
  const { marked } = markLiquid(source)
  const { head, body } = parse(marked)
  const parts = new Set<string>(head.children.length > 0 ? ['<head>'] : [])
  if (/<style[\s>]/i.test(marked)) parts.add('<style>')
  for (const name of body.getAttributeNames()) parts.add(name)
  for (const element of body.querySelectorAll('*')) {
    const held = HELD[element.tagName]
    if (!held) parts.add(`<${element.tagName.toLowerCase()}>`)
    else for (const name of element.getAttributeNames()) if (!held.includes(name)) parts.add(name)
  }
  for (const node of body.childNodes)
    if (
      node.nodeType === Node.TEXT_NODE &&
      /\uE000/.test(node.textContent ?? '') &&
      body.querySelector('p, ul, ol')
    )
      parts.add('conditions around paragraphs')
  return [...parts]
}

/**
 * Prepares a source for the editor's parser: Liquid in text becomes an element, Liquid in attributes stays.
 */
export function toEditorHtml(source: string): string {
  const { marked, liquid } = markLiquid(source)
  const { body } = parse(marked)
  for (const element of body.querySelectorAll('*'))
    for (const { name, value } of [...element.attributes])
      element.setAttribute(name, unmarkLiquid(value, liquid))
  for (const text of nodesIn(body, NodeFilter.SHOW_TEXT))
    text.parentNode?.replaceChild(withChips(text.textContent ?? '', liquid), text)
  return body.innerHTML
}

/** Collects all nodes of one kind before any is moved. */
function nodesIn(body: HTMLElement, kind: number): Node[] {
  const walker = document.createTreeWalker(body, kind)
  const nodes: Node[] = []
  while (walker.nextNode()) nodes.push(walker.currentNode)
  return nodes
}

function withChips(text: string, liquid: readonly string[]): DocumentFragment {
  const pieces = document.createDocumentFragment()
  let from = 0
  for (const match of text.matchAll(MARK)) {
    pieces.append(text.slice(from, match.index))
    const chip = document.createElement('span')
    chip.setAttribute('data-liquid', liquid[Number(match[1])] ?? '')
    pieces.append(chip)
    from = match.index + match[0].length
  }
  pieces.append(text.slice(from))
  return pieces
}

/** Cleans HTML pasted from a word processor and converts its lists to real lists. */
export function cleanPaste(html: string): string {
  const { body } = parse(html)
  for (const comment of nodesIn(body, NodeFilter.SHOW_COMMENT)) comment.parentNode?.removeChild(comment)
  for (const litter of body.querySelectorAll('script, meta, link, title, xml')) litter.remove()
  for (const bullet of body.querySelectorAll('[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]'))
    bullet.remove()
  for (const item of body.querySelectorAll('p[class^="MsoList"]')) gather(item)
  // Only images with a web URL are supported.
  for (const image of body.querySelectorAll('img'))
    if (!/^https?:/i.test(image.getAttribute('src') ?? '')) image.remove()
  return toEditorHtml(body.innerHTML)
}

/** Moves a paragraph that is a list item into the preceding list, or into a new one. */
function gather(paragraph: Element): void {
  const before = paragraph.previousElementSibling
  const list = before?.hasAttribute('data-word') ? before : document.createElement('ul')
  if (list !== before) {
    list.setAttribute('data-word', '')
    paragraph.before(list)
  }
  const item = document.createElement('li')
  item.append(...paragraph.childNodes)
  list.append(item)
  paragraph.remove()
}
