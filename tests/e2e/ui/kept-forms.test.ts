import { expect, type Page } from '@playwright/test'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const SHOWN = { timeout: 60_000 }
let page: Page

test.beforeAll(async ({ browser, baseURL }) => {
  page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await signIn(page, await aPerson())
})
test.afterAll(async () => page.context().close())

const main = () => page.getByRole('main')
const button = (name: string) => main().getByRole('button', { name, exact: true })
const question = () => page.getByRole('dialog')
const drafts = () =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('opener:draft:')).length)

/** Reloads and confirms the browser's warning. */
async function reload() {
  page.once('dialog', (dialog) => dialog.accept())
  await page.reload()
}

test('the way back, a shortcut and the command menu ask before what is written is left', async () => {
  await page.goto('/templates')
  await main().getByRole('link', { name: 'New template' }).first().click()
  await expect(page).toHaveURL(/\/templates\/new$/)
  await page.locator('[name=name]').fill('Third try')
  await expect.poll(drafts).toBe(1)
  const asks = async (act: () => Promise<unknown>, answer: 'Cancel' | 'Leave') => {
    await act()
    await expect(question()).toContainText('Leave with unsaved changes?')
    await expect(page).toHaveURL(/\/templates\/new$/)
    await question().getByRole('button', { name: answer }).click()
    if (answer === 'Cancel') await expect(page.locator('[name=name]')).toHaveValue('Third try')
  }
  const back = () => page.evaluate(() => history.back())
  await asks(back, 'Cancel')
  await asks(async () => {
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('g')
    await page.keyboard.press('c')
  }, 'Cancel')
  await page.locator('[name=name]').click()
  await asks(async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Command menu' }).getByRole('combobox').fill('Datasets')
    await page
      .getByRole('option', { name: /^Datasets/ })
      .first()
      .click()
  }, 'Leave')
  await expect(page).toHaveURL(/\/datasets$/)
  await back()
  await expect(page.locator('[name=name]')).toHaveValue('Third try')
  await page.locator('[name=name]').click()
  await asks(back, 'Leave')
  await expect(page).toHaveURL(/\/templates$/)
  await main().getByRole('link', { name: 'New template' }).first().click()
  await button('Discard them').click()
  await expect.poll(drafts).toBe(0)
})

test('a new domain is kept, and asked about', async () => {
  await page.goto('/domains')
  const domain = () => page.getByLabel('Domain (required)')
  await domain().fill('mail.example')
  await expect.poll(drafts).toBe(1)
  await reload()
  await expect(domain()).toHaveValue('mail.example')
  await button('Discard them').click()
  await expect(domain()).toHaveValue('')
  await expect.poll(drafts).toBe(0)
})

test('a new API key is kept while it is written, and nothing of it once it is made', async () => {
  await page.goto('/api-keys')
  await button('New API key').click()
  await question().getByLabel('Name').fill('CRM')
  await question().getByRole('checkbox', { name: /^send/ }).uncheck()
  await question().getByLabel('Expires').selectOption('30')
  await expect.poll(drafts).toBe(1)
  await reload()
  await button('New API key').click()
  await expect(question().getByLabel('Name')).toHaveValue('CRM')
  await expect(question().getByRole('checkbox', { name: /^send/ })).not.toBeChecked()
  await expect(question().getByLabel('Expires')).toHaveValue('30')
  await question().getByRole('button', { name: 'Create key' }).click()
  await expect(question()).toContainText('opn_live_', SHOWN)
  await expect.poll(drafts).toBe(0)
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('opn_live_')
  await question().getByRole('button', { name: 'I saved it' }).click()
  await button('New API key').click()
  await expect(question().getByLabel('Name')).toHaveValue('')
  await page.keyboard.press('Escape')
})

test('the choices of an import are kept, and stand there once the file is chosen again', async () => {
  const file = {
    name: 'kept.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Email,Nick\nada@kept.example,Ada\n'),
  }
  const choose = () => page.locator('input[type=file]').setInputFiles(file)
  await page.goto('/datasets/import')
  await choose()
  await page.getByLabel('Name of the dataset').fill('Kept leads')
  await page.getByLabel('Field for column Nick').selectOption('first_name')
  await expect.poll(drafts).toBe(1)
  await reload()
  await choose()
  await expect(page.getByLabel('Name of the dataset')).toHaveValue('Kept leads', SHOWN)
  await expect(page.getByLabel('Field for column Nick')).toHaveValue('first_name')
  await button('Check 1 row').click()
  await button('Import 1 lead').click()
  await expect(page).toHaveURL(/\/datasets\/[0-9a-f-]{36}$/, SHOWN)
  await expect.poll(drafts).toBe(0)
})
