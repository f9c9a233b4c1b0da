import { type Learned, localParts, type Pattern, type Person, PRIOR } from '#lib/domain/finder/patterns'

export type Candidate = {
  email: string
  pattern: Pattern
  /** 0 to 99: the expected share of such guesses that are right. A guess is never 100. */
  confidence: number
  /** Known addresses of the domain with this pattern, and how many had a recognizable pattern at all. */
  seen: number
  told: number
}

/** The prior weighs as much as this many known addresses. */
const PRIOR_WEIGHT = 3
/** Even if every known address agrees, some people differ: namesakes, old rules, other names. */
const CEILING = 0.95
/** The share of the pattern for a spelling that is not the plainest one (ue instead of u, a hyphen kept). */
const OTHER_SPELLING = 0.35
const MAX_CANDIDATES = 10

/**
 * Likely addresses of a person, the likeliest first. The share of each pattern is that among the domain's known addresses, drawn
 * towards the usual one by `PRIOR_WEIGHT` addresses, so that a single known colleague counts for something but not for
 * everything.
 */
export function candidatesFor(person: Person, domain: string, learned: Learned): Candidate[] {
  const total = learned.told + PRIOR_WEIGHT
  const patternShare = (pattern: Pattern) =>
    ((learned.counts[pattern] ?? 0) + (PRIOR_WEIGHT * PRIOR[pattern]) / 100) / total
  const parts = localParts(person)
  const spellings = new Map<Pattern, number>()
  for (const { pattern } of parts) spellings.set(pattern, (spellings.get(pattern) ?? 0) + 1)
  const byLocal = new Map<string, Candidate & { share: number }>()
  const begun = new Set<Pattern>()
  for (const { local, pattern } of parts) {
    const others = (spellings.get(pattern) ?? 1) - 1
    const main = others > 0 ? 1 - OTHER_SPELLING : 1
    const share = patternShare(pattern) * (begun.has(pattern) ? OTHER_SPELLING / others : main)
    begun.add(pattern)
    const seen = learned.counts[pattern] ?? 0
    const before = byLocal.get(local)
    // Two patterns may give the same address: their shares add up, and it is named after the likelier one.
    if (before) before.share += share
    else
      byLocal.set(local, {
        email: `${local}@${domain}`,
        pattern,
        confidence: 0,
        seen,
        told: learned.told,
        share,
      })
  }
  return [...byLocal.values()]
    .toSorted((a, b) => b.share - a.share || a.email.length - b.email.length || (a.email < b.email ? -1 : 1))
    .slice(0, MAX_CANDIDATES)
    .map(({ share, ...candidate }) => ({
      ...candidate,
      confidence: Math.floor(Math.min(share, CEILING) * 100),
    }))
}
