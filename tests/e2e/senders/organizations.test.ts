import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('an organization is connected, its mailboxes in one list, and the report says what to do', async ({
  page,
}) => {
  const person = await aPerson()
  await signIn(page, person)
  await page.goto('/mailboxes/new')
  await page.getByRole('link', { name: 'Connect a whole organization' }).click()
  const main = page.getByRole('main')
  await expect(page).toHaveURL(/\/mailboxes\/organizations/)
  await page.getByRole('link', { name: 'Google Workspace' }).click()
  await expect(main).toContainText('Manage Domain Wide Delegation')
  await expect(main).toContainText('https://www.googleapis.com/auth/gmail.modify')
  await page.getByLabel('Name', { exact: false }).first().fill('Acme')
  await page.getByLabel('Or paste its text').fill('{ "type": "authorized_user" }')
  await page.getByRole('button', { name: 'Connect the organization' }).click()
  await expect(main).toContainText('Must be the JSON key file of a service account')
  await page.getByRole('link', { name: 'Microsoft 365' }).click()
  await expect(main).toContainText('Mail.ReadWrite Mail.Send')

  await page.getByRole('link', { name: 'Try it, no account' }).click()
  await expect(main).toContainText('Connect the sandbox')
  await expect(main).not.toContainText('be the JSON key file')
  await page.getByLabel('Name', { exact: false }).first().fill('Acme')
  await page.getByRole('button', { name: 'Connect the organization' }).click()
  await expect(page).toHaveURL(/\/mailboxes\/organizations\/[\w-]{36}$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Acme')

  const list = 'Ana Silva <ana@organization.test>\nsuspended.bo@organization.test'
  await page.getByLabel('Addresses').fill(list)
  await page.getByRole('button', { name: 'Connect mailboxes' }).click()
  await expect(main).toContainText('1 connected, 0 already connected, 1 not connected')
  await expect(page.getByLabel('Addresses')).toHaveValue(list)
  await page.getByRole('button', { name: 'Connect mailboxes' }).click()
  await expect(main).toContainText('0 connected, 1 already connected, 1 not connected')

  await page.getByRole('link', { name: 'ana@organization.test' }).click()
  await expect(main).toContainText('Connected by its organization')
  await page.getByRole('link', { name: 'See the organization' }).click()
  // A single mailbox can be removed as well.
  await expect(page).toHaveURL(/\/organizations\/[\w-]{36}$/)
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.locator('body')).toContainText('Mailboxes are connected through this organization')
  expect(await db.mailOrganization.count({ where: { name: 'Acme' } })).toBe(1)
})
