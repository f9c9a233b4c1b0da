import { type ParserError, type Token, Tokenizer, TokenizerMode } from 'parse5'
import { isHtml, isSafeUrl } from '#lib/domain/messages/html'
import { liquidEnd } from '#lib/domain/messages/spintax'

/** What mail is laid out with. All else goes: its tags alone, or with what is in them. */
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
/** Taken away together with what is in them. */
const OPAQUE = new Set(
  `applet audio button canvas datalist frameset iframe math noembed noframes noscript object script select svg
  template textarea title video xmp`.split(/\s+/),
)
const FOREIGN = new Set(['svg', 'math'])
// What a browser does not look for tags in.
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
/** An address in angle brackets or the like: a browser takes it for a tag, its author did not. */
const TAG_NAME = /^[a-z][a-z0-9:-]*$/
/** A style that could run something or load more of itself. */
const REACHES = /expression\s*\(|behavior\s*:|-moz-binding|(?:java|vb)script\s*:|@import|\\/i

/**
 * HTML as a mail may carry it: known elements and attributes, targets that run nothing. What is allowed stays byte for byte.
 * A `<` of the result always begins a tag that was kept, so nothing that was taken away leaves a new one behind. Read by
 * the tokenizer of the HTML standard alone: time and memory are linear, whatever the input.
 */
export const leanHtml = (html: string): string => new LeanReader(html, html).read()

/** The same of a template: Liquid stays as it is written, wherever it stands. */
export const leanTemplate = (source: string): string => new LeanReader(source, withoutLiquid(source)).read()

/** What is kept of a text that somebody wrote: of a plain one every byte. */
export const leanBody = (body: string): string => (isHtml(body) ? leanTemplate(body) : body)

type Texts = { subject?: string | null; message_template?: string | null }

/** The same of what is written in a step and in its variants; other channels carry no HTML. A text that is absent is null. */
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

/** Each Liquid tag and output as letters that mean nothing, so that every place stays where it was. */
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
  /** What is read: the source, or the source without its Liquid. */
  private readonly seen: string
  private readonly tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, this)
  private readonly kept: string[] = []
  /** The element whose end is waited for. */
  private hidden: string | null = null
  private isInStyle = false
  /** Whether the tag that is being read names an attribute twice. */
  private hasTwins = false

  constructor(source: string, seen: string) {
    this.source = source
    this.seen = seen
  }

  read(): string {
    this.tokenizer.write(this.seen, true)
    // What comes after would be read as a style.
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

  /** Liquid in the place of an attribute is for whoever renders it to judge. */
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

  /** Without a bracket that could begin a tag, and without NUL, which a reader drops from a text. */
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
