/** Goes on to `to` over a character it takes; over none where it has no `takes`. */
type Edge = { takes: ((char: string) => boolean) | null; to: number }
type Fragment = { start: number; end: number }
type State = { isEnd: boolean; next: Map<string, State | null>; places: number[] }

export type Phrases = {
  /** Whether all of it is one of them. */
  isWhole(text: string): boolean
  /** The first of them that stands in a text as words of its own, the longest where several begin there; else null. */
  firstIn(text: string): string | null
  /** Where that stands. */
  placeIn(text: string): { from: number; to: number } | null
}

/** Made anew rather than let a hostile text fill the memory with states. */
const MAX_STATES = 2_000

/**
 * Phrases written as a regular expression of literals, groups, `|`, `?`, `*` and classes, read by an automaton: one step
 * for each character, where an engine that tries one alternative after the other may need more than there is time for.
 * Case, kinds of apostrophes and how lines are broken make no difference. It is built at its first use: those of all languages
 * take tens of megabytes, and a process that only shows pages reads no answers.
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
    if (states.size >= MAX_STATES) states = new Map()
    const state = { isEnd: places.includes(whole.end), next: new Map(), places }
    states.set(key, state)
    return state
  }

  /** Every place that is reached from these over no character. */
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
  const beginningKey = first.join()
  let beginning = stateAt(first)

  function begin(): State {
    // The states that follow it went with the others.
    if (!states.has(beginningKey)) beginning = stateAt(first)
    return beginning
  }

  function isWhole(text: string): boolean {
    let state: State | null = begin()
    for (const { folded } of foldedChars(text)) {
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
    const chars = foldedChars(text)
    const isLetter = (at: number) => /\p{L}/u.test(chars[at]?.folded ?? '')
    for (let from = 0; from < chars.length; from++) {
      if (isLetter(from - 1)) continue
      let end = -1
      let state: State | null = begin()
      for (let at = from; state && at < chars.length; at++) {
        state = step(state, chars[at]?.folded ?? '')
        if (state?.isEnd && !isLetter(at + 1)) end = at
      }
      if (end >= 0) return { from: chars[from]?.start ?? 0, to: chars[end]?.end ?? text.length }
    }
    return null
  }
  return { isWhole, firstIn, placeIn }
}

/** Characters as they are compared, and where they stand. Blanks of any kind and number are one. */
function foldedChars(text: string): { folded: string; start: number; end: number }[] {
  const chars: { folded: string; start: number; end: number }[] = []
  let start = 0
  for (const char of text) {
    const end = start + char.length
    const folded = /\s/.test(char) ? ' ' : char === '’' ? "'" : char.toLowerCase()
    const last = chars.at(-1)
    if (folded === ' ' && last?.folded === ' ') last.end = end
    else chars.push({ folded, start, end })
    start = end
  }
  return chars
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
