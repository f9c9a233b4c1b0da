import { expect } from '@playwright/test'
import { aMailbox } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { aQuestion } from '../support/questions.ts'
import { test } from '../support/test.ts'

test('what the inbox is narrowed to is kept under a name, and is one press away', async ({ page }) => {
  const { workspace_id, ...person } = await aPerson()
  const { mailbox_id } = await aMailbox({ workspace_id, ...person })
  await aQuestion({ workspace_id, mailbox_id, counterpart_address: 'ada@prices.test' })
  await signIn(page, { workspace_id, ...person })
  await page.goto('/inbox?folder=unread')
  const main = page.getByRole('main')
  const views = main.getByRole('navigation', { name: 'Saved views' })
  await expect(main.getByRole('button', { name: 'Save view' })).toHaveCount(0)

  await page.goto('/inbox?folder=snoozed&assignee=me')
  await main.getByRole('button', { name: 'Save view' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Mine, later')
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(page.getByText('View saved for everybody')).toBeVisible()
  await expect(views.getByRole('link', { name: 'Mine, later' })).toHaveAttribute('aria-current', 'true')

  await page.goto('/inbox')
  await views.getByRole('link', { name: 'Mine, later' }).click()
  await expect(page).toHaveURL(/folder=snoozed/)
  await expect(main.getByText('No conversation here')).toBeVisible()
  // While a conversation is open there is no room for the views.
  await page.goto('/inbox')
  await main.locator('[data-row-link]').first().click()
  await expect(views).toHaveCount(0)

  await page.goto('/inbox?folder=snoozed&assignee=me')
  await main.getByRole('button', { name: 'Delete view' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click()
  await expect(page.getByText('View deleted.')).toBeVisible()
  await expect(views).toHaveCount(0)
})
