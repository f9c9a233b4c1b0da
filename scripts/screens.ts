// npm run screens: a picture of every screen of a running instance, light and dark, wide and narrow, in tests/screens.
// OPENER_URL names the instance; PERSON_EMAIL and PERSON_PASSWORD whose data is shown (the demo account unless said).
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { ROOT } from '#scripts/up/settings'
import { findBrowser } from '#tests/support/browser'

const url = process.env.OPENER_URL ?? 'http://127.0.0.1:3000'
const email = process.env.PERSON_EMAIL ?? 'demo@opener.local'
const password = process.env.PERSON_PASSWORD ?? 'opener-demo'
const wanted = process.argv.slice(2)
const folder = path.join(ROOT, 'tests/screens')

const SCREENS = [
  '/home',
  '/campaigns',
  '/campaigns/new',
  '/datasets',
  '/datasets/import',
  '/email-finder',
  '/templates',
  '/templates/new',
  '/sender-profiles',
  '/sender-profiles/new',
  '/mailboxes',
  '/mailboxes/new',
  '/domains',
  '/inbox',
  '/posts',
  '/posts/calendar',
  '/posts/new',
  '/suppressions',
  '/settings/billing',
  '/sandbox/billing',
  '/sandbox/mail',
  '/api-keys',
  '/webhooks',
  '/settings/notifications',
  '/settings/account',
  '/settings/audit',
]
/** Pages of one thing: the list whose first row is opened, and the tabs below it. */
const DETAILS: [string, string[]][] = [
  ['/campaigns', ['', '/results', '/leads', '/sequence', '/schedule', '/review']],
  ['/datasets', ['', '/sessions', '/rejects']],
  ['/templates', ['']],
  ['/inbox', ['']],
  ['/posts', ['']],
  ['/sender-profiles', ['']],
  ['/mailboxes', ['']],
  ['/domains', ['']],
  ['/webhooks', ['']],
  ['/sandbox/mail', ['']],
]

const { env, ...launch } = await findBrowser()
const browser = await chromium.launch({ ...launch, env: { ...process.env, ...env } })
mkdirSync(folder, { recursive: true })
try {
  for (const theme of ['light', 'dark'])
    for (const width of [1440, 390]) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, baseURL: url })
      await context.addCookies([{ name: 'theme', value: theme, url }])
      await takeAll(context, `${theme}-${width}`)
      await context.close()
    }
} finally {
  await browser.close()
}

async function takeAll(context: BrowserContext, look: string) {
  const page = await context.newPage()
  await take(page, '/sign-in', look)
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/home')
  for (const screen of SCREENS) await take(page, screen, look)
  for (const [list, tabs] of DETAILS) {
    await page.goto(list)
    const first = await page
      .locator('[data-row-link]')
      .first()
      .getAttribute('href', { timeout: 2_000 })
      .catch(() => null)
    if (!first) continue
    for (const tab of tabs) await take(page, first.split('?')[0] + tab, look, `${list}/one${tab}`)
  }
}

async function take(page: Page, address: string, look: string, name = address) {
  const file = name.slice(1).replaceAll('/', '-')
  if (wanted.length > 0 && !wanted.some((part) => file.includes(part))) return
  await page.goto(address)
  await page.waitForTimeout(600)
  await page.screenshot({ path: path.join(folder, `${file}.${look}.png`), fullPage: true })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  if (overflow > 0) console.log(`${name} (${look}) is ${overflow} px too wide`)
}
