import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { unseal } from '#lib/db/seal'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('the address or a choice fills in the servers, and one password goes for both', async ({ page }) => {
  const person = await aPerson()
  await signIn(page, person)
  await page.goto('/mailboxes/new')
  const smtp = page.locator('section').filter({ has: page.getByRole('heading', { name: /SMTP/ }) })
  const imap = page.locator('section').filter({ has: page.getByRole('heading', { name: /IMAP/ }) })
  const host = (server: typeof smtp) => server.getByLabel('Host')
  const provider = page.getByLabel('Provider')

  await page.getByLabel('Address').fill('petra@gmail.com')
  await page.getByLabel('Name that recipients see').focus()
  await expect(provider).toHaveValue('Gmail or Google Workspace')
  await expect(host(smtp)).toHaveValue('smtp.gmail.com')
  await expect(host(imap)).toHaveValue('imap.gmail.com')
  await expect(smtp.getByLabel('Encryption')).toHaveValue('tls')
  await expect(page.getByRole('main')).toContainText('app password')

  await provider.selectOption('Microsoft 365')
  await expect(host(smtp)).toHaveValue('smtp.office365.com')
  await expect(smtp.getByLabel('Port')).toHaveValue('587')
  await expect(smtp.getByLabel('Encryption')).toHaveValue('starttls')
  await expect(host(imap)).toHaveValue('')
  await expect(page.getByRole('main')).toContainText('replies and bounces are not noticed')

  // Nobody listens there: whether the connection works is not asked here.
  for (const server of [smtp, imap]) {
    await host(server).fill('mail.invalid')
    await server.getByLabel('Port').fill('1')
  }
  await page.getByLabel('Address').fill('petra@yahoo.com')
  await smtp.getByLabel('Password').fill('correct horse')
  await expect(host(smtp)).toHaveValue('mail.invalid')
  await page.getByRole('button', { name: 'Connect mailbox' }).click()
  await expect(page).toHaveURL(/\/mailboxes$/)
  const made = await db.mailbox.findFirstOrThrow({
    where: { workspace_id: person.workspace_id },
  })
  const server = { host: 'mail.invalid', port: 1, username: 'petra@yahoo.com' }
  expect(made).toMatchObject({ smtp: server, imap: server })
  for (const sealed of [made.smtp_password, made.imap_password])
    expect(sealed && unseal(sealed)).toBe('correct horse')
})
