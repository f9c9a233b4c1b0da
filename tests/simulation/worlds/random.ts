/** The only source of randomness in a simulated world: the same seed draws the same numbers, whatever the machine does. */
export type Rng = {
  /** A fraction in [0, 1). */
  next(): number
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
  /** A random subset of the list, at least `least`, in its order. */
  some<T>(from: readonly T[], least: number): T[]
}

/** Each use draws from a stream of its own (sfc32), so that an additional draw in one use does not change the others. */
export function rngOf(seed: number, use: string): Rng {
  let a = 0x9e3779b9
  let b = seed | 0
  let c = Math.floor(seed / 0x100000000) | 0
  let d = 1
  for (const char of use) b = Math.imul(b ^ char.charCodeAt(0), 0x01000193)
  const draw = () => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + t
    return (t >>> 0) / 0x100000000
  }
  for (let warm = 0; warm < 15; warm++) draw()
  const int = (min: number, max: number) => min + Math.floor(draw() * (max - min + 1))
  return {
    next: draw,
    int,
    chance: (probability) => draw() < probability,
    pick: (from) => {
      const index = int(0, from.length - 1)
      if (index >= from.length) throw new Error('nothing to pick from')
      return from[index] as (typeof from)[number]
    },
    some: (from, least) => {
      const chosen = from.map((item) => ({ item, in: draw() < 0.5 }))
      while (chosen.filter((one) => one.in).length < Math.min(least, from.length)) {
        const spare = chosen.filter((one) => !one.in)
        const extra = spare[int(0, spare.length - 1)]
        if (extra) extra.in = true
      }
      return chosen.filter((one) => one.in).map((one) => one.item)
    },
  }
}
