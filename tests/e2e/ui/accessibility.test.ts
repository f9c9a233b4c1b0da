import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, expect, type Page, type Request } from '@playwright/test'
import { openOver } from '#tests/support/files/overlay'
import { aShowcase } from '#tests/support/scenes/showcase'
import { addressOf, OVERLAYS, SCREENS } from '#tests/support/screens'
import { mainButtons } from '../support/main-buttons.ts'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const AXE = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)
const DESK_PX = 1440
const PHONE_PX = 390
const TOGETHER = 8
const MOST_PREFETCHES = 12

// The longest test file: each of its tests may run on any free worker.
test.describe.configure({ mode: 'parallel' })

type State = Awaited<ReturnType<BrowserContext['storageState']>>
let state: State
let ids: Record<string, string>

test.beforeAll(async ({ browser, baseURL }) => {
  const person = await aPerson()
  ids = await aShowcase(person, new Date())
  const page = await browser.newPage({ baseURL: baseURL ?? '' })
  await signIn(page, person)
  state = await page.context().storageState()
  await page.close()
})

for (let from = 0; from < SCREENS.length; from += TOGETHER) {
  const some = SCREENS.slice(from, from + TOGETHER)
  const [first, last] = [some[0]?.route, some.at(-1)?.route]
  test(`no page from ${first} to ${last} has a barrier that axe can find, in either theme and at either width`, async ({
    browser,
    baseURL,
  }) => {
    test.setTimeout(900_000)
    const owner = await visitor(browser, baseURL ?? '', state)
    const stranger = await visitor(browser, baseURL ?? '')
    const found: string[] = []
    for (const [index, { at, isPublic }] of some.entries())
      for (const address of at)
        found.push(
          ...(await look(isPublic ? stranger : owner, addressOf(address, ids), isLightOnDesk(index))),
        )
    await owner.context().close()
    await stranger.context().close()
    expect(found).toEqual([])
  })
}

for (let from = 0; from < OVERLAYS.length; from += TOGETHER) {
  const some = OVERLAYS.slice(from, from + TOGETHER)
  const [first, last] = [some[0]?.name, some.at(-1)?.name]
  test(`nothing that opens over a page, from ${first} to ${last}, has a barrier that axe can find, or leaves the window`, async ({
    browser,
    baseURL,
  }) => {
    test.setTimeout(900_000)
    const owner = await visitor(browser, baseURL ?? '', state)
    const found: string[] = []
    for (const [index, { name, at, by }] of some.entries())
      for (const width of [DESK_PX, PHONE_PX]) {
        // The position of an overlay is computed when it opens.
        await owner.setViewportSize({ width, height: 900 })
        await owner.goto(addressOf(at, ids))
        await openOver(owner, by)
        const isLight = (width === DESK_PX) === isLightOnDesk(index)
        const said = [...(await seen(owner, width, isLight)), ...(await outside(owner))]
        found.push(...said.map((one) => `${name} ${one}`))
      }
    await owner.context().close()
    expect(found).toEqual([])
  })
}

/** Every second page is checked light on the desktop and dark on the phone, the others the other way round. */
const isLightOnDesk = (index: number) => index % 2 === 0

async function visitor(browser: Browser, baseURL: string, storageState?: State): Promise<Page> {
  const context = await browser.newContext({ baseURL, storageState, reducedMotion: 'reduce' })
  return context.newPage()
}

/**
 * What is wrong with a page: in one theme at desktop width, in the other at phone width, as themes differ in colours only; and how much it
 * prefetches.
 */
async function look(page: Page, address: string, isLightOnDesk: boolean): Promise<string[]> {
  let prefetches = 0
  const count = (asked: Request) => {
    if (asked.headers()['next-router-prefetch']) prefetches += 1
  }
  page.on('request', count)
  await page.goto(address)
  // It redirects, possibly after its layout was shown.
  if (address === '/settings') await page.waitForURL('**/settings/account')
  await expect(page.getByRole('heading', { level: 1 }).or(page.getByRole('alert')).first()).toBeVisible()
  await expect(page.locator('[aria-busy="true"]'), `what ${address} waits for`).toHaveCount(0)
  const found: string[] = []
  for (const width of [DESK_PX, PHONE_PX]) {
    await page.setViewportSize({ width, height: 900 })
    const said = await seen(page, width, (width === DESK_PX) === isLightOnDesk)
    found.push(...said.map((one) => `${address} ${one}`))
  }
  page.off('request', count)
  if (prefetches > MOST_PREFETCHES) found.push(`${address} fetches ahead ${prefetches} times`)
  return found
}

/** What is wrong with the page as it is shown now at this width. */
async function seen(page: Page, width: number, isLight: boolean): Promise<string[]> {
  await theme(page, isLight ? 'light' : 'dark')
  const found = await barriers(page)
  const needed = await page.evaluate(() => document.documentElement.scrollWidth)
  if (needed > width) found.push(`needs ${needed} px`)
  found.push(...(await squeezed(page)), ...(await rivals(page)))
  return found.map((said) => `(${width} px, ${isLight ? 'light' : 'dark'}) ${said}`)
}

/** Texts that are cut after a letter or two, as in a column without enough width. */
const squeezed = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main *')]
      .filter((one) => one.checkVisibility() && getComputedStyle(one).textOverflow === 'ellipsis')
      .filter(
        ({ textContent, clientWidth, scrollWidth }) =>
          textContent?.trim() && clientWidth < 40 && scrollWidth > clientWidth,
      )
      .map((one) => `has no room for its words: ${one.outerHTML.slice(0, 200)}`),
  )

/** With several main buttons, none of them tells the next step. */
async function rivals(page: Page): Promise<string[]> {
  // The page /dev/ui shows each component in all its variants.
  if (new URL(page.url()).pathname === '/dev/ui') return []
  const main = await mainButtons(page)
  return main.length > 1 ? [`has ${main.length} main buttons: ${main.join(', ')}`] : []
}

/** Fixed elements that extend beyond the window once they have come in: nobody can scroll to them. */
const outside = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    for (const moving of document.getAnimations())
      if (moving.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY) moving.finish()
    // The skip link moves into the window when it has the focus.
    return [...document.querySelectorAll('body :not([href="#content"])')]
      .filter((one) => getComputedStyle(one).position === 'fixed' && one.checkVisibility())
      .filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect()
        return left < 0 || top < 0 || right > window.innerWidth || bottom > window.innerHeight
      })
      .map((one) => `stands out of the window: ${one.outerHTML.slice(0, 200)}`)
  })

/** Switches without transition: during one, text would stand on the other theme's background. */
const theme = (page: Page, name: string) =>
  page.evaluate(async (name) => {
    const still = new CSSStyleSheet()
    still.replaceSync('*, ::before, ::after { transition: none !important; }')
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, still]
    document.documentElement.dataset.theme = name
    // Two frames let observers of the width render their change.
    for (let frames = 0; frames < 2; frames++) await new Promise((drawn) => requestAnimationFrame(drawn))
  }, name)

type Axe = { run(within: Document, options: object): ReturnType<AxeBuilder['analyze']> }

async function barriers(page: Page): Promise<string[]> {
  // Once per page: the axe package would read its 600 KB twice for each check.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  const { violations } = await page.evaluate(
    (options) => (globalThis as unknown as { axe: Axe }).axe.run(document, options),
    // Frames contain other people's mail, not ours. Violations are located by their HTML; passes are not needed.
    { iframes: false, selectors: false, resultTypes: ['violations'], runOnly: RULES },
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
}
