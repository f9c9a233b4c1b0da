import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aDataset, aTemplate } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const SOON = { timeout: 150_000 }
const pdf = (name: string) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(`%PDF-1.7\n${name}`),
})

test('a template carries a file for each lead, by a column, and says who gets none', async ({ page }) => {
  const person = await aPerson()
  await aDataset(person, [{ email: 'ada@lead.test', offer: 'ada.pdf' }])
  const { template_id } = await aTemplate(person)
  await signIn(page, person)
  await page.goto(`/templates/${template_id}`)
  await page.locator('summary', { hasText: 'A file for each lead' }).click()
  await page
    .getByLabel('Files of leads to attach')
    .setInputFiles([pdf('Ada.pdf'), pdf('bob.pdf'), pdf('run.exe')])
  const files = page.getByRole('list', { name: 'Files of leads' }).getByRole('listitem')
  await expect(files).toHaveCount(2, SOON)

  // A refused file and a missing column prevent saving.
  await expect(page.getByText(/^run\.exe: /)).toContainText('programs', SOON)
  await expect(page.getByText(/^Sending \d/)).toHaveCount(0, SOON)
  await page.getByRole('button', { name: 'Continue without it' }).click()
  await page.getByRole('button', { name: 'Save template' }).click()
  const kept = async () => (await db.template.findUniqueOrThrow({ where: { template_id } })).content
  expect(await kept()).not.toHaveProperty('lead_files')
  await page.getByLabel('Column with the file name').fill('offer')
  await page.getByLabel('Leads without a file').selectOption('get the email without one')
  await page.getByRole('button', { name: 'Save template' }).click()
  await expect(page.getByText('Template saved.')).toBeVisible(SOON)
  expect(await kept()).toMatchObject({
    lead_files: {
      column: 'offer',
      without: 'skip',
      attachment_ids: [expect.any(String), expect.any(String)],
    },
  })

  // The files are loaded again, and a new file replaces one of the same name.
  await page.reload()
  await expect(page.getByText('A file for each lead · 2 files, 1 KB')).toBeVisible()
  await page.getByLabel('Files of leads to attach').setInputFiles(pdf('ADA.pdf'))
  await expect(files).toHaveText([/bob\.pdf/, /ADA\.pdf/], SOON)
  await page.getByRole('button', { name: 'Remove bob.pdf' }).click()
  await page.getByRole('button', { name: 'Remove ADA.pdf' }).click()
  await page.getByRole('button', { name: 'Save template' }).click()
  await expect.poll(kept, SOON).not.toHaveProperty('lead_files')
})
