import { appendHtml, decodeEntities, escapeHtml } from '#lib/domain/messages/html'

// Comments (Outlook's conditional ones too) and what is not for reading are passed over whole. No alternative inside a
// tag can match a `<`, so that a hostile text is scanned once and not once per bracket.
const PIECE =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|title|template|textarea|svg|math)\b[\s\S]*?(?:<\/\1\s*>|$)|<a\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/gi
// A name begins where none was: one that no value follows is looked at once, not once for each of its letters.
const ATTRIBUTE = /(?<![^\s"'<>/=])([^\s"'<>/=]+)(\s*=\s*)("[^"<]*"|'[^'<]*'|[^\s"'<>]+)/g

/**
 * The same HTML with other targets in its links: `replace` is asked for each http(s) target of an `<a>`, in order, and
 * answers the address to put there, or null to leave it. mailto, tel, anchors and everything else stay as they are.
 */
export function withLinks(html: string, replace: (url: string) => string | null): string {
  return html.replace(PIECE, (piece) => (/^<a\s/i.test(piece) ? withTarget(piece, replace) : piece))
}

function withTarget(tag: string, replace: (url: string) => string | null): string {
  let isDone = false
  return tag.replace(ATTRIBUTE, (whole, name: string, equals: string, value: string) => {
    // Of two, readers take the first.
    if (isDone || name.toLowerCase() !== 'href') return whole
    isDone = true
    const url = decodeEntities(/^["']/.test(value) ? value.slice(1, -1) : value).trim()
    const target = /^https?:\/\//i.test(url) && URL.canParse(url) ? replace(url) : null
    return target === null ? whole : `${name}${equals}"${escapeHtml(target)}"`
  })
}

/** An image of one pixel at the end of the body. */
export const withPixel = (html: string, url: string): string =>
  appendHtml(html, `<img src="${escapeHtml(url)}" width="1" height="1" alt="" style="border:0">`)
