import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('an API key is shown once, works, and is refused once revoked', async ({ page, request }) => {
  await signIn(page, await aPerson())
  await page.goto('/api-keys')
  await page.getByRole('button', { name: 'New API key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('My script')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = await dialog.locator('code').textContent()
  expect(key).toMatch(/^opn_live_/)
  await expect(dialog.getByRole('button', { name: 'Copy API key' })).toBeFocused()
  // A key that is shown once can be closed only by its button.
  await page.mouse.click(5, 5)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(dialog.locator('code')).toHaveText(key ?? '')
  await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'I saved it' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'My script' })).toContainText('Never used')
  await expect(dialog).toBeHidden()
  await expect.poll(() => page.content()).not.toContain(key)

  const me = () => request.get('/api/v1/auth/me', { headers: { authorization: `Bearer ${key}` } })
  expect((await me()).status()).toBe(200)
  await page.getByRole('button', { name: 'Revoke My script' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByText('No active key')).toBeVisible()
  expect((await me()).status()).toBe(401)
})

test('the dialog stays while the key is made, so that it is shown', async ({ page }) => {
  await signIn(page, await aPerson())
  await page.goto('/api-keys')
  const release = Promise.withResolvers<void>()
  await page.route('**/api-keys', async (route) => {
    if (route.request().method() === 'POST') await release.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'New API key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Slow')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeDisabled()
  await page.mouse.click(5, 5)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  release.resolve()
  await expect(dialog.locator('code')).toHaveText(/^opn_live_/)
})

test('a key is restricted as it is made, rolled, and edited', async ({ page, request }) => {
  await signIn(page, await aPerson())
  await page.goto('/api-keys')
  await page.getByRole('button', { name: 'New API key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Reports')
  await dialog.getByLabel('Access to').selectOption('Campaigns only')
  await dialog.getByRole('group', { name: 'Templates' }).getByText('None').click()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = (await dialog.locator('code').textContent()) ?? ''
  await dialog.getByRole('button', { name: 'I saved it' }).click()
  const statusOf = async (token: string, path: string) =>
    (await request.get(`/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })).status()
  expect([await statusOf(key, 'campaigns'), await statusOf(key, 'templates')]).toEqual([200, 403])

  await page.getByRole('button', { name: 'Roll Reports' }).click()
  await dialog.getByRole('button', { name: 'Roll key' }).click()
  const rolled = (await dialog.locator('code').textContent()) ?? ''
  await dialog.getByRole('button', { name: 'I saved it' }).click()
  for (const either of [key, rolled]) expect(await statusOf(either, 'campaigns')).toBe(200)
  await expect(page.getByRole('cell', { name: 'Reports rolled' })).toHaveCount(1)

  await page.getByRole('button', { name: 'Edit Reports' }).first().click()
  await dialog.getByLabel('Allowed networks').fill('198.51.100.0/24')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('from 198.51.100.0/24')).toBeVisible()
  expect(await statusOf(rolled, 'campaigns')).toBe(403)
})

test('a key ends when it was said to, and one that ends soon is marked', async ({ page }) => {
  await signIn(page, await aPerson())
  await page.goto('/api-keys')
  for (const [name, choice] of [
    ['For ever', 'Never'],
    ['For a month', 'In 30 days'],
  ] as const) {
    await page.getByRole('button', { name: 'New API key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('Expires').selectOption(choice)
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByRole('button', { name: 'I saved it' }).click()
    await expect(dialog).toBeHidden()
  }
  await expect(page.getByRole('row').filter({ hasText: 'For ever' })).toContainText('Never')
  const soon = new Date(Date.now() + 5.5 * 86_400_000)
  await db.apiKey.updateMany({ where: { name: 'For a month' }, data: { expires_at: soon } })
  await page.reload()
  await expect(page.getByRole('row').filter({ hasText: 'For a month' })).toContainText('expires in 5 days')
})

test('a token for oneself opens the API', async ({ page, request }) => {
  await signIn(page, await aPerson())
  await page.goto('/api-keys')
  await page.getByRole('button', { name: 'Show a token' }).click()
  const token = await page.locator('code').first().textContent()
  const me = await request.get('/api/v1/auth/me', { headers: { authorization: `Bearer ${token}` } })
  expect(me.status()).toBe(200)
})
