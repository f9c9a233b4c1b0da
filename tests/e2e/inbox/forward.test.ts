import { expect } from '@playwright/test'
import { simpleParser } from 'mailparser'
import { db } from '#lib/db/client'
import { PDF, questionWithFiles } from '../support/arrived-files.ts'
import { signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const SOON = { timeout: 150_000 }

test('a message goes on with the files that are ticked, and with one that is attached', async ({ page }) => {
  const { owner, path } = await questionWithFiles()
  await signIn(page, owner)
  await page.goto(path)
  await page.getByRole('button', { name: /^Forward the message from / }).click()
  const dialog = page.getByRole('dialog')
  const offer = dialog.getByRole('checkbox', { name: 'Offer.pdf' })
  const html = dialog.getByRole('checkbox', { name: 'page.html' })
  await expect(offer).toBeChecked()
  await expect(html).toBeChecked()
  await expect(dialog.getByText('of at most 20 MB')).toBeVisible()
  await html.uncheck()
  await dialog.getByLabel('Files to attach').setInputFiles([
    { name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from('price\r\n1\r\n') },
    { name: 'run.exe', mimeType: 'application/pdf', buffer: PDF },
  ])
  await expect(dialog.getByRole('progressbar')).toHaveCount(0, SOON)
  await dialog.getByRole('textbox', { name: /^To\b/ }).fill('bob@own.test')

  // A refused file keeps the mail from being sent until it is removed.
  await dialog.getByRole('button', { name: 'Forward' }).click()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Remove run.exe' }).click()
  await dialog.getByRole('button', { name: 'Forward' }).click()
  await expect(page.getByText('Forwarded.')).toBeVisible(SOON)
  await expect(dialog).toBeHidden()

  const { workspace_id } = owner
  const mail = await db.sandboxMessage.findFirstOrThrow({ where: { workspace_id } })
  const { attachments } = await simpleParser(Buffer.from(mail.raw))
  expect(attachments.map(({ filename }) => filename)).toEqual(['Offer.pdf', 'prices.csv'])
  expect(attachments[0]?.content.equals(PDF)).toBe(true)
})
