import { test as base, expect, type Page } from '@playwright/test'

/**
 * Playwright's test on the instance that `instance.ts` started. Opening or reloading a page waits until
 * the page is hydrated: earlier clicks and keys would have no effect. A person is slower than that.
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

/** On the prototype, since tests create contexts of their own besides the fixture's. */
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

/**
 * React marks each element that it has hydrated; effects, which add listeners, run before the page is idle. Files,
 * the API reference and pages without scripts have no framework to wait for.
 */
export async function listening(page: Page) {
  let isFramed = false
  const deaf = () =>
    page
      .evaluate(() => {
        if (!('__next_f' in self) || !document.querySelector('main')) return null
        // Hidden inputs of a form are rendered by the server for browsers without scripts, and are not hydrated.
        const controls = 'body :is(a, button, input:not([type=hidden]), select, textarea)'
        const hears = (one: Element) => Object.keys(one).some((key) => key.startsWith('__reactProps'))
        const silent = [...document.querySelectorAll(controls)].filter((one) => !hears(one))
        return silent.map((one) => one.outerHTML.slice(0, 200))
      })
      .then((silent) => {
        isFramed = silent !== null
        return silent ?? []
      })
      // The page may be navigating just now.
      .catch((error: Error) => [error.message])
  const message = `what of ${page.url()} hears nothing`
  await expect.poll(deaf, { message, timeout: 150_000, intervals: [20, 40, 80, 160, 320] }).toEqual([])
  if (isFramed) await atRest(page)
}

/** After a client-side navigation: the new content is hydrated once the page is idle. */
export const atRest = (page: Page) =>
  page
    .evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 5_000 })))
    .catch(() => undefined)

/** A toast stays for as long as the pointer is on it, like that of a user who is about to undo something. */
export const keepReceipt = (page: Page) =>
  page.getByLabel('What just happened').getByRole('button', { name: 'Undo' }).hover()
