/**
 * Spintax: `{Hi|Hello|{Good day|Welcome}}` picks one option each time. Liquid is kept whole, so the bars of its filters never
 * separate options; braces without a bar are ordinary text (CSS, JSON, smileys).
 */
export type SpinNode = string | { options: SpinOption[] }
export type SpinOption = { at: number; nodes: SpinNode[] }

export type Spintax = {
  nodes: SpinNode[]
  /** Offsets of opening braces that have options but no end. */
  unclosed: number[]
}

// Deeper nesting is treated as text; nobody writes it, and the parser is recursive.
const MAX_DEPTH = 20

export function parseSpintax(source: string): Spintax {
  const unclosed: number[] = []
  let at = 0

  const sequence = (depth: number): SpinNode[] => {
    const nodes: SpinNode[] = []
    let text = ''
    const flush = () => {
      if (text) nodes.push(text)
      text = ''
    }
    while (at < source.length) {
      const plain = plainEnd(source, at)
      if (plain > at) {
        text += source.slice(at, plain)
        at = plain
        continue
      }
      const char = source[at]
      if (depth > 0 && (char === '|' || char === '}')) break
      const end = liquidEnd(source, at)
      if (end > at) {
        text += source.slice(at, end)
        at = end
      } else if (char === '{' && depth < MAX_DEPTH) {
        for (const piece of group(depth + 1))
          if (typeof piece === 'string') text += piece
          else {
            flush()
            nodes.push(piece)
          }
      } else {
        text += char
        at += 1
      }
    }
    flush()
    return nodes
  }

  const group = (depth: number): SpinNode[] => {
    const start = at
    at += 1
    const options: SpinOption[] = [{ at, nodes: sequence(depth) }]
    while (source[at] === '|') {
      at += 1
      options.push({ at, nodes: sequence(depth) })
    }
    const isClosed = source[at] === '}'
    if (isClosed) at += 1
    if (isClosed && options.length > 1) return [{ options }]
    if (!isClosed && options.length > 1) unclosed.push(start)
    const literal = options.flatMap(({ nodes }, i) => (i > 0 ? ['|', ...nodes] : nodes))
    return ['{', ...literal, ...(isClosed ? ['}'] : [])]
  }

  return { nodes: sequence(0), unclosed }
}

const MARK = /[{|}]/g

/** The end of the plain text that begins at `at`. */
function plainEnd(source: string, at: number): number {
  MARK.lastIndex = at
  return MARK.exec(source)?.index ?? source.length
}

/** Chooses options with the given numbers in [0, 1), in reading order. */
export function spin(nodes: SpinNode[], next: () => number): string {
  const pieces = nodes.map((node) => {
    if (typeof node === 'string') return node
    const chosen = node.options[Math.floor(next() * node.options.length)]
    return chosen ? spin(chosen.nodes, next) : ''
  })
  return pieces.join('')
}

/** The source with the spintax marks blanked out: every option is kept, each character at its old offset. */
export function withoutMarks(nodes: SpinNode[]): string {
  return nodes
    .map((node) =>
      typeof node === 'string'
        ? node
        : ` ${node.options.map((option) => withoutMarks(option.nodes)).join(' ')} `,
    )
    .join('')
}

/** Every option of every group, including nested ones. */
export function allOptions(nodes: SpinNode[]): SpinOption[] {
  return nodes.flatMap((node) =>
    typeof node === 'string' ? [] : node.options.flatMap((option) => [option, ...allOptions(option.nodes)]),
  )
}

/** The end of the Liquid that begins at `at`, or `at` if there is none. `{{{` opens a group first. */
export function liquidEnd(source: string, at: number): number {
  if (source[at] !== '{') return at
  const kind = source[at + 1]
  if (kind === '%') return tagEnd(source, at)
  if (kind === '{' && source[at + 2] !== '{') return delimiterEnd(source, at + 2, '}}')
  return at
}

const END_RAW = /\{%-?\s*endraw\s*-?%\}/g
const END_COMMENT = /\{%-?\s*endcomment\s*-?%\}/g

function tagEnd(source: string, at: number) {
  const verbatim = /^\{%-?\s*(raw|comment)\b/.exec(source.slice(at, at + 40))
  if (!verbatim) return delimiterEnd(source, at + 2, '%}')
  const close = verbatim[1] === 'raw' ? END_RAW : END_COMMENT
  close.lastIndex = at
  return close.exec(source) ? close.lastIndex : source.length
}

/** The delimiter outside quotes; if a quote never closes, the first delimiter; without one, the end. */
function delimiterEnd(source: string, from: number, delimiter: string) {
  for (let at = from; at < source.length; at++) {
    const char = source[at]
    if (char === '"' || char === "'") {
      const close = source.indexOf(char, at + 1)
      if (close < 0) break
      at = close
    } else if (source.startsWith(delimiter, at)) return at + delimiter.length
  }
  const plain = source.indexOf(delimiter, from)
  return plain < 0 ? source.length : plain + delimiter.length
}
