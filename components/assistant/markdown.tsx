import { Fragment, type ReactNode } from 'react'
import { ScrollArea } from '#components/ui/scroll-area'

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

type Kind = 'list' | 'table' | 'text'
type Block = { kind: Kind; rows: string[] }

const kindOf = (row: string): Kind =>
  /^\s*(?:[-*]|\d+\.) /.test(row) ? 'list' : /^\s*\|.*\|\s*$/.test(row) ? 'table' : 'text'

/** Rows of a kind that follow each other, without those that are empty. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let isApart = true
  for (const row of text.split('\n')) {
    const kind = kindOf(row)
    const last = blocks.at(-1)
    const isEmpty = row.trim() === ''
    if (!isEmpty && !isApart && last?.kind === kind) last.rows.push(row)
    else if (!isEmpty) blocks.push({ kind, rows: [row] })
    isApart = isEmpty
  }
  return blocks
}

/** A bar that is escaped parts no cells. */
const cellsOf = (row: string) =>
  row
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

const isRule = (row: string) => cellsOf(row).every((cell) => /^:?-+:?$/.test(cell))

function Rows({ head, rows }: { head: string; rows: string[] }) {
  const cell = 'border-b border-border py-1 pr-3 align-top'
  return (
    <ScrollArea label="Table">
      <table className="w-full text-left text-xs">
        <thead>
          <tr>
            {keyed(cellsOf(head)).map(([key, text]) => (
              <th key={key} scope="col" className={cell}>
                {inline(text)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keyed(rows).map(([key, row]) => (
            <tr key={key}>
              {keyed(cellsOf(row)).map(([key, text]) => (
                <td key={key} className={cell}>
                  {inline(text)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

/** What a model wrote, as paragraphs, lists and tables. */
export function Markdown({ text }: { text: string }) {
  return blocksOf(text).map(({ kind, rows }, index) => {
    // Blocks only ever grow at their end.
    const key = index
    const [head = '', rule = '', ...rest] = rows
    if (kind === 'table' && isRule(rule)) return <Rows key={key} head={head} rows={rest} />
    if (kind === 'list')
      return (
        <ul key={key} className="list-disc pl-5">
          {keyed(rows).map(([key, row]) => (
            <li key={key}>{inline(row.replace(/^\s*(?:[-*]|\d+\.) /, ''))}</li>
          ))}
        </ul>
      )
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
  })
}
