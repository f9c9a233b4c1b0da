import { escapeHtml, textToHtml } from '#lib/domain/messages/html'
import { markLiquid, splitLiquid, unmarkLiquid } from './liquid-marks.tsx'

/** The part of an editor node that is serialized. */
export type RichNode = {
  type?: string
  text?: string
  attrs?: Record<string, unknown>
  marks?: { type: string; attrs?: Record<string, unknown> }[]
  content?: RichNode[]
}

/** Escapes text except Liquid; consecutive spaces become non-breaking ones. */
function written(text: string): string {
  return splitLiquid(text)
    .map(({ text: part, isLiquid }) =>
      isLiquid
        ? part
        : part
            .replace(/[&<>]/g, escapeHtml)
            .replaceAll('\u00a0', '&nbsp;')
            .replace(/ {2,}/g, (run) => `${'&nbsp;'.repeat(run.length - 1)} `),
    )
    .join('')
}

/** Attributes use double quotes, so Liquid inside uses single ones. */
const quoted = (value: unknown): string =>
  splitLiquid(String(value ?? ''))
    .map(({ text, isLiquid }) =>
      isLiquid ? text.replaceAll('"', "'") : escapeHtml(text).replaceAll('&#39;', "'"),
    )
    .join('')

const MARKS = ['link', 'bold', 'italic'] as const
type MarkKind = (typeof MARKS)[number]

const findMark = ({ marks }: RichNode, kind: MarkKind) => marks?.find(({ type }) => type === kind)

function open(kind: MarkKind, attrs: Record<string, unknown> | undefined): [string, string] {
  if (kind === 'link') return [`<a href="${quoted(attrs?.href)}">`, '</a>']
  return kind === 'bold' ? ['<strong>', '</strong>'] : ['<em>', '</em>']
}

/**
 * Wraps neighbouring nodes that share a mark into one element, so a link with two styles stays a single link.
 */
function inline(nodes: readonly RichNode[], [kind, ...inner]: readonly MarkKind[] = MARKS): string {
  if (!kind) return nodes.map(leaf).join('')
  let html = ''
  for (let at = 0; at < nodes.length; ) {
    const mark = findMark(nodes[at] ?? {}, kind)
    const isSame = (node: RichNode) => JSON.stringify(findMark(node, kind)) === JSON.stringify(mark)
    let end = at + 1
    for (let next = nodes[end]; next && isSame(next); next = nodes[end]) end += 1
    const [before, after] = mark ? open(kind, mark.attrs) : ['', '']
    html += before + inline(nodes.slice(at, end), inner) + after
    at = end
  }
  return html
}

function leaf({ type, text, attrs }: RichNode): string {
  if (type === 'text') return written(text ?? '')
  if (type === 'hardBreak') return '<br>\n'
  if (type === 'liquid') return String(attrs?.source ?? '')
  if (type !== 'image') return ''
  const width = Number(attrs?.width)
  return `<img src="${quoted(attrs?.src)}" alt="${quoted(attrs?.alt)}"${width > 0 ? ` width="${width}"` : ''} style="max-width:100%;height:auto">`
}

/** Serializes a document as lean HTML. */
export function toSource({ type, content = [], attrs }: RichNode): string {
  if (type === 'paragraph') return `<p>${inline(content) || '<br>'}</p>`
  if (type === 'listItem')
    return `<li>${content.map((child, index) => (index === 0 ? inline(child.content ?? []) : toSource(child))).join('')}</li>`
  const blocks = content.map(toSource)
  if (type === 'bulletList') return `<ul>\n${blocks.join('\n')}\n</ul>`
  if (type === 'orderedList') {
    const start = Number(attrs?.start ?? 1)
    return `<ol${start > 1 ? ` start="${start}"` : ''}>\n${blocks.join('\n')}\n</ol>`
  }
  return blocks.join('\n')
}

/** Serializes it as plain text, without formatting. */
export function toPlain(node: RichNode, indent = ''): string {
  const { type, text = '', attrs, content = [] } = node
  if (type === 'text') return text.replaceAll('\u00a0', ' ')
  if (type === 'hardBreak') return '\n'
  if (type === 'liquid') return String(attrs?.source ?? '')
  if (type === 'image') return String(attrs?.alt ?? '')
  if (type === 'paragraph') return plainInline(content)
  if (type === 'bulletList' || type === 'orderedList') {
    const start = Number(attrs?.start ?? 1)
    const items = content.map((item, index) => {
      const mark = type === 'orderedList' ? `${start + index}. ` : '- '
      return indent + mark + (item.content ?? []).map((child) => toPlain(child, `${indent}  `)).join('\n')
    })
    return items.join('\n')
  }
  return content.map((child) => toPlain(child)).join('\n\n')
}

/** A link's URL follows its text, unless the text is the URL. */
function plainInline(nodes: readonly RichNode[]): string {
  return nodes
    .map((node, index) => {
      const link = findMark(node, 'link')
      const next = findMark(nodes[index + 1] ?? {}, 'link')
      const href = String(link?.attrs?.href ?? '')
      const isEnd = link && next?.attrs?.href !== href
      return toPlain(node) + (isEnd && node.text !== href ? ` (${href})` : '')
    })
    .join('')
}

/** Whether plain text would lose something. */
export const isFormatted = ({ type, marks, content = [] }: RichNode): boolean =>
  type === 'image' || Boolean(marks?.some(({ type: kind }) => kind !== 'link')) || content.some(isFormatted)

/** Converts plain text for the editor, keeping paragraphs, line breaks and URLs. */
export function plainToSource(text: string): string {
  const { marked, liquid } = markLiquid(text.replaceAll('\r\n', '\n'))
  if (marked.trim() === '') return '<p><br></p>'
  return unmarkLiquid(
    textToHtml(marked.replace(/ {2,}/g, (run) => `${'\u00a0'.repeat(run.length - 1)} `)),
    liquid,
  )
}
