import { expect, type Page } from '@playwright/test'
import { aShowcase } from '#tests/support/scenes/showcase'
import { addressOf, SCREENS } from '#tests/support/screens'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

/** Of those who are signed in; the sheet of our own parts is left out. */
const PAGES = SCREENS.filter(
  ({ isPublic, mayBeAbsent, route }) => !isPublic && !mayBeAbsent && route !== '/dev/ui',
).flatMap(({ at }) => at)

/** Letters that turn into ours as they arrive move a word by less. */
const LEAST = 0.005

type Shift = { value: number; moved: string[] }

/** What moved without anybody having done anything, from the first paint until nothing more is waited for. */
async function shiftsOf(page: Page, path: string): Promise<Shift[]> {
  await page.goto(path, { waitUntil: 'networkidle' })
  await expect(page.locator('[aria-busy="true"]'), `what ${path} waits for`).toHaveCount(0)
  return page.evaluate(async () => {
    type Entry = PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null }[]
    }
    const entries: PerformanceEntryList = []
    const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    // What is kept of before is handed over a task later.
    await new Promise<void>((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100)))
    return (entries as Entry[])
      .filter(({ hadRecentInput }) => !hadRecentInput)
      .map(({ value, sources }) => ({
        value,
        moved: sources.map(({ node }) => (node?.textContent ?? '').slice(0, 40)),
      }))
  })
}

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const)
  test(`nothing on a page moves as its parts arrive, ${width} px wide`, async ({ browser, baseURL }) => {
    test.setTimeout(600_000)
    const person = await aPerson()
    const ids = await aShowcase(person, new Date())
    const context = await browser.newContext({ baseURL: baseURL ?? '', viewport: { width, height } })
    await signIn(await context.newPage(), person)
    const moved: Record<string, Shift[]> = {}
    const left = PAGES.values()
    const visit = async () => {
      const visitor = await context.newPage()
      for (const at of left) {
        const shifts = await shiftsOf(visitor, addressOf(at, ids))
        const sum = shifts.reduce((all, { value }) => all + value, 0)
        if (sum >= LEAST) moved[at] = shifts
      }
    }
    await Promise.all([visit(), visit(), visit()])
    await context.close()
    expect(moved).toEqual({})
  })
