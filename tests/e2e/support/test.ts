import { test as base, type Page } from '@playwright/test'

/**
 * Playwright's test on the instance that `instance.ts` started. A page that is opened or loaded again is there once
 * its script listens, as it is for a person a moment later: what is pressed before reaches nobody.
 */
export const test = base.extend<object, { pagesListen: undefined }>({
  // Read here, since the configuration is loaded before the instance has an address.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
  baseURL: async ({}, use) => use(process.env.OPENER_URL),
  pagesListen: [
    async ({ browser }, use) => {
      const page = await browser.newPage()
      waitOnEveryPage(Object.getPrototypeOf(page))
      await page.close()
      await use(undefined)
    },
    { scope: 'worker', auto: true },
  ],
})

/** On the prototype, since tests make contexts of their own beside the fixture's. */
function waitOnEveryPage(pages: Pick<Page, 'goto' | 'reload'>) {
  const { goto, reload } = pages
  pages.goto = async function (this: Page, ...args) {
    const response = await goto.apply(this, args)
    await listening(this)
    return response
  }
  pages.reload = async function (this: Page, ...args) {
    const response = await reload.apply(this, args)
    await listening(this)
    return response
  }
}

/** React marks each element that it has taken over; effects, which add the listeners, run before the page is idle. */
async function listening(page: Page) {
  // Files, the API reference and pages without scripts have no such framework to wait for.
  if (!(await page.evaluate(() => '__next_f' in self && document.querySelector('main') !== null))) return
  await page.waitForFunction(() => {
    const controls = document.querySelectorAll('body :is(a, button, input, select, textarea)')
    return [...controls].every((one) => Object.keys(one).some((key) => key.startsWith('__reactProps')))
  })
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
}
