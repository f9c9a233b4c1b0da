import { type ParserError, type Token, Tokenizer, TokenizerMode } from 'parse5'
import { isHtml, isSafeUrl } from '#lib/domain/messages/html'
import { liquidEnd } from '#lib/domain/messages/spintax'

/** The elements allowed in mail. Others are removed: only the tags, or with their content. */
const ELEMENTS = new Set(
  `a abbr address article b bdi bdo big blockquote body br caption center cite code col colgroup dd del div dl dt em
  figcaption figure font footer h1 h2 h3 h4 h5 h6 head header hr html i img ins kbd li main mark meta ol p pre q s samp
  section small span strike strong style sub sup table tbody td tfoot th thead time tr tt u ul var wbr`.split(
    /\s+/,
  ),
)
const ATTRIBUTES = new Set(
  `align alt aria-hidden aria-label background bgcolor border cellpadding cellspacing charset class color colspan content
  datetime dir face height href hspace id lang name rel role rowspan size span src start style target title type valign
  value vspace width xmlns`.split(/\s+/),
)
const TARGETS = new Set(['href', 'src', 'background'])
/** Removed together with their content. */
const OPAQUE = new Set(
  `applet audio button canvas datalist frameset iframe math noembed noframes noscript object script select svg
  template textarea title video xmp`.split(/\s+/),
)
const FOREIGN = new Set(['svg', 'math'])
// Elements in whose content a browser looks for no tags.
const RAW: Record<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
}
/** Excludes addresses in angle brackets and the like, which a browser would read as a tag but the author did not mean as one. */
const TAG_NAME = /^[a-z][a-z0-9:-]*$/
/** A style that could run code or load something. */
const REACHES = /expression\s*\(|behavior\s*:|-moz-binding|(?:java|vb)script\s*:|@import|\\/i

/**
 * HTML limited to what a mail may contain: known elements and attributes, and link targets that run nothing. Allowed parts stay
 * byte for byte. Every `<` in the result begins a tag that was kept, so removing something never creates a new tag. Uses the
 * tokenizer of the HTML standard: time and memory are linear for any input.
 */
export const leanHtml = (html: string): string => new LeanReader(html, html).read()

/** The same for a template: Liquid stays as written, wherever it stands. */
export const leanTemplate = (source: string): string => new LeanReader(source, withoutLiquid(source)).read()

/** The part of a written text that is kept: for plain text, every byte. */
export const leanBody = (body: string): string => (isHtml(body) ? leanTemplate(body) : body)

type Texts = { subject?: string | null; message_template?: string | null }

/** The same for the texts of a step and its variants; other channels have no HTML. An absent text becomes null. */
export function leanTexts<V extends Texts>(step: {
  channel: string
  message_template: string | null
  variants: V[]
}): { message_template: string | null; variants: (V & Required<Texts>)[] } {
  const lean = (text: string | null | undefined) =>
    text && step.channel === 'email' ? leanBody(text) : (text ?? null)
  return {
    message_template: lean(step.message_template),
    variants: step.variants.map((variant) => ({
      ...variant,
      subject: variant.subject ?? null,
      message_template: lean(variant.message_template),
    })),
  }
}

const MASK = '\uE000'

/** Replaces each Liquid tag and output by harmless letters of the same length, so that positions stay valid. */
function withoutLiquid(source: string): string {
  let masked = ''
  let from = 0
  for (let at = source.indexOf('{'); at >= 0; at = source.indexOf('{', at)) {
    const end = liquidEnd(source, at)
    if (end > at) {
      masked += source.slice(from, at) + MASK.repeat(end - at)
      from = end
    }
    at = Math.max(end, at + 1)
  }
  return masked + source.slice(from)
}

class LeanReader {
  private readonly source: string
  /** The text that is tokenized: the source, or the source without Liquid. */
  private readonly seen: string
  private readonly tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, this)
  private readonly kept: string[] = []
  /** The removed element whose end is awaited. */
  private hidden: string | null = null
  private isInStyle = false
  /** Whether the current tag has two attributes with the same name. */
  private hasTwins = false

  constructor(source: string, seen: string) {
    this.source = source
    this.seen = seen
  }

  read(): string {
    this.tokenizer.write(this.seen, true)
    // Otherwise everything after it would be read as a style.
    if (this.isInStyle) this.kept.push('</style>')
    return this.kept.join('')
  }

  onStartTag({ tagName, selfClosing, attrs, location }: Token.TagToken): void {
    const { hasTwins } = this
    this.hasTwins = false
    const mode = RAW[tagName]
    if (mode !== undefined) this.tokenizer.state = mode
    if (this.hidden !== null || !location) return
    if (OPAQUE.has(tagName)) {
      if (!(selfClosing && FOREIGN.has(tagName))) this.hidden = tagName
    } else if (ELEMENTS.has(tagName)) {
      this.isInStyle = tagName === 'style'
      const isAsItIs =
        !hasTwins && attrs.every((one) => this.isFine(one, location)) && !this.hasBracket(location)
      const kept = isAsItIs ? '' : attrs.map((one) => this.attribute(one, location)).join('')
      this.kept.push(isAsItIs ? this.slice(location) : `<${tagName}${kept}>`)
    } else if (!TAG_NAME.test(tagName) && attrs.length === 0) this.text(location)
  }

  onEndTag({ tagName, attrs, location }: Token.TagToken): void {
    this.hasTwins = false
    if (this.hidden !== null) {
      if (this.hidden === tagName) this.hidden = null
    } else if (ELEMENTS.has(tagName)) {
      if (tagName === 'style') this.isInStyle = false
      this.kept.push(`</${tagName}>`)
    } else if (location && !TAG_NAME.test(tagName) && attrs.length === 0) this.text(location)
  }

  /** Liquid in place of an attribute is checked when it is rendered. */
  private isLiquid(at: number): boolean {
    return this.seen[at] !== this.source[at]
  }

  private isFine({ name, value }: Token.Attribute, { attrs }: Token.LocationWithAttributes): boolean {
    if (!ATTRIBUTES.has(name)) return this.isLiquid(attrs?.[name]?.startOffset ?? 0)
    return TARGETS.has(name) ? isSafeUrl(value) : name !== 'style' || !REACHES.test(value)
  }

  private attribute(one: Token.Attribute, location: Token.LocationWithAttributes): string {
    const place = location.attrs?.[one.name]
    if (!place) return ''
    if (!this.isFine(one, location)) return TARGETS.has(one.name) ? ` ${one.name}="#"` : ''
    const [name = '', ...rest] = this.escaped(place).split('=')
    const value = rest.join('=').trim()
    if (rest.length === 0) return ` ${name}`
    return ` ${name.trim()}=${/^["']/.test(value) ? value : `"${value.replaceAll('"', '&quot;')}"`}`
  }

  private hasBracket({ startOffset, endOffset }: Token.Location): boolean {
    return this.seen.slice(startOffset + 1, endOffset).includes('<')
  }

  private slice({ startOffset, endOffset }: Token.Location): string {
    return this.source.slice(startOffset, endOffset)
  }

  /** Without a bracket that could begin a tag, and without NUL, which browsers drop from text. */
  private escaped({ startOffset, endOffset }: Token.Location): string {
    let text = ''
    let from = startOffset
    const seen = this.seen.slice(startOffset, endOffset)
    for (let index = seen.indexOf('<'); index >= 0; index = seen.indexOf('<', index + 1)) {
      text += `${this.source.slice(from, startOffset + index)}&lt;`
      from = startOffset + index + 1
    }
    return (text + this.source.slice(from, endOffset)).replaceAll('\0', '')
  }

  private text(location: Token.Location | null): void {
    if (this.hidden !== null || !location) return
    this.kept.push(this.isInStyle ? this.slice(location) : this.escaped(location))
  }

  onCharacter({ location }: Token.CharacterToken): void {
    this.text(location)
  }

  onWhitespaceCharacter({ location }: Token.CharacterToken): void {
    this.text(location)
  }

  onDoctype({ location }: Token.DoctypeToken): void {
    if (location && this.hidden === null && /^<!doctype html[^<]*>$/i.test(this.slice(location)))
      this.kept.push(this.slice(location))
  }

  onParseError({ code }: ParserError): void {
    if (code === 'duplicate-attribute') this.hasTwins = true
  }

  onNullCharacter(): void {}
  onComment(): void {}
  onEof(): void {}
}
