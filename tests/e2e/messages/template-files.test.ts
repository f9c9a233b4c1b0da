import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aTemplate } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const SOON = { timeout: 150_000 }
const PDF = Buffer.from('%PDF-1.7\nAn offer.')

test('a template carries a file from when it is saved, until it is taken off', async ({ page }) => {
  const person = await aPerson()
  const { template_id } = await aTemplate(person)
  await signIn(page, person)
  await page.goto(`/templates/${template_id}`)
  await page.getByLabel('Files to attach').setInputFiles({
    name: 'Offer.pdf',
    mimeType: 'application/pdf',
    buffer: PDF,
  })
  const chip = page.getByRole('list', { name: 'Files' }).getByRole('listitem')
  await expect(chip).toContainText('Offer.pdf')
  await expect(page.getByRole('progressbar')).toHaveCount(0, SOON)
  await page.getByRole('button', { name: 'Save template' }).click()
  await expect(page.getByText('Template saved.')).toBeVisible(SOON)
  const kept = async () => (await db.template.findUniqueOrThrow({ where: { template_id } })).content
  expect(await kept()).toMatchObject({ attachment_ids: [expect.any(String)] })
  await page.reload()
  await expect(chip).toContainText('Offer.pdf')
  await page.getByRole('button', { name: 'Remove Offer.pdf' }).click()
  await page.getByRole('button', { name: 'Save template' }).click()
  await expect.poll(kept, SOON).not.toHaveProperty('attachment_ids')
})
