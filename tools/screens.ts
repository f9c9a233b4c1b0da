// npm run screens [part of an address or name …]: takes a screenshot of every page of a running instance and of what opens over
// it, light and dark, wide and narrow, into tests/screens. It creates a user with sample data in the instance’s database and
// removes it at the end. DATA_DIR names the instance; THEMES and WIDTHS limit the variants. `npm run screens readme` takes the
// three pictures of the README, from the sample results, into docs/pictures.
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium } from '@playwright/test'
import { readRunFile } from '#scripts/up/run-file'
import { ROOT, readSettings } from '#scripts/up/settings'
import { findBrowser } from '#tests/support/browser'
import { openOver } from '#tests/support/files/overlay'
import { addressOf, OVERLAYS, SCREENS } from '#tests/support/screens'

const FOLDER = path.join(ROOT, 'tests/screens')
const splitList = (value: string | undefined, usual: string) => (value ?? usual).split(',')

const run = readRunFile(readSettings().dataFolder)
if (!run) {
  console.error('Opener is not running: start it with `npm run up` in another terminal.')
  process.exit(1)
}
const url = run.url
Object.assign(process.env, run.env)
// Imported here, because these modules read the environment.
const { db } = await import('#lib/db/client')
const { createUserWithPassword } = await import('#lib/services/workspaces/users')
const { aShowcase } = await import('#tests/support/scenes/showcase')
const { addSample } = await import('#lib/services/sandbox/samples')

const wanted = process.argv.slice(2)
const isReadme = wanted[0] === 'readme'
const email = isReadme ? 'dana@northwind.example' : `screens-${randomUUID().slice(0, 8)}@example.com`
const password = randomUUID()
const person = await createUserWithPassword(email, 'Dana Demo', password)
if (!person) throw new Error(`${email} exists already.`)
const isWanted = (at: string) => wanted.length === 0 || wanted.some((part) => at.includes(part))
const { env, ...launch } = await findBrowser()
const browser = await chromium.launch({ ...launch, env: { ...process.env, ...env } })
mkdirSync(FOLDER, { recursive: true })
let faults = 0
try {
  if (isReadme) await takeReadme({ ...person, email, name: 'Dana Demo' })
  else {
    const ids = await aShowcase({ ...person, email }, new Date())
    for (const theme of splitList(process.env.THEMES, 'light,dark'))
      for (const width of splitList(process.env.WIDTHS, '1440,390')) await takeAll(ids, theme, Number(width))
  }
} finally {
  await browser.close()
  await db.workspace.delete({ where: { workspace_id: person.workspace_id } })
  await db.user.delete({ where: { user_id: person.user_id } })
}
console.log(`The pictures lie in ${path.relative(process.cwd(), FOLDER)}; ${faults} pages did not show well.`)
process.exit(faults > 0 ? 1 : 0)

async function takeAll(ids: Record<string, string>, theme: string, width: number) {
  const stranger = await visitor(browser, theme, width)
  const owner = await visitor(browser, theme, width)
  await signIn(owner)
  for (const screen of SCREENS)
    for (const at of screen.at.filter(isWanted))
      await take(screen.isPublic ? stranger : owner, { ...screen, at, ids, variant: `${theme}-${width}` })
  for (const overlay of OVERLAYS)
    if ([overlay.name, overlay.at].some(isWanted))
      await take(owner, { ...overlay, ids, variant: `${theme}-${width}` })
  await stranger.close()
  await owner.close()
}

async function takeReadme(person: { workspace_id: string; user_id: string; email: string; name: string }) {
  const { workspace_id } = person
  await addSample(person, 'history', new Date())
  const campaign = await db.campaign.findFirstOrThrow({ where: { workspace_id, status: 'active' } })
  const thread = await db.thread.findFirstOrThrow({
    where: { workspace_id, intent: 'interested', status: 'open' },
  })
  const owner = await visitor(browser, 'light', 1280)
  await signIn(owner)
  for (const [name, at] of [
    ['campaign', `/campaigns/${campaign.campaign_id}`],
    ['inbox', `/inbox/${thread.thread_id}`],
    ['analytics', '/analytics'],
  ] as const) {
    const page = await owner.newPage()
    await page.goto(at)
    await page.waitForTimeout(1_000)
    await page.screenshot({ path: path.join(ROOT, 'docs/pictures', `${name}.jpg`), quality: 80 })
    await page.close()
  }
}

async function visitor(from: Browser, theme: string, width: number) {
  const context = await from.newContext({
    viewport: { width, height: 900 },
    baseURL: url,
    reducedMotion: 'reduce',
  })
  await context.addCookies([{ name: 'theme', value: theme, url }])
  return context
}

async function signIn(context: BrowserContext) {
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/home')
  await page.close()
}

type Shot = {
  at: string
  ids: Record<string, string>
  variant: string
  mayBeAbsent?: true
  /** The element that opens over the page and is the subject of the picture. */
  name?: string
  by?: string[]
}

async function take(context: BrowserContext, { at, ids, variant, mayBeAbsent, by, name = at }: Shot) {
  const page = await context.newPage()
  page.on('pageerror', (error) => fault(`${name} (${variant}): ${error.message}`))
  const response = await page.goto(addressOf(at, ids))
  if (!response?.ok() && !mayBeAbsent) fault(`${name} (${variant}) answered ${response?.status()}`)
  // For animations and drawing in the browser, which no event reports.
  await page.waitForTimeout(500)
  if (by) await openOver(page, by).catch((error: Error) => fault(`${name} (${variant}): ${error.message}`))
  const file = name.replace(/[{}]/g, '').replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'index'
  await page.screenshot({ path: path.join(FOLDER, `${file}.${variant}.png`), fullPage: !by })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  if (overflow > 0) fault(`${name} (${variant}) is ${overflow} px too wide`)
  await page.close()
}

function fault(said: string) {
  faults += 1
  console.log(said)
}
