import { escapeHtml, isSafeUrl } from '#lib/domain/messages/html'
import { type HtmlPiece, htmlPieces } from '#lib/domain/messages/html-pieces'

const ELEMENTS = new Set(
  `a abbr b blockquote br caption center code col colgroup dd div dl dt em font h1 h2 h3 h4 h5 h6 hr i img li ol p
  pre s small span strike strong sub sup table tbody td tfoot th thead tr u ul`.split(/\s+/),
)
const ATTRIBUTES = new Set(
  `align alt bgcolor border cellpadding cellspacing color colspan dir face height href lang rowspan size src style
  title valign width`.split(/\s+/),
)
/** Reduces untrusted HTML to known elements and attributes; everything else is shown as text. */
export function sanitizeHtml(html: string): string {
  return htmlPieces(html)
    .map((piece) => (piece.kind === 'text' ? escapeHtml(piece.text) : cleanTag(piece)))
    .join('')
}

function cleanTag({ name, isClosing, attributes }: Extract<HtmlPiece, { kind: 'tag' }>): string {
  if (!ELEMENTS.has(name)) return ''
  if (isClosing) return `</${name}>`
  const kept = [...attributes].flatMap(([key, value]) => {
    if (!ATTRIBUTES.has(key) || (key === 'style' && reaches(value))) return []
    const safe = (key === 'href' || key === 'src') && !isSafeUrl(value) ? '#' : value
    return key === 'style' && name === 'img' ? [] : [` ${key}="${escapeHtml(safe)}"`]
  })
  if (name === 'img') kept.push(` style="${escapeHtml(imageStyle(attributes.get('style')))}"`)
  return `<${name}${kept.join('')}>`
}

/** Limits images to the page width, whatever their own style says. */
const IMAGE_STYLE = 'max-width:100%'
function imageStyle(own: string | undefined): string {
  if (!own || reaches(own)) return IMAGE_STYLE
  return own.endsWith(IMAGE_STYLE) ? own : `${own};${IMAGE_STYLE}`
}

/** Whether a style could fetch something or cover other parts of the page. */
const reaches = (style: string) => /url\s*\(|image-set|expression|position|@import|\\|&/i.test(style)

/**
 * A document for `<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc>`. Scripts cannot run
 * (no allow-scripts), and the policy blocks all requests, so that opening a mail does not tell its sender.
 */
export function displayDocument(html: string) {
  const policy = "default-src 'none'; img-src data:; style-src-attr 'unsafe-inline'; form-action 'none'"
  return [
    '<!doctype html><html><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="referrer" content="no-referrer"><base target="_blank">',
    // The surrounding page's policy applies here too; it allows styles in attributes only.
    '</head><body style="font:15px/1.5 system-ui,sans-serif;margin:16px;overflow-wrap:anywhere">',
    `${sanitizeHtml(html)}</body></html>`,
  ].join('')
}
