import { expect } from '@playwright/test'
import { aPerson, signInByHand } from '../support/people.ts'
import { test } from '../support/test.ts'

test('a fresh account comes to a launched sandbox campaign by clicks alone, and is as easily rid of it', async ({
  page,
}) => {
  const begun = Date.now()
  const main = page.getByRole('main')
  await signInByHand(page, await aPerson())
  await expect(main).toContainText('0 of 5 done')

  // From here on nothing is typed.
  await main.getByRole('button', { name: 'Add a sample campaign' }).click()
  await expect(main).toContainText('4 of 5 done', { timeout: 150_000 })
  await main.getByRole('link', { name: 'Review & launch' }).click()
  await main.getByRole('button', { name: /^Launch to \d+ leads$/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Launch now' }).click()
  await expect(page).toHaveURL(/\/campaigns\/[0-9a-f-]{36}$/)
  await expect(main).not.toContainText('Launching', { timeout: 150_000 })

  await page.getByRole('link', { name: 'Home' }).first().click()
  await expect(page).toHaveURL(/\/home$/)
  await expect(main).not.toContainText('of 5 done')
  await main.getByRole('link', { name: 'See its mail' }).click()
  await expect(page).toHaveURL(/\/sandbox\/mail$/)
  const mail = main.locator('[data-row-link]').first()
  await expect(async () => {
    await page.reload()
    await expect(mail).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 60_000 })
  await mail.click()
  await expect(page.frameLocator('iframe').locator('body')).toContainText(/A word is enough|ten minutes/)
  test.info().annotations.push({
    type: 'seconds from sign-in to a read mail',
    description: `${(Date.now() - begun) / 1000}`,
  })

  await page.getByRole('link', { name: 'Home' }).first().click()
  await expect(page).toHaveURL(/\/home$/)
  await main.getByRole('button', { name: 'Remove sample data' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove sample data' }).click()
  await expect(main).toContainText('0 of 5 done')
  for (const [path, empty] of [
    ['/campaigns', 'No campaign yet'],
    ['/datasets', 'No leads yet'],
    ['/templates', 'No template yet'],
    ['/mailboxes', 'No mailboxes connected'],
  ] as const) {
    await page.goto(path)
    await expect(main).toContainText(empty)
  }
})

test('a fresh account looks around in sample results, and is rid of them by one click', async ({ page }) => {
  const main = page.getByRole('main')
  await signInByHand(page, await aPerson())
  await main.getByRole('button', { name: 'Add sample results' }).click()
  await expect(main).toContainText('Sample: a running campaign')
  await expect(main).toContainText('robin@nordlicht.example')
  await page.goto('/inbox')
  await main.getByRole('link', { name: /^Interested/ }).click()
  await expect(main).toContainText('Sample: a finished campaign')
  await page.goto('/analytics')
  await expect(
    main.getByRole('table').filter({ hasText: 'Sample: a finished campaign' }).first(),
  ).toBeVisible()
  await page.goto('/home')
  await main.getByRole('button', { name: 'Remove sample data' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove sample data' }).click()
  await expect(main).toContainText('0 of 5 done')
  await page.goto('/people')
  await expect(main).not.toContainText('.example')
})

for (const [path, sample, shown] of [
  ['/templates', 'Add sample templates', 'Sample: a short question'],
  ['/sender-profiles', 'Add a sample profile', 'Sample: Robin of Nordlicht'],
  ['/posts', 'Add a sample draft', 'We answered every mail'],
  ['/suppressions', 'Add a sample entry', 'competitor.example'],
  ['/campaigns', 'Add a sample campaign', 'Sample campaign'],
] as const)
  test(`the empty list at ${path} has its sample one click away`, async ({ page }) => {
    await signInByHand(page, await aPerson())
    await page.goto(path)
    await page.getByRole('main').getByRole('button', { name: sample }).click()
    await expect(page.getByRole('main')).toContainText(shown)
  })
