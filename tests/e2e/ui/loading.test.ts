import { expect, type Page, type Request } from '@playwright/test'
import { aShowcase } from '#tests/support/scenes/showcase'
import { addressOf, SCREENS } from '#tests/support/screens'
import { loadedBytes } from '../support/loaded.ts'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

/** Pages for signed-in users; the component sheet is left out. */
const PAGES = SCREENS.filter(
  ({ isPublic, mayBeAbsent, route }) => !isPublic && !mayBeAbsent && route !== '/dev/ui',
).flatMap(({ at }) => at)

/** A text that changes to our font once it has loaded shifts by less. */
const LEAST = 0.005

// Bytes are the same on every machine; times are not, so no test measures them.
const MOST_BYTES = 180 * 1024
/** Limit for pages with the message editor, which has every part that a step can have. */
const MOST_EDITOR_BYTES = 186 * 1024
const mostBytes = (at: string) => (at.endsWith('/sequence') ? MOST_EDITOR_BYTES : MOST_BYTES)

type Shift = { value: number; moved: string[] }

/** Opens a page and waits until nothing is loading. */
async function open(page: Page, path: string) {
  await page.goto(path, { waitUntil: 'networkidle' })
  await expect(page.locator('[aria-busy="true"]'), `what ${path} waits for`).toHaveCount(0)
}

/** Layout shifts without user input, from the first paint on. */
const readShifts = (page: Page): Promise<Shift[]> =>
  page.evaluate(async () => {
    type Entry = PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null }[]
    }
    const entries: PerformanceEntryList = []
    const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    // Buffered entries are delivered a task later.
    await new Promise<void>((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100)))
    return (entries as Entry[])
      .filter(({ hadRecentInput }) => !hadRecentInput)
      .map(({ value, sources }) => ({
        value,
        moved: sources.map(({ node }) => (node?.textContent ?? '').slice(0, 40)),
      }))
  })

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const)
  test(`nothing on a page moves as its parts arrive, nor is its script too heavy, ${width} px wide`, async ({
    browser,
    baseURL,
  }) => {
    test.setTimeout(600_000)
    const person = await aPerson()
    const ids = await aShowcase(person, new Date())
    const context = await browser.newContext({ baseURL: baseURL ?? '', viewport: { width, height } })
    await signIn(await context.newPage(), person)
    const moved: Record<string, Shift[]> = {}
    const heavy: Record<string, number> = {}
    const left = PAGES.values()
    const visit = async () => {
      const visitor = await context.newPage()
      for (const at of left) {
        await open(visitor, addressOf(at, ids))
        const shifts = await readShifts(visitor)
        const sum = shifts.reduce((all, { value }) => all + value, 0)
        if (sum >= LEAST) moved[at] = shifts
        const bytes = await loadedBytes(visitor, '.js')
        expect(bytes, `${at} was measured`).toBeGreaterThan(0)
        if (bytes > mostBytes(at)) heavy[at] = bytes
      }
    }
    // Most of a visit is waiting for the network to be idle, so pages are visited in parallel.
    await Promise.all([visit(), visit(), visit()])
    await context.close()
    expect(moved).toEqual({})
    expect(heavy).toEqual({})
  })

test('what arrives after the first paint is shown soon, not 300 ms after that paint', async ({ page }) => {
  await signIn(page, await aPerson())
  const response = await page.goto('/home', { waitUntil: 'networkidle' })
  // The variable in which React keeps the time of that paint: if React renames it, our replacement has no effect.
  expect(await response?.text()).toContain('$RT=performance.now()')
  const paintedAt = await page.evaluate(() => {
    performance.now = () => 1_000
    return (globalThis as unknown as { $RT: number }).$RT
  })
  expect(paintedAt).toBe(730)
})

test('the page of before stays until the next one is there, or is late', async ({ page }) => {
  // The test decides when something is late, not the machine.
  await page.addInitScript(() => {
    const after = setTimeout
    const late: (() => void)[] = []
    const held = ((act: () => void, ms?: number, ...given: unknown[]) =>
      ms === 300 ? late.push(act) : after(act, ms, ...given)) as unknown as typeof setTimeout
    Object.assign(globalThis, { setTimeout: held, becomeLate: () => void late.splice(0).map((act) => act()) })
  })
  await signIn(page, await aPerson())
  await page.goto('/templates', { waitUntil: 'networkidle' })
  const placeholders = () => page.evaluate(() => (globalThis as unknown as { seen: number }).seen)
  await page.evaluate(() => {
    const seen = { seen: 0 }
    Object.assign(globalThis, seen)
    new MutationObserver(() => {
      if (document.querySelector('main [role="status"]'))
        (globalThis as unknown as { seen: number }).seen += 1
    }).observe(document.body, { childList: true, subtree: true })
  })
  const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const link = (name: string) =>
    page.getByRole('navigation').getByRole('link', { name, exact: true }).filter({ visible: true })
  await link('Webhooks').click()
  await expect(title('Webhooks')).toBeVisible()
  expect(await placeholders()).toBe(0)

  // Only the placeholder of the page is prefetched.
  const isToDomains = (one: Request) => new URL(one.url()).pathname === '/domains'
  const ahead: Request[] = []
  page.on('request', (one) => void (isToDomains(one) && ahead.push(one)))
  await link('Domains').hover()
  await expect.poll(() => ahead.length > 0 && ahead.every((one) => one.timing().responseEnd > 0)).toBe(true)
  const answered = Promise.withResolvers<void>()
  await page.route(
    (url) => url.pathname === '/domains',
    async (route) => {
      await answered.promise
      await route.continue()
    },
  )
  const asked = page.waitForRequest(isToDomains)
  await link('Domains').click()
  await asked
  await expect(title('Webhooks')).toBeVisible()
  await expect(link('Domains').locator('[data-followed]')).toBeAttached()
  const becomeLate = () =>
    page.evaluate(() => (globalThis as unknown as { becomeLate: () => void }).becomeLate())
  await expect(async () => {
    await becomeLate()
    await expect(page.getByRole('main').getByText('Loading')).toBeAttached({ timeout: 2_000 })
  }).toPass({ timeout: 60_000 })
  await expect(title('Webhooks')).toBeHidden()
  answered.resolve()
  await expect(title('Domains')).toBeVisible()
})
