import { AxeBuilder } from '@axe-core/playwright'
import { expect } from '@playwright/test'
import { contracts } from '#lib/contracts/all'
import { test } from './support/test.ts'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

for (const colorScheme of ['light', 'dark'] as const)
  test(`the API reference breaks no rule of accessibility in the ${colorScheme} scheme`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.goto('/docs')
    await expect(page.getByRole('heading', { name: 'Opener' }).first()).toBeVisible({ timeout: 30_000 })
    await page.goto('/docs#tag/api-keys/POST/api/v1/api-keys')
    await expect(page.getByText('Create an API key').first()).toBeVisible()
    const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze()
    expect(
      violations.map(({ id, nodes }) => ({
        id,
        on: nodes.length,
        such_as: nodes.slice(0, 3).map((node) => node.html),
      })),
    ).toEqual([])
  })

test('without scripts the reference still lists every operation', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${process.env.OPENER_URL}/docs`)
  await expect(page.getByRole('heading', { name: 'API reference' })).toBeVisible()
  await expect(page.getByRole('listitem')).toHaveCount(contracts.length)
  await expect(page.getByText('Pause a campaign')).toBeVisible()
  await context.close()
})
