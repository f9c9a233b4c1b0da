import { expect, type Page } from '@playwright/test'
import { aDataset } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const SLOW = { timeout: 150_000 }

/** A click before the page is hydrated does nothing, so it is repeated. */
async function open(page: Page, name: string) {
  const dialog = page.getByRole('dialog')
  await expect(async () => {
    if (!(await dialog.isVisible())) await page.getByRole('button', { name, exact: true }).first().click()
    await expect(dialog).toBeVisible({ timeout: 5_000 })
  }).toPass(SLOW)
  return dialog
}

const panelOf = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

/** Lost when the page is reloaded. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { e2eMark: true }))
const isMarked = (page: Page) => page.evaluate(() => 'e2eMark' in window)

test('a dataset is enriched and read, every new cell says out of what, and both are undone', async ({
  page,
}) => {
  const person = await aPerson()
  const { dataset_id } = await aDataset(person, [
    {
      email: 'ada@acme.example',
      full_name: 'Dr. Ada Lovelace',
      notes: 'Call +49 30 901820 or write to sales@acme.example',
    },
    { email: 'eve@beta.example', full_name: 'Eve Stone', notes: 'Nothing of use' },
  ])
  const tab = (name: string) =>
    page.getByRole('navigation', { name: 'Dataset sections' }).getByRole('link', { name })
  await signIn(page, person)
  await page.goto(`/datasets/${dataset_id}`)
  await (await open(page, 'Enrich')).getByRole('button', { name: 'Enrich', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeHidden(SLOW)

  await tab('Sessions').click()
  await expect(page).toHaveURL(/\/sessions$/)
  await mark(page)
  const enrichment = panelOf(page, 'Enrichment')
  await expect(enrichment.getByText('Done', { exact: true })).toBeVisible(SLOW)
  await expect(enrichment.getByRole('row', { name: /first_name/ })).toContainText('2')

  await (await open(page, 'Extract')).getByRole('button', { name: 'Extract', exact: true }).click()
  const extraction = panelOf(page, 'Extraction')
  await expect(extraction.getByText('Done', { exact: true })).toBeVisible(SLOW)
  // The page was updated without a reload.
  expect(await isMarked(page)).toBe(true)

  await tab('Leads').click()
  const cell = page.getByRole('button', { name: 'Ada', exact: true })
  await expect(cell).toHaveAccessibleDescription(/Read from full_name; (?:certain|likely)/)
  await cell.focus()
  await expect(page.getByText(/^Read from full_name/).first()).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'first_name' })).toBeVisible()

  await tab('Sessions').click()
  await expect(enrichment).toBeVisible()
  await enrichment.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo the session' }).click()
  await expect(enrichment.getByText('Undone', { exact: true })).toBeVisible(SLOW)
  await tab('Leads').click()
  await expect(page.getByRole('cell', { name: 'Dr. Ada Lovelace' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ada', exact: true })).toBeHidden()
})
