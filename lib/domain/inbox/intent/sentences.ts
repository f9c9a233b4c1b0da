/** Longer replies state their intent in words of their own. */
const MAX_SENTENCES = 12
const MAX_CHARS = 300

/** Abbreviations whose full stop does not end a sentence. */
const SHORT = /(^|[\s(])(m|mr|mrs|ms|dr|hr|fr|sr|sra|sig|dhr|prof|st|nr|no|z|b|d|h)$/

export function sentences(plain: string): { from: number; to: number }[] {
  const ends = [...plain.matchAll(/[.!?](?=\s|$)|\n\n/g)]
    .filter(({ index }) => !SHORT.test(plain.slice(Math.max(0, index - 6), index)))
    .map(({ index }) => index + 1)
  const bounds = [0, ...ends, plain.length]
  return bounds
    .slice(1)
    .map((to, at) => ({ from: bounds[at] ?? 0, to }))
    .filter(({ from, to }) => to > from && to - from <= MAX_CHARS)
    .slice(0, MAX_SENTENCES)
}
