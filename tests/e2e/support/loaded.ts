import type { Page } from '@playwright/test'

/** Bytes as they travelled of the files with this ending that a page has asked for. */
export const loadedBytes = (page: Page, ending: '.js' | '.woff2'): Promise<number> =>
  page.evaluate(
    (end) =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => new URL(entry.name).pathname.endsWith(end))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
    ending,
  )
