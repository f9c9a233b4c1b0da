export type HtmlPiece =
  | { kind: 'text'; text: string }
  | { kind: 'tag'; name: string; isClosing: boolean; attributes: Map<string, string> }

// Taken away together with what is in them.
const OPAQUE =
  /<(script|style|head|title|template|iframe|object|noscript|textarea|select|svg|math)\b[\s\S]*?(?:<\/\1\s*>|$)/gi
const MARKUP_NOTES = /<!--[\s\S]*?(?:-->|$)|<[!?][^<>]*>/g

// No alternative can match a `<`, so that a hostile text is scanned once and not once per bracket.
const TAG =
  /<(\/?)([a-z][a-z0-9]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"<]*"|'[^'<]*'|[^\s"'<>]+))?)*)\s*\/?>/gi
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"<]*)"|'([^'<]*)'|([^\s"'<>]+)))?/g

/**
 * Tags and the text between them, in order, without comments and without elements whose content is not for
 * reading. What looks like a tag and is none stays text. Time is linear in the length, whatever the input.
 */
export function htmlPieces(html: string): HtmlPiece[] {
  const source = html.replace(MARKUP_NOTES, '').replace(OPAQUE, '')
  const pieces: HtmlPiece[] = []
  let from = 0
  for (const found of source.matchAll(TAG)) {
    const [whole, slash, name = '', attributes = ''] = found
    if (found.index > from) pieces.push({ kind: 'text', text: source.slice(from, found.index) })
    pieces.push({
      kind: 'tag',
      name: name.toLowerCase(),
      isClosing: slash === '/',
      attributes: attributesIn(attributes),
    })
    from = found.index + whole.length
  }
  if (from < source.length) pieces.push({ kind: 'text', text: source.slice(from) })
  return pieces
}

function attributesIn(source: string) {
  const attributes = new Map<string, string>()
  for (const [, name = '', double, single, bare] of source.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase()
    if (!attributes.has(key)) attributes.set(key, double ?? single ?? bare ?? '')
  }
  return attributes
}
