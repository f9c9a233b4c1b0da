import { Cron } from 'croner'

/**
 * Five-field cron with an optional `TZ=Area/City ` prefix, UTC without one. Throws SyntaxError with the reason when
 * `source` is no such cron or names an unknown zone.
 */
export function parseCron(source: string): Cron {
  const [, timezone = 'UTC', pattern = ''] = /^(?:TZ=(\S+)\s+)?([\s\S]*)$/.exec(source.trim()) ?? []
  try {
    const cron = new Cron(pattern, { timezone, mode: '5-part', sloppyRanges: true })
    // The zone is read with the first question only.
    cron.nextRun()
    return cron
  } catch (error) {
    throw new SyntaxError(`cron "${source}": ${error instanceof Error ? error.message : error}`)
  }
}

/** The first match strictly after `after`; null when there is none (31 February). */
export const nextCron = (cron: Cron, after: Date): Date | null => cron.nextRun(after)
