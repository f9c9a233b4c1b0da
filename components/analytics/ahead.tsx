/** Up to this probability, in percent, a lead counts as chance. */
const LEVEL = 55

/** A probability in words; never certain, since it is inferred from counts. */
export function chanceText(probability: number): string {
  const percent = Math.round(100 * probability)
  if (percent > 99) return 'over 99 %'
  return percent < 1 ? 'under 1 %' : `${percent} %`
}

/** Which side is probably better, with the probability; `nobody` if the difference may be chance. */
export function aheadWords(leader: string, probability: number, nobody: string): string {
  return Math.round(100 * probability) <= LEVEL
    ? `${nobody} (${chanceText(probability)} for ${leader})`
    : `${leader} is better with ${chanceText(probability)} probability`
}
