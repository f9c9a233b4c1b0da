import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'
import { ScrollArea } from './layout/scroll-area.tsx'

/** Only http and https links are allowed. */
const isWeb = (href: string) => /^https?:\/\//i.test(href) && URL.canParse(href)

/** The library's types include tokens of extensions, which are not used here. */
const known = (token: Token) => token as MarkedToken

/** Tokens are only ever appended and may be equal, so the position is the key. */
const each = (tokens: Token[] | undefined, draw: (token: MarkedToken) => ReactNode) =>
  (tokens ?? []).map((token, at) => {
    const key = at
    return <Fragment key={key}>{draw(known(token))}</Fragment>
  })

/** Renders Markdown from a model or a contract. Nothing becomes HTML, and nothing external is loaded. */
export function Markdown({ text }: { text: string }) {
  return each(lexer(text, { gfm: true }), block)
}

function block(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'list':
      return <List list={token} />
    case 'table':
      return <Rows table={token} />
    case 'code':
      return (
        <pre className="overflow-x-auto font-mono text-xs">
          <code>{token.text}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote className="border-l-2 border-border pl-3">{each(token.tokens, block)}</blockquote>
    case 'hr':
      return <hr className="border-border" />
    case 'heading':
      return (
        <p>
          <strong>{each(token.tokens, inline)}</strong>
        </p>
      )
    case 'paragraph':
      return <p>{each(token.tokens, inline)}</p>
    default:
      return inline(token)
  }
}

function inline(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{each(token.tokens, inline)}</strong>
    case 'em':
      return <em>{each(token.tokens, inline)}</em>
    case 'del':
      return <del>{each(token.tokens, inline)}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'link':
      return <Anchor link={token} />
    case 'image':
    case 'escape':
      return token.text
    case 'text':
      return token.tokens ? each(token.tokens, inline) : token.text
    // HTML and unknown tokens are shown as text.
    default:
      return token.raw
  }
}

function Anchor({ link }: { link: Tokens.Link }) {
  const words = each(link.tokens, inline)
  if (!isWeb(link.href)) return words
  return (
    <a href={link.href} target="_blank" rel="noopener noreferrer nofollow" className="underline">
      {words}
    </a>
  )
}

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, at) => {
    const key = at
    return <li key={key}>{each(item.tokens, block)}</li>
  })
  if (!list.ordered) return <ul className="list-disc pl-5">{items}</ul>
  return (
    <ol start={list.start || 1} className="list-decimal pl-5">
      {items}
    </ol>
  )
}

function Rows({ table }: { table: Tokens.Table }) {
  const cellClass = 'border-b border-border py-1 pr-3 align-top'
  return (
    <ScrollArea label="Table">
      <table className="w-full text-left text-xs">
        <thead>
          <tr>
            {table.header.map((cell, at) => {
              const key = at
              return (
                <th key={key} scope="col" className={cellClass}>
                  {each(cell.tokens, inline)}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => {
            const key = at
            return (
              <tr key={key}>
                {row.map((cell, column) => {
                  const key = column
                  return (
                    <td key={key} className={cellClass}>
                      {each(cell.tokens, inline)}
                    </td>
                  )
                })}
              </tr>
            )
          })}
        </tbody>
      </table>
    </ScrollArea>
  )
}
