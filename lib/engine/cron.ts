import { Cron } from 'croner'

/**
 * Parses five-field cron with an optional `TZ=Area/City ` prefix; the default zone is UTC. Throws a
 * SyntaxError with the reason if `source` is invalid or names an unknown zone.
 */
export function parseCron(source: string): Cron {
  const [, timezone = 'UTC', pattern = ''] = /^(?:TZ=(\S+)\s+)?([\s\S]*)$/.exec(source.trim()) ?? []
  try {
    const cron = new Cron(pattern, { timezone, mode: '5-part', sloppyRanges: true })
    // The zone is validated only when the first run is computed.
    cron.nextRun()
    return cron
  } catch (error) {
    throw new SyntaxError(`cron "${source}": ${error instanceof Error ? error.message : error}`)
  }
}

/** The first match strictly after `after`; null if there is none (31 February). */
export const nextCron = (cron: Cron, after: Date): Date | null => cron.nextRun(after)
