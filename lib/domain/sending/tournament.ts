/**
 * Keeps the smallest of many numbers while they change one at a time. Each node of a binary tree holds the
 * place of the smaller of its two children, so a change visits at most as many nodes as the tree is high.
 * Ties go to the smaller `tie`, then to the first place.
 */
export interface Tournament {
  /** Infinity marks an empty place. */
  readonly key: Float64Array
  readonly tie: Float64Array
  /** By node, with the root at 1: the place of the smallest key below it. */
  readonly winner: Int32Array
}

export function makeTournament(count: number): Tournament {
  const size = 2 ** Math.max(1, Math.ceil(Math.log2(Math.max(1, count))))
  const winner = new Int32Array(size)
  for (let node = size - 1; node >= 1; node--)
    winner[node] = node * 2 < size ? (winner[node * 2] ?? 0) : node * 2 - size
  return { key: new Float64Array(size).fill(Number.POSITIVE_INFINITY), tie: new Float64Array(size), winner }
}

/** The place of the smallest key; meaningless if that key is Infinity. */
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
    // The result here does not involve this place, before or after, so nothing above changes either.
    if (least !== place && winner[node] === least) return
    winner[node] = least
  }
}
