import { expect, type Page } from '@playwright/test'
import { aCampaign, aDataset, anEnrolledLead } from '#tests/support/scenes/factories'
import { aPerson, type Person, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

// Everything around the pages works by keyboard alone.
let page: Page
let person: Person
let campaignId: string
let other: string

test.beforeAll(async ({ browser, baseURL }) => {
  person = await aPerson()
  const { dataset_id } = await aDataset(person, 3)
  campaignId = (await aCampaign(person, { name: 'Spring list', dataset_id })).campaign_id
  await anEnrolledLead(person, { campaign_id: campaignId })
  other = (await aCampaign(person, { name: 'Autumn list', dataset_id })).campaign_id
  page = await (await browser.newContext({ baseURL: baseURL ?? '', colorScheme: 'light' })).newPage()
  await signIn(page, person)
})
test.afterAll(async () => page.context().close())

const heading = (name: string) => page.getByRole('heading', { level: 1, name })
const menu = () => page.getByRole('dialog', { name: 'Command menu' })
const help = () => page.getByRole('dialog', { name: 'Keyboard shortcuts' })
const theme = () => page.evaluate(() => document.documentElement.dataset.theme ?? 'system')
const option = (name: string) => menu().getByRole('option', { name })

/** Its keys work only once the page is hydrated: pressed until they do. */
async function openMenu() {
  await expect(async () => {
    if (!(await menu().isVisible())) await page.keyboard.press('ControlOrMeta+k')
    await expect(menu()).toBeVisible({ timeout: 2_000 })
  }).toPass()
}
/** The second key counts within a second of the first, which a busy machine does not always manage: repeated until it does. */
async function jump(letter: string, name: string) {
  await expect(async () => {
    await page.keyboard.press('g')
    await page.keyboard.press(letter)
    await expect(heading(name)).toBeVisible({ timeout: 5_000 })
  }).toPass()
}
async function command(words: string) {
  await openMenu()
  await page.keyboard.type(words)
  await expect(option(words)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(menu()).toBeHidden()
}

test('the first stop of the Tab key skips to the content', async () => {
  await page.goto('/campaigns')
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('whoever goes on to another page begins at its content, by pointer and by key', async () => {
  await page.goto('/campaigns')
  const rail = page.getByRole('navigation').first()
  await rail.getByRole('link', { name: 'Templates' }).click()
  await expect(heading('Templates')).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await rail.getByRole('link', { name: 'Domains' }).press('Enter')
  await expect(heading('Domains')).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await page.getByLabel('Domain').focus()
  await expect(page.getByLabel('Domain')).toBeFocused()
})

test('the command menu goes anywhere, and to what it finds', async () => {
  await page.goto('/home')
  await command('Suppressions')
  await expect(heading('Suppressions')).toBeVisible()
  await command('New template')
  await expect(page).toHaveURL(/\/templates\/new$/)
  await openMenu()
  await page.keyboard.type('Spring')
  await expect(option('Spring list').first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(heading('Spring list')).toBeVisible()
})

test('a menu that is slow to come leaves the page where it is', async () => {
  await page.goto('/campaigns')
  const arrived = Promise.withResolvers<void>()
  const chunks = /\/_next\/static\/chunks\//
  let held = 0
  await page.route(chunks, async (route) => {
    held += 1
    await arrived.promise
    await route.continue()
  })
  await page.keyboard.press('ControlOrMeta+k')
  await expect.poll(() => held).toBeGreaterThan(0)
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  expect(await heading('Campaigns').isVisible()).toBe(true)
  arrived.resolve()
  await expect(menu()).toBeVisible()
  await page.unroute(chunks)
  await page.keyboard.press('Escape')
})

test('it pauses and resumes the campaign that is open, and offers only what its state allows', async () => {
  await page.goto(`/campaigns/${campaignId}`)
  await command('Pause this campaign')
  await expect(page.getByText('Campaign paused.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
  await openMenu()
  await expect(option('Resume this campaign')).toBeVisible()
  await expect(option('Pause this campaign')).toBeHidden()
  await page.keyboard.press('Escape')
  await command('Resume this campaign')
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()

  await page.goto(`/campaigns/${other}`)
  await openMenu()
  await expect(option('Review and launch this campaign')).toBeVisible()
  await expect(option('Pause this campaign')).toBeHidden()
  // Actions come before the entries of the API reference, which load later.
  await page.keyboard.type('launch')
  await expect(
    menu()
      .getByRole('option', { name: /API reference/ })
      .first(),
  ).toBeVisible()
  await expect(option('Review and launch this campaign')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
})

test('Esc closes the menu and the help, and the focus returns to where it was', async () => {
  await page.goto('/campaigns')
  const search = page.getByRole('button', { name: 'Search' })
  await search.focus()
  await openMenu()
  await page.keyboard.press('Escape')
  await expect(menu()).toBeHidden()
  await expect(search).toBeFocused()

  await page.keyboard.press('?')
  await expect(help()).toBeVisible()
  await expect(help().getByText('Command menu')).toBeVisible()
  await help().getByRole('button', { name: 'Close' }).click()
  await expect(help()).toBeHidden()
  await expect(search).toBeFocused()

  await command('Keyboard shortcuts')
  await expect(help()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(help()).toBeHidden()
})

test('g and a letter jump, j and k walk a list, and Enter opens the row', async () => {
  await page.goto('/home')
  await openMenu()
  await page.keyboard.press('Escape')
  await expect(menu()).toBeHidden()
  await jump('c', 'Campaigns')
  const rows = page.locator('[data-row-link]')
  await expect(rows).toHaveCount(2)
  await page.keyboard.press('j')
  await expect(rows.nth(0)).toBeFocused()
  await page.keyboard.press('j')
  await expect(rows.nth(1)).toBeFocused()
  await page.keyboard.press('k')
  await expect(rows.nth(0)).toBeFocused()
  const name = (await rows.nth(0).textContent()) ?? ''
  await page.keyboard.press('Enter')
  await expect(heading(name)).toBeVisible()
  await jump('i', 'Inbox')
})

test('single keys are letters while somebody types', async () => {
  await page.goto('/campaigns')
  await openMenu()
  await page.keyboard.press('Escape')
  // Until the menu is closed, typed keys go to it.
  await expect(page.locator('[data-command-menu]')).toHaveCount(0)
  await page.keyboard.press('/')
  const field = page.getByRole('searchbox', { name: 'Search campaigns' })
  await expect(field).toBeFocused()
  await page.keyboard.type('gc?jk')
  await expect(field).toHaveValue('gc?jk')
  await expect(help()).toBeHidden()
})

test('the theme changes at once, for the next page too, and follows the system when asked', async () => {
  await page.goto('/home')
  await command('Theme: dark')
  await expect.poll(theme).toBe('dark')
  await page.reload()
  await expect.poll(theme).toBe('dark')
  await command('Toggle theme')
  await expect.poll(theme).toBe('light')
  await page.getByRole('button', { name: /: account$/ }).click()
  const choice = (name: string) => page.getByRole('menuitemradio', { name })
  await expect(choice('Light')).toBeChecked()
  await expect(choice('System')).toBeFocused()
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
  await expect(choice('Dark')).toBeChecked()
  await expect.poll(theme).toBe('dark')
  await choice('System').click()
  await expect.poll(theme).toBe('system')
  await page.keyboard.press('Escape')
})

test('a phone has every place under its thumb', async () => {
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/home')
  const bar = page.getByRole('navigation', { name: 'Main' })
  await bar.getByRole('link', { name: 'Campaigns' }).click()
  await expect(heading('Campaigns')).toBeVisible()
  await bar.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Webhooks' }).click()
  await expect(heading('Webhooks')).toBeVisible()
})

test('who is offline keeps the page and what was typed, and goes on when back', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/templates/new')
  await page.getByRole('textbox', { name: /^Name/ }).fill('Half a thought')
  await page.context().setOffline(true)
  await expect(page.getByText('You are offline.')).toBeVisible()
  await page.getByRole('link', { name: 'Datasets' }).click()
  await expect(page.getByRole('textbox', { name: /^Name/ })).toHaveValue('Half a thought')
  await expect(page).toHaveURL(/\/templates\/new$/)
  await page.context().setOffline(false)
  await expect(page.getByText('You are offline.')).toBeHidden()
  await page.getByRole('link', { name: 'Datasets' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await expect(heading('Datasets')).toBeVisible()
})
