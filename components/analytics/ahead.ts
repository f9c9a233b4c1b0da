/** Up to this chance, in percent, who leads is a matter of luck. */
const LEVEL = 55

/** Who is probably better, and with what probability: nobody, where luck alone would do. */
export function aheadWords(leader: string, probability: number, nobody: string): string {
  const percent = Math.round(100 * probability)
  return percent <= LEVEL
    ? `${nobody} (${percent} % for ${leader})`
    : `${leader} is better with ${percent} % probability`
}
