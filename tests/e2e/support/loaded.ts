import type { Page } from '@playwright/test'

/** Transferred bytes of all files with this ending that the page has loaded. */
export const loadedBytes = (page: Page, ending: '.js' | '.woff2'): Promise<number> =>
  page.evaluate(
    (end) =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => new URL(entry.name).pathname.endsWith(end))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
    ending,
  )
