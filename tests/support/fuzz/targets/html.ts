import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5'
import { displayDocument, sanitizeHtml } from '#lib/domain/inbox/display-html'
import { newText } from '#lib/domain/inbox/new-text'
import { decodeEntities, escapeHtml, textToHtml, tidyText } from '#lib/domain/messages/html'
import { htmlToText } from '#lib/domain/messages/html-to-text'
import { leanHtml } from '#lib/domain/messages/lean-html'
import { withLinks } from '#lib/domain/messages/tracked-html'
import { promise, type Target, textOf } from '#tests/support/fuzz/target'

type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.Node

/** The elements as a browser builds them. */
export function elementsOf(root: Node): Element[] {
  const found: Element[] = []
  const waiting: Node[] = [root]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if ('tagName' in node) found.push(node)
    if ('content' in node) waiting.push(node.content)
    if ('childNodes' in node) waiting.push(...node.childNodes)
  }
  return found
}

const RUNS = new Set(
  'script iframe object embed form input button link meta base style svg math template frame frameset applet'.split(
    ' ',
  ),
)
/** Reads a link target as a browser does: without control characters and spaces around it, and without line ends and tabs in it. */
export const runs = (target: string): boolean =>
  /^(javascript|vbscript|data|file|blob):/i.test(target.replace(/[\p{Cc} ]/gu, ''))

const LEADS = ['href', 'src', 'action', 'background', 'srcset', 'formaction']

function promiseSafeTargets(elements: Element[], what: string): void {
  for (const { attrs } of elements)
    for (const { name, value } of attrs)
      promise(!LEADS.includes(name) || !runs(value), `no target that runs in ${what}`)
}

export function promiseHarmless(elements: Element[], what: string): void {
  promiseSafeTargets(elements, what)
  for (const { tagName, attrs } of elements) {
    promise(!RUNS.has(tagName), `no <${tagName}> in ${what}`)
    for (const { name, value } of attrs) {
      promise(!name.startsWith('on'), `no ${name} in ${what}`)
      promise(
        name !== 'style' || !/url\(|expression|@import/i.test(value),
        `no style that fetches in ${what}`,
      )
    }
  }
}

const textIn = (root: Node): string =>
  'value' in root ? root.value : 'childNodes' in root ? root.childNodes.map(textIn).join('') : ''

/** Untrusted HTML is displayed and executes nothing. */
export const html: Target = {
  name: 'html',
  max: 48 * 1024,
  seeds: () => [
    '<p>Hi <b>Ann</b>,<br>see <a href="https://a.test/?x=1&amp;y=2">this</a></p><ul><li>a<li>b</ul>',
    '<!doctype html><html><head><style>p{}</style><title>t</title></head><body onload="x()"><table><tr><td width=1 style="color:red">a</table></body></html>',
    '<a href=javascript:alert(1)>x</a><img src=x onerror=alert(1)><svg><script>1</script></svg><!-- c -->',
    "<a href='&#106;avascript:x'>y</a><textarea></p></textarea><math><mtext></mtext></math>",
    'plain, a < b & c > d\n\nhttps://a.test/x. <ada@b.test>',
  ],
  words: [
    '<a href="',
    "<a href='",
    '<a href=',
    '<a\thref="',
    '</a>',
    '<p',
    '<p>',
    '</p>',
    '<br/>',
    '<img src=',
    ' onerror=',
    ' style="',
    'url(',
    'javascript:',
    'java\tscript:',
    '&#x6a;avascript&colon;',
    'data:text/html,',
    'https://a.test',
    '<script>',
    '</script>',
    '<style>',
    '</style',
    '<svg',
    '<math>',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '--!>',
    '<!',
    '<?',
    '<textarea>',
    '<title>',
    '</title >',
    '<plaintext>',
    '<noscript>',
    '<template>',
    '<select>',
    '<iframe srcdoc="',
    '<table>',
    '<blockquote>',
    '<head>',
    '<body',
    '<ada@b.test>',
    '&lt;',
    '&amp',
    '&#60;',
    '&#x',
    '&nbsp;',
    '&#0;',
    '&#xd800;',
    '"',
    "'",
    '`',
    '=',
    '/',
    '>',
    '<',
    '\0',
    '\n',
    '\t',
    '\u00a0',
    '\u2028',
  ],
  run(input) {
    const given = textOf(input)
    const text = htmlToText(given)
    promise(text.length <= 4 * given.length + 16, 'the text is in proportion to the HTML')
    promise(tidyText(text) === text, 'the text is tidy')
    newText(text)
    const clean = sanitizeHtml(given)
    // A browser reads every kind of line end as one.
    const asRead = clean.replace(/\r\n?/g, '\n')
    promise(sanitizeHtml(asRead) === asRead, 'clean HTML stays as it is')
    promiseHarmless(elementsOf(parseFragment(clean)), 'what is shown')
    const [, , ...shown] = elementsOf(parse(displayDocument(given)))
    promise(
      shown.some(
        ({ tagName, attrs }) =>
          tagName === 'meta' && attrs.some(({ value }) => value.startsWith("default-src 'none'")),
      ),
      'the policy stands',
    )
    const escaped = textToHtml(given)
    const made = elementsOf(parseFragment(escaped))
    promise(
      made.every(({ tagName }) => ['p', 'br', 'a'].includes(tagName)),
      'a text makes no elements of its own',
    )
    promiseHarmless(made, 'a text')
    promise(
      textIn(parseFragment(escapeHtml(given).replaceAll('\r', ''))) ===
        given.replaceAll('\r', '').replaceAll('\0', ''),
      'what is escaped reads as it was',
    )
    decodeEntities(given)
    const safe = leanHtml(given)
    promise(leanHtml(safe) === safe, 'what is sent stays as it is')
    promiseSafeTargets(elementsOf(parse(safe)), 'what is sent')
    const led = withLinks(given, () => 'https://t.test/1')
    promise(withLinks(led, () => 'https://t.test/1') === led, 'links that were replaced stay as they are')
  },
}
