import { Fragment, type ReactNode } from 'react'

const INLINE = /(\\[\\`*_[\]<>#|!])|\*\*(.+?)\*\*|`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)/g

/** Only addresses that a browser may follow from here. */
const isWeb = (href: string) => /^https?:\/\//i.test(href) && URL.canParse(href)

/** Bold, code and links; all else is text. Nothing becomes HTML, and nothing is loaded from elsewhere. */
function inline(text: string): ReactNode[] {
  const parts: ReactNode[] = []
  let from = 0
  for (const match of text.matchAll(INLINE)) {
    const [whole, escaped, bold, code, label, href = ''] = match
    parts.push(text.slice(from, match.index))
    from = match.index + whole.length
    if (escaped) parts.push(escaped.slice(1))
    else if (bold) parts.push(<strong key={match.index}>{inline(bold)}</strong>)
    else if (code) parts.push(<code key={match.index}>{code}</code>)
    else if (!isWeb(href)) parts.push(label)
    else
      parts.push(
        <a
          key={match.index}
          href={href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="underline"
        >
          {label}
        </a>,
      )
  }
  return [...parts, text.slice(from)]
}

/** Rows only ever grow at their end, and two may be alike: their place is their key. */
const keyed = (rows: string[]) => rows.map((row, at) => [at, row] as const)

/** What a model wrote, as paragraphs and lists. */
export function Markdown({ text }: { text: string }) {
  const blocks = text.split(/\n{2,}/)
  return blocks.map((block, index) => {
    const rows = block.split('\n')
    const isList = rows.every((row) => /^\s*(?:[-*]|\d+\.) /.test(row))
    // Blocks only ever grow at their end.
    const key = index
    if (!isList)
      return (
        <p key={key}>
          {keyed(rows).map(([key, row]) => (
            <Fragment key={key}>
              {inline(row.replace(/^#+ /, ''))}
              {'\n'}
            </Fragment>
          ))}
        </p>
      )
    return (
      <ul key={key} className="list-disc pl-5">
        {keyed(rows).map(([key, row]) => (
          <li key={key}>{inline(row.replace(/^\s*(?:[-*]|\d+\.) /, ''))}</li>
        ))}
      </ul>
    )
  })
}
