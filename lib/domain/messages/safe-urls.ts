import { type Token, Tokenizer, TokenizerMode } from 'parse5'
import { isSafeUrl } from '#lib/domain/messages/html'

const TARGETS = new Set(['href', 'xlink:href', 'src', 'action', 'formaction', 'background', 'poster', 'data'])
/** What a browser does not look for tags in. */
const RAW: Record<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
}

type Span = { from: number; to: number; name: string }

/**
 * Takes away link targets of any scheme that could run something, whoever put it there. Read as a browser reads them, with
 * or without quotes and whatever their letters are written as; all else stays as it is, byte for byte.
 */
export function withSafeUrls(html: string): string {
  const spans: Span[] = []
  const checkTag = ({ tagName, attrs, location }: Token.TagToken) => {
    const mode = RAW[tagName]
    if (mode !== undefined) tokenizer.state = mode
    for (const { name, value } of attrs) {
      const place = location?.attrs?.[name]
      if (place && TARGETS.has(name) && !isSafeUrl(value))
        spans.push({ from: place.startOffset, to: place.endOffset, name })
    }
  }
  const nothing = () => undefined
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: checkTag,
      onEndTag: nothing,
      onCharacter: nothing,
      onWhitespaceCharacter: nothing,
      onNullCharacter: nothing,
      onComment: nothing,
      onDoctype: nothing,
      onEof: nothing,
    },
  )
  tokenizer.write(html, true)
  let safe = ''
  let from = 0
  for (const span of spans) {
    safe += `${html.slice(from, span.from)}${span.name}="#"`
    from = span.to
  }
  return safe + html.slice(from)
}
