const FACE =
  "font:14px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;max-width:36rem;overflow-wrap:anywhere"
const ITEM = '- '
const COLON = ': '

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/**
 * The HTML version of a notification: lists as lists, figures beside their labels, and URLs of this instance as links on the
 * words before them. Every other URL is shown in full: names in it may come from others and must not hide its target.
 */
export function notificationHtml(text: string, origin: string): string {
  const parts = text.trim().split('\n\n')
  return `<div style="${FACE}">${parts.map((part) => toBlock(part.split('\n'), `${origin}/`)).join('')}</div>`
}

function toBlock(lines: string[], own: string): string {
  const isItem = (line: string) => line.startsWith(ITEM)
  const items = lines.filter(isItem)
  const [head = '', ...rest] = lines
  if (items.length > 0 && (isItem(head) || rest.every(isItem))) {
    const title = isItem(head) ? '' : `<p style="margin:0 0 4px"><strong>${escaped(head)}</strong></p>`
    const list = items.map((line) => `<li>${toInline(line.slice(ITEM.length), own)}</li>`).join('')
    return `${title}<ul style="margin:0 0 16px;padding-left:20px">${list}</ul>`
  }
  const pairs = lines.map(splitPair)
  if (lines.length > 1 && pairs.every((pair) => pair !== null && !pair[1].includes('://'))) {
    const rows = pairs.flatMap((pair) => (pair ? [toRow(pair)] : []))
    return `<table style="border-collapse:collapse;font:inherit;margin:0 0 16px">${rows.join('')}</table>`
  }
  return `<p style="margin:0 0 16px">${lines.map((line) => toInline(line, own)).join('<br>')}</p>`
}

/** Splits "Sent: 3 to 3 leads" at its first colon. */
function splitPair(line: string): [string, string] | null {
  const at = line.indexOf(COLON)
  return at < 1 ? null : [line.slice(0, at), line.slice(at + COLON.length)]
}

/** The text after the first semicolon is secondary. */
function toRow([label, value]: [string, string]): string {
  const at = value.indexOf('; ')
  const [figure, more] = at < 0 ? [value, ''] : [value.slice(0, at), value.slice(at)]
  const cell = 'padding:2px 16px 2px 0;text-align:left;vertical-align:top;font-weight:normal'
  return `<tr><th scope="row" style="${cell};white-space:nowrap">${escaped(label)}</th><td style="${cell}"><strong>${escaped(figure)}</strong>${escaped(more)}</td></tr>`
}

function toInline(line: string, own: string): string {
  const pair = splitPair(line)
  if (pair?.[1].startsWith(own) && !pair[1].includes(' '))
    return `<a href="${escaped(pair[1])}">${escaped(pair[0])}</a>`
  return line
    .split(' ')
    .map((word) => {
      const isAddress = word.startsWith('https://') || word.startsWith('http://')
      return isAddress ? `<a href="${escaped(word)}">${escaped(word)}</a>` : escaped(word)
    })
    .join(' ')
}
