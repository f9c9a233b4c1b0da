import { expect } from '@playwright/test'
import { test } from '../support/test.ts'

test('the instance answers as healthy, on the API and to a browser', async ({ page, request }) => {
  const health = await request.get('/api/v1/health')
  expect(health.status()).toBe(200)
  // Other tests may break their own mailboxes and mail domains.
  const isOk = { status: 'ok' }
  expect((await health.json()).parts).toMatchObject({ database: isOk, engine: isOk, storage: isOk })

  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  const response = await page.goto('/')
  expect(response?.status()).toBeLessThan(500)
  await expect(page.locator('body')).not.toBeEmpty()
  expect(errors).toEqual([])
})
