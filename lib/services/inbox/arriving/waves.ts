/**
 * Splits arrivals into waves that can each be handled at once: no two items of a wave concern the same thing, and later items come
 * in later waves.
 */
export function toWaves<T>(items: readonly T[], concerns: (item: T) => readonly string[]): T[][] {
  const waves: T[][] = []
  const free = new Map<string, number>()
  for (const item of items) {
    const concerned = concerns(item)
    const place = Math.max(0, ...concerned.map((one) => free.get(one) ?? 0))
    const wave = waves[place]
    if (wave) wave.push(item)
    else waves[place] = [item]
    for (const one of concerned) free.set(one, place + 1)
  }
  return waves
}

type Mail = { message_id: string | null; about: readonly string[] }

/** Splits before a mail that refers to another one of the batch: it can be matched only once that one is stored. */
export function toPieces<T>(items: readonly T[], read: (item: T) => Mail): T[][] {
  const pieces: T[][] = []
  let named = new Set<string>()
  for (const item of items) {
    const { message_id, about } = read(item)
    const names = message_id === null ? about : [...about, message_id]
    const piece = pieces.at(-1)
    if (piece && !names.some((name) => named.has(name))) piece.push(item)
    else {
      pieces.push([item])
      named = new Set()
    }
    if (message_id !== null) named.add(message_id)
  }
  return pieces
}
