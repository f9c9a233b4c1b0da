/**
 * Which of many numbers is the least, while they change one by one: each node of a binary tree holds the place of the lesser of its two
 * children, so that a change asks as many nodes as the tree is high. Ties go by a second number, then to the first place.
 */
export interface Tournament {
  /** Infinity: nobody stands at that place. */
  readonly key: Float64Array
  readonly tie: Float64Array
  /** By node, 1 the root: the place that is the least below it. */
  readonly winner: Int32Array
}

export function makeTournament(count: number): Tournament {
  const size = 2 ** Math.max(1, Math.ceil(Math.log2(Math.max(1, count))))
  const winner = new Int32Array(size)
  for (let node = size - 1; node >= 1; node--)
    winner[node] = node * 2 < size ? (winner[node * 2] ?? 0) : node * 2 - size
  return { key: new Float64Array(size).fill(Number.POSITIVE_INFINITY), tie: new Float64Array(size), winner }
}

/** The place of the least; of no meaning where its key is Infinity. */
export const leastPlace = ({ winner }: Tournament): number => winner[1] ?? 0

export const keyAt = ({ key }: Tournament, place: number): number => key[place] ?? Number.POSITIVE_INFINITY
export const leastKey = (tournament: Tournament): number => keyAt(tournament, leastPlace(tournament))

export function setKey({ key, tie, winner }: Tournament, place: number, value: number, second = 0): void {
  if (key[place] === value && tie[place] === second) return
  key[place] = value
  tie[place] = second
  const size = winner.length
  for (let node = (size + place) >>> 1; node >= 1; node >>>= 1) {
    const child = node * 2
    const left = child < size ? (winner[child] ?? 0) : child - size
    const right = child < size ? (winner[child + 1] ?? 0) : child + 1 - size
    const one = key[left] ?? 0
    const other = key[right] ?? 0
    const least = other < one || (other === one && (tie[right] ?? 0) < (tie[left] ?? 0)) ? right : left
    // Above, nothing was decided by this place, and nothing is.
    if (least !== place && winner[node] === least) return
    winner[node] = least
  }
}
