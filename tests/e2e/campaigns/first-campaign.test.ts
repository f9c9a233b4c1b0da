import { expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { demoWorkbook } from '#lib/services/sandbox/demo-workbook'
import { aPerson, type Person, signInByHand } from '../support/people.ts'
import { test } from '../support/test.ts'

test.describe.configure({ mode: 'serial' })

let page: Page
let person: Person

test.beforeAll(async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  page = await context.newPage()
  person = await aPerson()
  await signInByHand(page, person)
})
test.afterAll(async () => page.context().close())

const main = () => page.getByRole('main')
const button = (name: string | RegExp) => main().getByRole('button', { name })

test('a new account is led by a checklist that knows what is done', async () => {
  await expect(main()).toContainText('0 of 5 done')
  await button('Use the sandbox mailbox').click()
  await expect(main()).toContainText('1 of 5 done')
  await main().getByRole('link', { name: 'Import a spreadsheet' }).click()
  await expect(page).toHaveURL(/\/datasets\/import$/)
})

test('a messy workbook is read, imported, and every refused row says why', async () => {
  const { filename, bytes, expected } = demoWorkbook()
  const refused = expected.rows - expected.kept
  const file = page.locator('input[type=file]')
  await file.focus()
  await file.setInputFiles({
    name: filename,
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from(bytes),
  })
  await expect(main()).toContainText('Headers were found in row 3')
  await expect(page.getByLabel('Field for column E-mail Address')).toHaveValue('email')
  // The file control is gone: for keyboard users the focus moves to the region in its place.
  await expect(main().getByRole('region', { name: 'Sheet & columns' })).toBeFocused()
  await button(`Check ${expected.rows} rows`).press('Enter')
  await expect(main().getByRole('region', { name: 'Check' })).toBeFocused()
  await button(`Import ${expected.kept} leads`).click()
  await expect(page).toHaveURL(/\/datasets\/[0-9a-f-]{36}$/)
  await expect(main()).toContainText(`${refused} rows were refused`, { timeout: 150_000 })

  await main().getByRole('link', { name: 'See why' }).click()
  const table = page.getByRole('table', { name: 'Refused rows' })
  await expect(table.getByRole('row', { name: 'not-an-address' }).first()).toContainText(/C\d+/)
  await expect(main()).toContainText(`${refused} rows`)
})

test('two templates and a two-step campaign with two variants are made by clicks', async () => {
  for (const [name, subject] of [
    ['Short', 'Hello {{ first_name | default: "there" }}'],
    ['Long', 'A question about {{ company | default: "your team" }}'],
  ] as const) {
    await page.goto('/templates/new')
    await page.getByLabel('Name (required)').fill(name)
    await page.getByLabel('Subject').fill(subject)
    await page.getByLabel('Message').fill('Hi {{ first_name | default: "there" }}, a word?')
    const preview = page.getByRole('region', { name: 'Preview' })
    await expect(preview).not.toContainText('{{')
    await expect(preview).toContainText('a word?')
    await button('Create template').click()
    await expect(page).toHaveURL(/\/templates$/)
    await expect(main()).toContainText(name)
  }

  await page.goto('/campaigns/new')
  await page.getByLabel('Name').fill('First campaign')
  const leads = page.getByLabel('Leads')
  await leads.selectOption({ index: 1 })
  await button('Create and write the first step').click()
  await expect(page).toHaveURL(/\/sequence$/)

  const text = page.getByRole('combobox', { name: 'Text', exact: true })
  await text.selectOption({ label: 'Short' })
  await button('Add a variant').click()
  await expect(page.getByRole('tab', { name: 'B 50 %' })).toHaveAttribute('aria-selected', 'true')
  await text.selectOption({ label: 'Long' })
  await button('Add a step').click()
  await page.getByRole('menuitem', { name: /^Email/ }).click()
  await page.getByLabel('Message').fill('Just making sure, {{ first_name | default: "friend" }}.')
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('Just making sure')
  await button('Save sequence').click()
  await expect(page.getByText('Sequence saved.')).toBeVisible()
})

test('the schedule shows the forecast of what it is set to', async () => {
  await main().getByRole('link', { name: 'Schedule' }).click()
  await expect(page).toHaveURL(/\/schedule$/)
  await expect(main()).toContainText('Still to send')
  const days = main().getByText(/^on (one day|\d+ days)$/)
  const before = await days.textContent()
  for (const day of ['Sat', 'Sun']) await page.getByRole('checkbox', { name: day }).check()
  await page.getByLabel('From').fill('00:00')
  await page.getByLabel('To (required)').fill('00:00')
  await page.getByLabel('Daily limit (required)').fill('10000')
  await page.getByLabel('Seconds between sends').fill('1')
  // The forecast follows the form before anything is saved.
  await expect(days).not.toHaveText(before ?? '')
  await button('Save schedule').press('Enter')
  await expect(page.getByText('Schedule saved.')).toBeVisible()
  await expect(button('Save schedule')).toBeFocused()
  await expect(main()).toContainText('Limited by')
})

test('a launch names its leads, and progress moves without a reload', async () => {
  await main().getByRole('link', { name: 'Review & launch' }).first().click()
  const { expected } = demoWorkbook()
  await button(`Launch to ${expected.kept} leads`).click()
  await expect(page.getByRole('dialog')).toContainText(`Launch to ${expected.kept} leads now?`)
  await button('Launch now').click()
  await expect(page).toHaveURL(/\/campaigns\/[0-9a-f-]{36}$/)
  await page.evaluate(() => Object.assign(window, { isStillHere: true }))

  const sent = main().getByRole('definition').first()
  await expect(sent).not.toHaveText('0', { timeout: 150_000 })
  const first = Number((await sent.textContent())?.replace(/\D/g, ''))
  await expect
    .poll(async () => Number((await sent.textContent())?.replace(/\D/g, '')), { timeout: 150_000 })
    .toBeGreaterThan(first)
  expect(await page.evaluate(() => 'isStillHere' in window)).toBe(true)
})

test('a pause holds the sending until it is resumed', async () => {
  await button('Pause').click()
  await expect(main()).toContainText('Paused manually')
  // Mails that were already being sent finish as usual.
  const user = { workspace_id: person.workspace_id }
  await expect.poll(() => db.action.count({ where: { ...user, status: 'sending' } })).toBe(0)
  const offered = await db.action.count({ where: user })
  const sent = main().getByRole('definition').first()
  const { sent_count } = await db.campaign.findFirstOrThrow({ where: user })
  await expect(sent).toHaveText(`${sent_count}`)
  const held = await sent.textContent()
  await page.waitForTimeout(3_000)
  expect(await db.action.count({ where: user })).toBe(offered)
  expect(await sent.textContent()).toBe(held)
  await button('Resume').click()
  await expect(main()).not.toContainText('Paused manually')
  await expect(sent).not.toHaveText(held ?? '', { timeout: 150_000 })
})

test('the mail stands in the sandbox as its recipients see it', async () => {
  await page.goto('/sandbox/mail')
  await main().locator('[data-row-link]').first().click()
  await expect(page.frameLocator('iframe').locator('body')).toContainText('a word?')
  await page.goto('/home')
  await expect(main()).not.toContainText('of 5 done')
  await expect(main()).toContainText('First campaign')
})

test('the leads of the campaign are found by status, and each tells what was decided for it', async () => {
  await page.goto('/campaigns')
  await main().getByRole('link', { name: 'First campaign' }).click()
  // "Leads" sorts the list of campaigns, and is a tab on a campaign's page.
  await expect(page).toHaveURL(/\/campaigns\/[0-9a-f-]{36}$/)
  await main()
    .getByRole('link', { name: /^Leads/ })
    .click()
  await expect(page).toHaveURL(/\/leads$/)
  await main()
    .getByRole('link', { name: /^In progress/ })
    .click()
  await expect(page).toHaveURL(/state=in_progress/)
  await main().locator('[data-row-link]').first().click()
  const panel = page.getByRole('dialog')
  await expect(panel).toContainText('Sent')
  await expect(panel).toContainText('Planned')
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(page).toHaveURL(/state=in_progress/)
})
