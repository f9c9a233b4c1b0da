import { appendHtml, decodeEntities, escapeHtml } from '#lib/domain/messages/html'

// Comments (also Outlook's conditional ones) and elements that are not for reading are skipped whole. No alternative inside a tag
// can match a `<`, so a hostile text is scanned once and not once per bracket.
const PIECE =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|title|template|textarea|svg|math)\b[\s\S]*?(?:<\/\1\s*>|$)|<a\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/gi
// A name starts only where no name is in progress, so a name without a value is examined once, not once for each of its letters.
const ATTRIBUTE = /(?<![^\s"'<>/=])([^\s"'<>/=]+)(\s*=\s*)("[^"<]*"|'[^'<]*'|[^\s"'<>]+)/g

/**
 * The same HTML with other link targets: `replace` is called for each http(s) target of an `<a>`, in order, and returns the new
 * URL, or null to keep it. mailto, tel, anchors and everything else stay.
 */
export function withLinks(html: string, replace: (url: string) => string | null): string {
  return html.replace(PIECE, (piece) => (/^<a\s/i.test(piece) ? withTarget(piece, replace) : piece))
}

function withTarget(tag: string, replace: (url: string) => string | null): string {
  let isDone = false
  return tag.replace(ATTRIBUTE, (whole, name: string, equals: string, value: string) => {
    // Of two href attributes, browsers use the first.
    if (isDone || name.toLowerCase() !== 'href') return whole
    isDone = true
    const url = decodeEntities(/^["']/.test(value) ? value.slice(1, -1) : value).trim()
    const target = /^https?:\/\//i.test(url) && URL.canParse(url) ? replace(url) : null
    return target === null ? whole : `${name}${equals}"${escapeHtml(target)}"`
  })
}

/** Adds an image of one pixel at the end of the body. */
export const withPixel = (html: string, url: string): string =>
  appendHtml(html, `<img src="${escapeHtml(url)}" width="1" height="1" alt="" style="border:0">`)
