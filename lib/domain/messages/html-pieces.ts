import { type Token, Tokenizer, TokenizerMode } from 'parse5'

export type HtmlPiece =
  | { kind: 'text'; text: string }
  | { kind: 'tag'; name: string; isClosing: boolean; attributes: Map<string, string> }

/** Removed together with their content. */
const OPAQUE = new Set(
  'script style head title template iframe object noscript textarea select svg math'.split(' '),
)
// Elements in whose content a browser looks for no tags.
const RAW: Record<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
}
/** Elements in which a slash at the end of a tag closes it. */
const FOREIGN = new Set(['svg', 'math'])
/** Excludes addresses in angle brackets and the like, which a browser would read as a tag but the author did not mean as one. */
const TAG_NAME = /^[a-z][a-z0-9:-]*$/

/**
 * Tags and the text between them, in order, with decoded entities, without comments and without elements whose content is not
 * for reading. Text that only looks like a tag stays text. Uses the tokenizer of the HTML standard without building a tree: time
 * and memory are linear for any input.
 */
export function htmlPieces(html: string): HtmlPiece[] {
  const reader = new PieceReader()
  reader.tokenizer.write(html, true)
  return reader.pieces
}

class PieceReader {
  readonly pieces: HtmlPiece[] = []
  readonly tokenizer = new Tokenizer({}, this)
  /** The hidden element whose end is awaited. */
  private hidden: string | null = null

  onStartTag({ tagName, selfClosing, attrs }: Token.TagToken): void {
    const mode = RAW[tagName]
    if (mode !== undefined) this.tokenizer.state = mode
    // The end tag of a head may be left out.
    if (this.hidden === 'head' && tagName === 'body') this.hidden = null
    if (this.hidden !== null) return
    if (OPAQUE.has(tagName)) {
      if (!(selfClosing && FOREIGN.has(tagName))) this.hidden = tagName
    } else this.add(tagName, false, attrs)
  }

  onEndTag({ tagName, attrs }: Token.TagToken): void {
    if (this.hidden === null) {
      if (!OPAQUE.has(tagName)) this.add(tagName, true, attrs)
    } else if (this.hidden === tagName) this.hidden = null
  }

  private add(name: string, isClosing: boolean, attrs: Token.Attribute[]): void {
    if (!TAG_NAME.test(name)) {
      if (attrs.length === 0) this.text(`<${isClosing ? '/' : ''}${name}>`)
      return
    }
    // Of two attributes with the same name the tokenizer keeps the first, as browsers do.
    const attributes = new Map(attrs.map((attribute) => [attribute.name, attribute.value]))
    this.pieces.push({ kind: 'tag', name, isClosing, attributes })
  }

  private text(text: string): void {
    if (this.hidden === null) this.pieces.push({ kind: 'text', text })
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    this.text(chars)
  }

  onWhitespaceCharacter({ chars }: Token.CharacterToken): void {
    this.text(chars)
  }

  onNullCharacter(): void {}
  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}
}
