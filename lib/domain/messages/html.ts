const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string) {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char)
}

const KNOWN_TAG =
  /<\/?(?:a|b|blockquote|body|br|center|code|div|em|font|h[1-6]|head|hr|html|i|img|li|ol|p|pre|s|small|span|strong|style|sub|sup|table|tbody|td|th|tr|u|ul)(?:\s[^<>]*)?\/?>/i

/** Whether a template is HTML: one known tag is enough, `a < b` and `<ada@x.org>` are not. */
export function isHtml(source: string) {
  return KNOWN_TAG.test(source)
}

// Trailing punctuation belongs to the sentence, not to the URL.
const LINK = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}]/gi

/** Escapes everything, and turns URLs into links, blank lines into paragraphs and line ends into breaks. */
export function textToHtml(text: string) {
  const paragraphs = text.trim().split(/\n[ \t]*\n\s*/)
  return paragraphs.map((paragraph) => `<p>${linkify(paragraph).replace(/\n/g, '<br>\n')}</p>`).join('\n')
}

function linkify(text: string) {
  let html = ''
  let from = 0
  for (const match of text.matchAll(LINK)) {
    const url = escapeHtml(match[0])
    html += `${escapeHtml(text.slice(from, match.index))}<a href="${url}">${url}</a>`
    from = match.index + match[0].length
  }
  return html + escapeHtml(text.slice(from))
}

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  euro: '€',
  pound: '£',
  middot: '·',
}

/** Decodes numeric entities and the named ones that mail programs write; unknown names stay. */
export function decodeEntities(text: string) {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000)
      ? String.fromCodePoint(code)
      : ''
  })
}

/** Removes spaces at line ends, allows one blank line in a row, and uses Unix line ends. */
export function tidyText(text: string) {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const SAFE_SCHEME = /^(?:https?|mailto|tel|sms|cid):/i

/** False for a link target whose scheme could run code. */
export function isSafeUrl(target: string): boolean {
  const url = target.replace(/[\p{Cc} ]/gu, '')
  return !/^[a-z][a-z0-9+.-]*:/i.test(url) || SAFE_SCHEME.test(url)
}

/** Adds a block at the end of the body, for documents and fragments. */
export function appendHtml(html: string, block: string) {
  const end = html.search(/<\/body\s*>/i)
  return end < 0 ? `${html}\n${block}` : `${html.slice(0, end)}${block}\n${html.slice(end)}`
}

/** A complete document, for mail readers that need one. */
export function htmlDocument(html: string) {
  if (/<html[\s>]/i.test(html)) return html
  return `<!doctype html>\n<html>\n<head><meta charset="utf-8"></head>\n<body>\n${html}\n</body>\n</html>\n`
}
