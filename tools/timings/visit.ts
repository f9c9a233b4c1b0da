import { type Browser, type BrowserContext, chromium } from '@playwright/test'
import { findBrowser } from '#tests/support/browser'

/** A page's own measurements; times in ms from its navigation on. */
export type Seen = {
  lcp: number
  cls: number
  /** By phase: the time from an interaction to the next paint. */
  events: { phase: string; name: string; ms: number }[]
  /** From a click to the URL of the next view, which changes together with its content. */
  moves: number[]
  phase: string
}
export type Watched = typeof globalThis & { seen: Seen }

/** Runs in the page before anything else. */
function watch() {
  const seen: Seen = { lcp: 0, cls: 0, events: [], moves: [], phase: 'load' }
  ;(globalThis as Watched).seen = seen
  let clicked = Number.POSITIVE_INFINITY
  const observe = (type: string, take: (entry: PerformanceEntry) => void, more: object = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry)
    }).observe({ type, buffered: true, ...more })
  observe('largest-contentful-paint', (entry) => {
    if (seen.phase === 'load') seen.lcp = entry.startTime
  })
  observe('layout-shift', (entry) => {
    const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
    if (!shift.hadRecentInput) seen.cls += shift.value
  })
  const take = ({ name, duration }: PerformanceEntry) =>
    seen.events.push({ phase: seen.phase, name, ms: duration })
  observe('event', take, { durationThreshold: 16 })
  addEventListener('click', (event) => (clicked = event.timeStamp), { capture: true })
  const push = history.pushState.bind(history)
  history.pushState = (...args) => {
    const ms = performance.now() - clicked
    if (ms >= 0) seen.moves.push(ms)
    push(...args)
  }
}

export async function openBrowser(): Promise<Browser> {
  const { env, args, ...launch } = await findBrowser()
  return chromium.launch({
    ...launch,
    args: [...args, '--enable-precise-memory-info'],
    env: { ...process.env, ...env },
  })
}

/** A new browser, signed in if `cookies` are given. */
export async function visitor(browser: Browser, url: string, cookies: Cookies = []): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: url })
  await context.addCookies(cookies)
  await context.addInitScript(watch)
  return context
}

export type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

/** The cookies of a user who signed in through the form. */
export async function signedIn(
  browser: Browser,
  url: string,
  person: { email: string; password: string },
): Promise<Cookies> {
  const context = await visitor(browser, url)
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByRole('textbox', { name: 'Email' }).fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/home')
  const cookies = await context.cookies()
  await context.close()
  return cookies
}
