/** Seeded, so that a failed drill can be repeated with the same plan. */
export type Random = { next(): number; between(from: number, to: number): number; shuffle<T>(list: T[]): T[] }

/** Mulberry32: small, fast, and good enough to choose instants. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  const shuffle = <T>(list: T[]): T[] => {
    const order = list.map((item) => ({ item, place: next() }))
    return order.sort((a, b) => a.place - b.place).map(({ item }) => item)
  }
  return { next, between, shuffle }
}
