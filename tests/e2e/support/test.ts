import { test as base } from '@playwright/test'

/** Playwright's test on the instance that `instance.ts` started. */
export const test = base.extend({
  // Read here, since the configuration is loaded before the instance has an address.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
  baseURL: async ({}, use) => use(process.env.OPENER_URL),
})
