/** What an edge consumes: this character, one of these, or any but a space; null: nothing. */
type Takes = string | ReadonlySet<string> | typeof NO_SPACE | null
const NO_SPACE = Symbol('no space')

/**
 * Places joined by edges, which are numbers: the edges of a place are a chain from `first` through `next`, ended by −1. An
 * object, an array and a closure for each character took five times the memory.
 */
type Automaton = { first: number[]; takes: Takes[]; to: number[]; next: number[]; start: number; end: number }
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
 * apostrophes and line breaks are ignored. Built on first use: the phrases of all languages take 18 MB, and a
 * process that only serves pages never reads replies.
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
  const automaton = buildAutomaton(pattern)
  let states = new Map<string, State>()

  function stateAt(places: number[]): State {
    const key = places.join()
    const known = states.get(key)
    if (known) return known
    if (states.size >= MAX_STATES) startAnew()
    const state = { isEnd: places.includes(automaton.end), next: new Map(), places }
    states.set(key, state)
    return state
  }

  /** The places reachable from these without consuming a character that consume one themselves, or are the end. */
  function settled(places: Iterable<number>): number[] {
    const closure = new Set(places)
    const kept: number[] = []
    for (const place of closure) {
      let consumes = place === automaton.end
      for (let edge = firstEdge(place); edge >= 0; edge = nextEdge(edge)) {
        if (automaton.takes[edge] === null) closure.add(automaton.to[edge] ?? -1)
        else consumes = true
      }
      if (consumes) kept.push(place)
    }
    return kept.sort((a, b) => a - b)
  }

  const firstEdge = (place: number) => automaton.first[place] ?? -1
  const nextEdge = (edge: number) => automaton.next[edge] ?? -1

  function step(state: State, char: string): State | null {
    const known = state.next.get(char)
    if (known !== undefined) return known
    const reached: number[] = []
    for (const place of state.places)
      for (let edge = firstEdge(place); edge >= 0; edge = nextEdge(edge))
        if (accepts(automaton.takes[edge] ?? null, char)) reached.push(automaton.to[edge] ?? -1)
    const next = reached.length > 0 ? stateAt(settled(reached)) : null
    state.next.set(char, next)
    return next
  }

  const first = settled([automaton.start])
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

function accepts(takes: Takes, char: string): boolean {
  if (typeof takes === 'string') return takes === char
  return takes === NO_SPACE ? char !== ' ' : (takes?.has(char) ?? false)
}

/** Thompson's construction, except that a character that is not repeated continues at the place before it. */
function buildAutomaton(pattern: string): Automaton {
  const automaton: Automaton = { first: [], takes: [], to: [], next: [], start: -1, end: -1 }
  const chars = [...pattern]
  let at = 0

  const place = () => automaton.first.push(-1) - 1
  function link(from: number, to: number, takes: Takes = null): void {
    automaton.takes.push(takes)
    automaton.next.push(automaton.first[from] ?? -1)
    automaton.first[from] = automaton.to.push(to) - 1
  }

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
    while (at < chars.length && chars[at] !== '|' && chars[at] !== ')') end = repeated(end)
    return { start, end }
  }

  /** Adds what comes next behind a place; returns the place behind it. */
  function repeated(from: number): number {
    const one = single()
    const how = chars[at]
    if ('takes' in one && how !== '?' && how !== '*') {
      const end = place()
      link(from, end, one.takes)
      return end
    }
    const { start, end } = 'takes' in one ? joined(one.takes) : one
    link(from, start)
    if (how !== '?' && how !== '*') return end
    at++
    link(start, end)
    if (how === '*') link(end, start)
    return end
  }

  function joined(takes: Takes): Fragment {
    const one = { start: place(), end: place() }
    link(one.start, one.end, takes)
    return one
  }

  function single(): Fragment | { takes: Takes } {
    const char = chars[at++] ?? ''
    if (char !== '(') return { takes: taken(char) }
    const inner = either()
    at++
    return inner
  }

  function taken(char: string): Takes {
    if (char === '[') {
      const close = chars.indexOf(']', at)
      const members = new Set(chars.slice(at, close))
      at = close + 1
      return members
    }
    const literal = char === '\\' ? (chars[at++] ?? '') : char
    return char === '\\' && literal === 'S' ? NO_SPACE : literal
  }
  return Object.assign(automaton, either())
}
