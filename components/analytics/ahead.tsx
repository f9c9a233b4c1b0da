/** Up to this chance, in percent, who leads is a matter of luck. */
const LEVEL = 55

/** Nothing follows for certain of what was counted. */
export function chanceText(probability: number): string {
  const percent = Math.round(100 * probability)
  if (percent > 99) return 'over 99 %'
  return percent < 1 ? 'under 1 %' : `${percent} %`
}

/** Who is probably better, and with what probability: nobody, where luck alone would do. */
export function aheadWords(leader: string, probability: number, nobody: string): string {
  return Math.round(100 * probability) <= LEVEL
    ? `${nobody} (${chanceText(probability)} for ${leader})`
    : `${leader} is better with ${chanceText(probability)} probability`
}
