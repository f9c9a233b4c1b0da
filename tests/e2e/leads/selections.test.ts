import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aDataset } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { keepReceipt, test } from '../support/test.ts'

test('suppressions are chosen over pages, taken off together, and put back', async ({ page }) => {
  const person = await aPerson()
  const { workspace_id } = person
  const at = (index: number) => new Date(Date.now() - index * 60_000)
  await db.suppression.createMany({
    data: Array.from({ length: 30 }, (_, index) => ({
      workspace_id,
      value: `p${String(index).padStart(2, '0')}@quiet.example`,
      reason: index % 3 === 0 ? 'hard_bounce' : 'manual',
      created_at: at(index),
    })),
  })
  const count = () => db.suppression.count({ where: { workspace_id } })
  await signIn(page, person)
  await page.goto('/suppressions')
  const main = page.getByRole('main')
  const bar = page.getByRole('region', { name: 'Selected suppressions' })
  await main.getByLabel('Select p00@quiet.example').check()
  await main.getByRole('link', { name: /next/i }).click()
  await expect(page).toHaveURL(/page=2/)
  await main.getByLabel('Select all that are shown').check()
  await expect(bar).toContainText('11 selected')
  await bar.getByRole('button', { name: 'Allow 11 again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Allow 11 again' }).click()
  await expect.poll(count).toBe(19)
  await keepReceipt(page)
  await page.getByLabel('What just happened').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(count).toBe(30)

  await page.goto('/suppressions')
  await main.getByRole('link', { name: 'Hard bounce 10' }).click()
  await expect(page).toHaveURL(/reason=hard_bounce/)
  await expect(main).toContainText('10 suppressions')
  await main.getByLabel('Select p00@quiet.example').check()
  await bar.getByRole('button', { name: 'All 10' }).click()
  await expect(bar).toContainText('10 selected')
  const download = page.waitForEvent('download')
  await bar.getByRole('link', { name: 'Export 10' }).click()
  expect((await download).suggestedFilename()).toBe('Suppressions.csv')
})

test('people are chosen, tagged, made a list, and suppressed', async ({ page }) => {
  const person = await aPerson()
  const { workspace_id } = person
  await db.person.createMany({
    data: ['Ada', 'Bob', 'Cleo'].map((first_name) => ({
      workspace_id,
      first_name,
      email: `${first_name.toLowerCase()}@quiet.example`,
    })),
  })
  await signIn(page, person)
  await page.goto('/people')
  const main = page.getByRole('main')
  const bar = page.getByRole('region', { name: 'Selected people' })
  const dialog = page.getByRole('dialog')
  await main.getByLabel('Select Ada').check()
  await main.getByLabel('Select Cleo').check()
  await bar.getByRole('button', { name: 'Tag' }).click()
  await dialog.getByLabel('Tag').fill('partner')
  await dialog.getByRole('button', { name: 'Add tag' }).click()
  await expect(page.getByText('2 people tagged.')).toBeVisible()
  await expect(page.locator('[data-select]:focus')).toHaveCount(1)
  await expect(bar).toBeHidden()
  expect(await db.person.count({ where: { workspace_id, tags: { has: 'partner' } } })).toBe(2)

  await main.getByLabel('Select Bob').check()
  await bar.getByRole('button', { name: 'Suppress' }).click()
  await dialog.getByRole('button', { name: 'Suppress 1' }).click()
  await expect
    .poll(() => db.suppression.count({ where: { workspace_id, value: 'bob@quiet.example' } }))
    .toBe(1)
  await expect(bar).toBeHidden()

  await main.getByLabel('Select Ada').check()
  await bar.getByRole('button', { name: 'Make a list' }).click()
  await dialog.getByLabel('Name').fill('Chosen')
  await dialog.getByRole('button', { name: 'Make list' }).click()
  await expect(page).toHaveURL(/\/datasets\/[0-9a-f-]{36}$/)
  await expect(main).toContainText('ada@quiet.example')
})

test('rows of a dataset are found by any cell, chosen however far apart, exported and removed', async ({
  page,
}) => {
  const person = await aPerson()
  const { dataset_id } = await aDataset(
    person,
    Array.from({ length: 120 }, (_, index) => ({
      email: `p${String(index).padStart(3, '0')}@rows.example`,
      notes: index % 10 === 3 ? 'met in Lyon' : 'met nowhere',
    })),
  )
  const left = () => db.datasetRow.count({ where: { dataset_id } })
  await signIn(page, person)
  await page.goto(`/datasets/${dataset_id}`)
  const main = page.getByRole('main')
  const bar = page.getByRole('region', { name: 'Selected rows' })
  const rows = page.getByRole('region', { name: 'Dataset leads' })
  await main.getByLabel('Select row 1', { exact: true }).check()
  await expect(async () => {
    await rows.press('End')
    await expect(main.getByLabel('Select row 120')).toBeVisible({ timeout: 5_000 })
  }).toPass()
  await main.getByLabel('Select row 120').check()
  await expect(bar).toContainText('2 selected')
  await bar.getByRole('button', { name: 'Remove 2' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove these 2 rows from the dataset?' })
  await dialog.getByRole('button', { name: 'Remove 2 rows' }).click()
  await expect(page.getByText('2 rows removed.')).toBeVisible()
  await expect(bar).toBeHidden()
  await expect.poll(left).toBe(118)

  await main.getByRole('searchbox', { name: 'Search all cells' }).fill('LYON')
  await expect(page).toHaveURL(/search=LYON/)
  await expect(main.getByRole('cell', { name: /@rows\.example/ })).toHaveCount(12)
  await main.getByRole('button', { name: 'Edit row 4', exact: true }).focus()
  await page.keyboard.press('x')
  await bar.getByRole('button', { name: 'All 12' }).click()
  await expect(bar).toContainText('12 selected')
  const download = page.waitForEvent('download')
  await bar.getByRole('link', { name: 'Export 12' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('Rows.csv')
  const text = await readFile(await file.path(), 'utf8')
  expect(text.match(/met in Lyon/g)).toHaveLength(12)

  // A refused action keeps the selection.
  await db.datasetSession.create({
    data: { dataset_id, workspace_id: person.workspace_id, work: 'enrichment', status: 'processing' },
  })
  await bar.getByRole('button', { name: 'Remove 12' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove 12 rows' }).click()
  await expect(page.getByText('Another session is running on this dataset').first()).toBeVisible()
  await expect(bar).toContainText('12 selected')
  expect(await left()).toBe(118)
})
