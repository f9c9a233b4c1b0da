/**
 * Numbers derived from an action's identity, never from a random source, so the dispatcher, the forecast and
 * a retry after a crash all draw the same number.
 */

/** What the number is used for; each use draws independently of the others. */
const USES = { jitter: 0x9e3779b9, variant: 0x85ebca6b } as const
export type HashUse = keyof typeof USES

/**
 * FNV-1a hash of a campaign id, 32 bits. Computed once per campaign because the loops below draw millions of
 * numbers.
 */
export function campaignSeed(campaignId: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < campaignId.length; index++) {
    hash = Math.imul(hash ^ campaignId.charCodeAt(index), 0x01000193)
  }
  return mix(hash)
}

/** A fraction in [0, 1) with 32 bits; always the same for the same campaign, lead, step and use. */
export function actionFraction(seed: number, use: HashUse, leadIndex: number, step: number): number {
  return mix(mix(mix(seed ^ USES[use]) ^ leadIndex) ^ Math.imul(step, 0xc2b2ae35)) / 0x100000000
}

/** The MurmurHash3 finalizer: every input bit affects every output bit. */
function mix(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
