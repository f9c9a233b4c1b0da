import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aDataset, aPersonalizationRun } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const SLOW = { timeout: 150_000 }

test('texts are reviewed by keys alone: j, k, a, r and e', async ({ page }) => {
  const person = await aPerson()
  const { dataset_id } = await aDataset(person, 3)
  const { run_id } = await aPersonalizationRun(person, { dataset_id })
  const texts = () => db.generation.findMany({ where: { run_id }, orderBy: { lead_index: 'asc' } })
  await signIn(page, person)
  await page.goto(`/personalize/${run_id}`)
  const items = page.getByRole('list', { name: 'Texts' }).getByRole('listitem')
  const current = page.locator('li[aria-current="true"]')
  await expect(current).toContainText('Hello Lead0')
  // Keys work once the page is hydrated; from any text these three lead to the second.
  await expect(async () => {
    for (const key of ['k', 'k', 'j']) await page.keyboard.press(key)
    await expect(current).toContainText('Hello Lead1', { timeout: 2_000 })
  }).toPass(SLOW)
  await page.keyboard.press('k')
  await expect(current).toContainText('Hello Lead0')

  await page.keyboard.press('a')
  await expect(current.getByText('Approved', { exact: true })).toBeVisible(SLOW)
  await page.keyboard.press('j')
  await expect(current).toContainText('Hello Lead1')
  await page.keyboard.press('r')
  await expect(current.getByText('Rejected', { exact: true })).toBeVisible(SLOW)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(current).toContainText('Hello Lead2')
  await page.keyboard.press('e')
  const field = current.getByLabel('Text')
  await field.fill('Jakarta is a word with j, a, k and r in it.')
  await current.getByRole('button', { name: 'Save' }).click()
  await expect(current).toContainText('Jakarta is a word', SLOW)
  await expect(field).toBeHidden()
  await page.keyboard.press('k')
  await expect(current).toContainText('Hello Lead1')
  await expect(items.first()).toContainText('Approved')

  const kept = async () =>
    (await texts()).map(({ status, body, approved_at }) => [status, body, approved_at !== null])
  await expect.poll(kept, SLOW).toEqual([
    ['generated', 'Hello Lead0', true],
    ['rejected', 'Hello Lead1', false],
    ['generated', 'Jakarta is a word with j, a, k and r in it.', expect.any(Boolean)],
  ])
})
