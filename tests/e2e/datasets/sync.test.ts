import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aDataset } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('a sync shows what a table changes, and writes only what is ticked', async ({ page }) => {
  const person = await aPerson()
  const { dataset_id } = await aDataset(person, [
    { email: 'ada@example.com', first_name: 'Ada' },
    { email: 'bob@example.com', first_name: 'Bob' },
  ])
  await signIn(page, person)
  await page.goto(`/datasets/${dataset_id}`)
  await page.getByRole('button', { name: 'Sync' }).click()
  const dialog = page.getByRole('dialog')
  const table = 'email,first_name\nada@example.com,Adele\neve@example.com,Eve\nbroken,X\n'
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'leads.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
  await expect(dialog).toContainText('ada@example.com: first_name: Ada → Adele')
  await expect(dialog).toContainText('Not taken: 1 row whose address is not valid.')
  await expect(dialog.getByRole('region', { name: 'Changes' })).toBeFocused()
  await expect(
    dialog.getByRole('checkbox', { name: 'Remove 1 row that the table does not have' }),
  ).not.toBeChecked()
  await dialog.getByRole('checkbox', { name: 'Add 1 row' }).uncheck()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByRole('cell', { name: 'Adele', exact: true })).toBeVisible()
  const rows = await db.datasetRow.findMany({ where: { dataset_id }, orderBy: { lead_index: 'asc' } })
  expect(rows.map(({ data }) => data)).toEqual([
    { email: 'ada@example.com', first_name: 'Adele' },
    { email: 'bob@example.com', first_name: 'Bob' },
  ])
})

test('a Google account is connected from the sync, and its sheet is compared', async ({ page }) => {
  const person = await aPerson()
  const { dataset_id } = await aDataset(person, [
    { email: 'nora@sandbox-sheet.example', first_name: 'Norah' },
  ])
  await signIn(page, person)
  await page.goto(`/datasets/${dataset_id}`)
  await page.getByRole('button', { name: 'Sync' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Connect the sandbox (made-up sheets)' }).click()
  // After the sign-in the user is back where they started it.
  await expect(page).toHaveURL(/sheets=connected/)
  const address = dialog.getByLabel('Link to the sheet')
  await expect(address).toBeInViewport()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(new RegExp(`/datasets/${dataset_id}$`))
  await page.reload()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Sync' }).click()
  await address.fill('https://docs.google.com/spreadsheets/d/any-spreadsheet-at-all/edit#gid=0')
  await dialog.getByRole('button', { name: 'Read' }).click()
  await expect(dialog).toContainText('first_name: Norah → Nora')
  await page.reload()
  await page.getByRole('button', { name: 'Sync' }).click()
  await expect(dialog.getByText('“People” of “Sandbox spreadsheet”')).toBeVisible()
})
