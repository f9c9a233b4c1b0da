import type { Browser, Locator, Page } from '@playwright/test'
import { addressOf, SCREENS } from '#tests/support/screens'
import { median } from '../bench/harness.ts'
import type { Sheet } from './sheet.ts'
import { type Cookies, visitor, type Watched } from './visit.ts'

const LOADS = 3
/** The pause after an interaction, until its last event was recorded and the response has arrived. */
const REST_MS = 400
const SOON_MS = 3_000

const PAGES = SCREENS.filter(
  ({ isPublic, mayBeAbsent, route }) => !isPublic && !mayBeAbsent && route !== '/dev/ui',
).flatMap(({ at }) => at)

type Visit = { url: string; browser: Browser; cookies: Cookies; ids: Record<string, string> }

/** For every dashboard page whose address contains one of `wanted`: how fast it loads and reacts. */
export async function timePages(visit: Visit, wanted: string[]): Promise<Sheet> {
  const rows: string[][] = []
  for (const name of PAGES) {
    if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue
    const row = await timePage(visit, name)
    rows.push(row)
    console.log(row.join('  '))
  }
  return {
    title: 'Loading and answering',
    about: `Medians of ${LOADS} loads with an empty cache. "Slowest answer" is, of each load, the longest time from a key or click to the next paint over all that was tried on the page (closing what is open, command menu, menu, search, chip or tab), in steps of 8 ms as browsers give it; below 16 ms none is given. "Next view" is from the click on a chip or tab to its content, or to the skeleton of it. Goals: LCP ≤ 600 ms, no shift, script ≤ 180 KB but for the editor of sequences, answers ≤ 50 ms.`,
    head: ['page', 'first byte', 'LCP', 'layout shift', 'script, gzip', 'slowest answer', 'next view'],
    rows,
  }
}

async function timePage({ url, browser, cookies, ids }: Visit, name: string): Promise<string[]> {
  const loads: Awaited<ReturnType<typeof measureLoad>>[] = []
  const hands: Hands[] = []
  for (let load = 0; load < LOADS; load++) {
    const context = await visitor(browser, url, cookies)
    const page = await context.newPage()
    const response = await page.goto(addressOf(name, ids), { waitUntil: 'networkidle' })
    if (!response?.ok()) throw new Error(`${name} answered ${response?.status()}`)
    loads.push(await measureLoad(page))
    hands.push(await handsOn(page))
    await context.close()
  }
  const of = (pick: (load: (typeof loads)[number]) => number) => median(loads.map(pick))
  const shift = Math.max(...[...loads, ...hands].map(({ cls }) => cls))
  const slowest = hands.map((one) => one.slowest).toSorted((one, other) => other.ms - one.ms)[LOADS >> 1]
  const moves = hands.flatMap(({ next }) => next ?? [])
  return [
    name,
    `${of(({ first_byte }) => first_byte).toFixed(0)} ms`,
    `${of(({ lcp }) => lcp).toFixed(0)} ms`,
    shift < 0.0005 ? '0' : shift.toFixed(3),
    `${(of(({ script }) => script) / 1024).toFixed(0)} KB`,
    slowest?.ms ? `${slowest.ms} ms (${slowest.phase})` : '< 16 ms',
    moves.length === 0 ? '–' : `${median(moves).toFixed(0)} ms`,
  ]
}

const measureLoad = (page: Page) =>
  page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const scripts = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
      (entry) => new URL(entry.name).pathname.endsWith('.js'),
    )
    const { lcp, cls } = (globalThis as Watched).seen
    return {
      lcp,
      cls,
      first_byte: navigation?.responseStart ?? 0,
      script: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    }
  })

type Hands = Awaited<ReturnType<typeof handsOn>>

/** Common interactions; those that a page does not have are skipped. The filter chip comes last, since it leaves the page. */
async function handsOn(page: Page) {
  const main = page.getByRole('main')
  const first = async (matching: Locator) => {
    const [one] = await matching.filter({ visible: true }).all()
    return one
  }
  const panel = page.getByRole('dialog')
  if (await panel.isVisible())
    await tryOut(page, 'closing', async () => {
      await panel.press('Escape')
      await panel.waitFor({ state: 'hidden' })
    })
  await tryOut(page, 'command menu', async () => {
    await page.keyboard.press('Control+k')
    await page.waitForTimeout(REST_MS)
    await page.keyboard.type('ca', { delay: 60 })
    await page.waitForTimeout(REST_MS)
    await page.keyboard.press('Escape')
  })
  const menu = await first(main.locator('button[aria-haspopup=menu]'))
  if (menu)
    await tryOut(page, 'menu', async () => {
      await menu.click()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Escape')
    })
  const search = await first(main.locator('input[type=search]'))
  if (search)
    await tryOut(page, 'search', async () => {
      await search.click()
      await page.keyboard.type('an', { delay: 60 })
      await page.waitForTimeout(REST_MS)
    })
  const chip = await first(main.locator('nav:not([aria-label^=Bread]) a:not([aria-current])'))
  if (chip)
    await tryOut(page, 'chip or tab', async () => {
      await chip.click()
      await page
        .waitForFunction(() => (globalThis as Watched).seen.moves.length > 0, null, { timeout: SOON_MS })
        .catch(() => undefined)
    })
  return page.evaluate(() => {
    const { events, moves, cls } = (globalThis as Watched).seen
    const [slowest = { phase: '', ms: 0 }] = events
      .filter(({ phase }) => phase !== 'load')
      .toSorted((one, other) => other.ms - one.ms)
    return { slowest, next: moves[0], cls }
  })
}

async function tryOut(page: Page, phase: string, act: () => Promise<void>) {
  await page.evaluate((name) => {
    ;(globalThis as Watched).seen.phase = name
  }, phase)
  await act()
  await page.waitForTimeout(REST_MS)
}
