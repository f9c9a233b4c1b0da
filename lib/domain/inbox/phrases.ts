/** An edge to state `to`, consuming a character that `takes` accepts; without `takes` it consumes nothing. */
type Edge = { takes: ((char: string) => boolean) | null; to: number }
type Fragment = { start: number; end: number }
type State = { isEnd: boolean; next: Map<string, State | null>; places: number[] }

export type Phrases = {
  /** Whether the whole text is one of the phrases. */
  isWhole(text: string): boolean
  /**
   * The first phrase that occurs in a text as separate words, the longest if several begin there; else null.
   */
  firstIn(text: string): string | null
  /** The position of that phrase. */
  placeIn(text: string): { from: number; to: number } | null
}

/** With more states than this the automaton starts over, so that hostile text cannot fill the memory. */
const MAX_STATES = 2_000

/**
 * Matches phrases written as a regular expression of literals, groups, `|`, `?`, `*` and classes, using an
 * automaton that takes one step per character; a backtracking engine could take too long. Case, kinds of
 * apostrophes and line breaks are ignored. Built on first use: the phrases of all languages take tens of
 * megabytes, and a process that only serves pages never reads replies.
 */
export function phrases(pattern: string): Phrases {
  let reader: Phrases | undefined
  const read = () => (reader ??= createReader(pattern))
  return {
    isWhole: (text) => read().isWhole(text),
    firstIn: (text) => read().firstIn(text),
    placeIn: (text) => read().placeIn(text),
  }
}

function createReader(pattern: string): Phrases {
  const { edges, whole } = buildAutomaton(pattern)
  let states = new Map<string, State>()

  function stateAt(places: number[]): State {
    const key = places.join()
    const known = states.get(key)
    if (known) return known
    if (states.size >= MAX_STATES) startAnew()
    const state = { isEnd: places.includes(whole.end), next: new Map(), places }
    states.set(key, state)
    return state
  }

  /** Epsilon closure: every state reachable from these without consuming a character. */
  function settled(places: Iterable<number>): number[] {
    const closure = new Set(places)
    for (const place of closure) for (const { takes, to } of edges[place] ?? []) if (!takes) closure.add(to)
    return [...closure].sort((a, b) => a - b)
  }

  function step(state: State, char: string): State | null {
    const known = state.next.get(char)
    if (known !== undefined) return known
    const reached = state.places.flatMap((place) =>
      (edges[place] ?? []).filter(({ takes }) => takes?.(char)).map(({ to }) => to),
    )
    const next = reached.length > 0 ? stateAt(settled(reached)) : null
    state.next.set(char, next)
    return next
  }

  const first = settled([whole.start])
  let beginning = stateAt(first)

  /** Also resets the cached successors of the start state. */
  function startAnew() {
    states = new Map()
    beginning = stateAt(first)
  }

  function isWhole(text: string): boolean {
    let state: State | null = beginning
    for (const { folded } of readChars(text).chars) {
      state = step(state, folded)
      if (!state) return false
    }
    return state.isEnd
  }

  function firstIn(text: string): string | null {
    const place = placeIn(text)
    return place && text.slice(place.from, place.to)
  }

  function placeIn(text: string): { from: number; to: number } | null {
    const { chars, starts, ends } = readChars(text)
    for (let from = 0; from < chars.length; from++) {
      if (chars[from - 1]?.isLetter) continue
      let end = -1
      let state: State | null = beginning
      for (let at = from; state && at < chars.length; at++) {
        state = step(state, chars[at]?.folded ?? '')
        if (state?.isEnd && !chars[at + 1]?.isLetter) end = at
      }
      if (end >= 0) return { from: starts[from] ?? 0, to: ends[end] ?? text.length }
    }
    return null
  }
  return { isWhole, firstIn, placeIn }
}

type Char = { folded: string; isLetter: boolean }
/** Characters in the form in which they are compared, with their positions. */
type Chars = { text: string; chars: Char[]; starts: number[]; ends: number[] }

function toChar(char: string): Char {
  const folded = /\s/.test(char) ? ' ' : char === '’' ? "'" : char.toLowerCase()
  return { folded, isLetter: /\p{L}/u.test(folded) }
}

/** Precomputed, since most replies consist of these. */
const ASCII = Array.from({ length: 128 }, (_, code) => toChar(String.fromCharCode(code)))

/** The last text read: the same text is checked against one kind of phrases after the other. */
let last: Chars = { text: '', chars: [], starts: [], ends: [] }

/** Any run of whitespace counts as one space. */
function readChars(text: string): Chars {
  if (text === last.text) return last
  const read: Chars = { text, chars: [], starts: [], ends: [] }
  let start = 0
  while (start < text.length) {
    const code = text.codePointAt(start) ?? 0
    const end = start + (code > 0xffff ? 2 : 1)
    const char = ASCII[code] ?? toChar(text.slice(start, end))
    const count = read.chars.length
    if (char.folded === ' ' && read.chars[count - 1]?.folded === ' ') read.ends[count - 1] = end
    else {
      read.chars.push(char)
      read.starts.push(start)
      read.ends.push(end)
    }
    start = end
  }
  last = read
  return read
}

/** Thompson's construction. */
function buildAutomaton(pattern: string): { edges: Edge[][]; whole: Fragment } {
  const edges: Edge[][] = []
  const chars = [...pattern]
  let at = 0

  const place = () => edges.push([]) - 1
  const link = (from: number, to: number, takes: Edge['takes'] = null) => edges[from]?.push({ takes, to })

  function either(): Fragment {
    const whole = { start: place(), end: place() }
    do {
      const one = sequence()
      link(whole.start, one.start)
      link(one.end, whole.end)
    } while (chars[at] === '|' && ++at)
    return whole
  }

  function sequence(): Fragment {
    const start = place()
    let end = start
    while (at < chars.length && chars[at] !== '|' && chars[at] !== ')') {
      const one = repeated()
      link(end, one.start)
      end = one.end
    }
    return { start, end }
  }

  function repeated(): Fragment {
    const one = single()
    const how = chars[at]
    if (how !== '?' && how !== '*') return one
    at++
    link(one.start, one.end)
    if (how === '*') link(one.end, one.start)
    return one
  }

  function single(): Fragment {
    const char = chars[at++] ?? ''
    if (char === '(') {
      const inner = either()
      at++
      return inner
    }
    const one = { start: place(), end: place() }
    link(one.start, one.end, taken(char))
    return one
  }

  function taken(char: string): (char: string) => boolean {
    if (char === '[') {
      const close = chars.indexOf(']', at)
      const members = new Set(chars.slice(at, close))
      at = close + 1
      return (each) => members.has(each)
    }
    const literal = char === '\\' ? (chars[at++] ?? '') : char
    if (char === '\\' && literal === 'S') return (each) => each !== ' '
    return (each) => each === literal
  }
  return { edges, whole: either() }
}
