import { expect } from '@playwright/test'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('SNDS is connected by a key, shows each address, and is disconnected', async ({ page }) => {
  await signIn(page, await aPerson())
  await page.goto('/domains')
  const main = page.getByRole('main')
  await main.locator('summary').filter({ hasText: 'Outlook.com: SNDS' }).click()
  await page.getByLabel('Key or full URL').fill('no key')
  await page.getByRole('button', { name: 'Connect SNDS' }).click()
  await expect(main).toContainText('copy the full address under “Automated data access”')
  await page.getByRole('button', { name: 'Connect the sandbox' }).click()
  await expect(main).toContainText('These figures are made up')
  await expect(main.getByRole('row').filter({ hasText: '192.0.2.10' })).toContainText('spam')
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(main.locator('summary').filter({ hasText: 'Outlook.com: SNDS' })).toBeVisible()
})
