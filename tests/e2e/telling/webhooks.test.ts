import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('a webhook, whose secret is shown even after Esc, says its times in the zone of the workspace', async ({
  page,
}) => {
  const person = await aPerson()
  const { workspace_id } = person
  await db.workspace.update({ where: { workspace_id }, data: { timezone: 'Asia/Tokyo' } })
  await signIn(page, person)
  await page.goto('/webhooks')
  const release = Promise.withResolvers<void>()
  await page.route('**/webhooks', async (route) => {
    if (route.request().method() === 'POST') await release.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'New webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Address' }).fill('https://hooks.example.com/opener')
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  release.resolve()
  await expect(dialog.getByText(/^whsec_/)).toBeVisible()
  await dialog.getByRole('button', { name: 'I saved it' }).click()
  await expect(dialog).toBeHidden()

  const { webhook_id } = await db.webhook.findFirstOrThrow({ where: { workspace_id } })
  const failing_since = new Date('2030-01-15T20:30:00Z')
  await db.webhook.update({ where: { webhook_id }, data: { failing_since } })
  await page.goto(`/webhooks/${webhook_id}`)
  await expect(page.getByText('Since Wed 16 Jan, 05:30 (Asia/Tokyo).')).toBeVisible()
})
