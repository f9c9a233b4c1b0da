import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { unseal } from '#lib/db/seal'
import { aPerson, signIn } from '../support/people.ts'
import { listening, test } from '../support/test.ts'

test('the address fills in the servers, and one password goes for both', async ({ page }) => {
  const person = await aPerson()
  await signIn(page, person)
  await page.goto('/mailboxes/new?with=other')
  const smtp = page.getByRole('region', { name: /SMTP/ })
  const imap = page.getByRole('region', { name: /IMAP/ })
  const host = (server: typeof smtp) => server.getByLabel('Host')
  const address = page.getByLabel('Address')
  const servers = page.locator('summary').filter({ hasText: 'Servers' })

  await address.fill('petra@gmail.com')
  await page.getByLabel('Name that recipients see').focus()
  await expect(servers).toContainText('smtp.gmail.com · imap.gmail.com')
  await expect(page.getByRole('main')).toContainText('app password')
  await servers.click()
  await expect(host(smtp)).toHaveValue('smtp.gmail.com')
  await expect(host(imap)).toHaveValue('imap.gmail.com')
  await expect(smtp.getByLabel('Encryption')).toHaveValue('tls')

  // No server listens there: the mailbox is saved, and its page says what is wrong.
  for (const server of [smtp, imap]) {
    await host(server).fill('mail.invalid')
    await server.getByLabel('Port').fill('1')
  }
  await address.fill('petra@yahoo.com')
  await page.getByLabel('Password').first().fill('correct horse')
  await expect(host(smtp)).toHaveValue('mail.invalid')
  await page.getByRole('button', { name: 'Connect mailbox' }).click()
  await expect(page).toHaveURL(/\/mailboxes\/[\w-]{36}$/)
  await expect(page.getByRole('main')).toContainText('mail.invalid')
  await expect(page.getByRole('main')).toContainText('Its server cannot be reached')
  const made = await db.mailbox.findFirstOrThrow({ where: { address: 'petra@yahoo.com' } })
  const server = { host: 'mail.invalid', port: 1, username: 'petra@yahoo.com' }
  expect(made).toMatchObject({ smtp: server, imap: server })
  for (const sealed of [made.smtp_password, made.imap_password])
    expect(sealed && unseal(sealed)).toBe('correct horse')
})

test('where only the incoming server fails, its page says which of the two, and why', async ({ page }) => {
  await signIn(page, await aPerson())
  await page.goto('/mailboxes/new?with=other')
  const main = page.getByRole('main')
  await page.getByLabel('Address').fill('petra@half.example')
  await expect(main).toContainText('We could not find its servers')
  const smtp = page.getByRole('region', { name: /SMTP/ })
  const imap = page.getByRole('region', { name: /IMAP/ })
  await smtp.getByLabel('Host').fill('127.0.0.1')
  await smtp.getByLabel('Port').fill(`${process.env.SANDBOX_SMTP_PORT}`)
  await smtp.getByLabel('Encryption').selectOption('none')
  await imap.getByLabel('Host').fill('mail.invalid')
  await page.getByRole('button', { name: 'Connect mailbox' }).click()

  await expect(page).toHaveURL(/\/mailboxes\/[\w-]{36}$/)
  await expect(main).toContainText('Replies are not read')
  const panel = (title: string) => page.locator('section').filter({ hasText: title })
  await expect(panel('Outgoing server (SMTP)')).toContainText('Works')
  await expect(panel('Incoming server (IMAP)')).toContainText('Does not work')
  await expect(panel('Incoming server (IMAP)')).toContainText('mail.invalid')
  const where = { address: 'petra@half.example' }
  expect(await db.mailbox.findFirstOrThrow({ where })).toMatchObject({ status: 'connected' })

  await page.getByRole('button', { name: 'Test the connection' }).click()
  await expect(page.locator('body')).toContainText('Incoming emails cannot be read: ')
  await page.goto('/home')
  await expect(main).toContainText('Replies unread')
})

test('where nothing is found, the servers are asked for', async ({ page }) => {
  await signIn(page, await aPerson())
  await page.goto('/mailboxes/new?with=other')
  const host = page.getByRole('region', { name: /SMTP/ }).getByLabel('Host')
  await expect(host).toBeHidden()
  await page.getByLabel('Address').fill('petra@nowhere.example')
  await page.getByRole('button', { name: 'Connect mailbox' }).click()
  await expect(page.getByRole('main')).toContainText('We could not find its servers')
  await expect(host).toBeVisible()
  await expect(host).toHaveAttribute('aria-invalid', 'true')
  expect(await db.mailbox.count({ where: { address: 'petra@nowhere.example' } })).toBe(0)
})

test('a mailbox connects by OAuth at the sandbox, and one that was signed out by one click', async ({
  page,
}) => {
  const person = await aPerson()
  await signIn(page, person)
  await page.goto('/mailboxes/new')
  await page.getByRole('link', { name: 'Google' }).click()
  await expect(page.getByRole('main')).toContainText('/mailboxes/callback/google')
  await page.getByRole('link', { name: 'No account needed' }).click()
  await page.getByRole('button', { name: 'Continue to the sandbox' }).click()
  await expect(page.getByRole('main')).toContainText('This is not Google or Microsoft')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('main')).toContainText('Access was denied, so nothing was connected.')

  await page.getByRole('button', { name: 'Continue to the sandbox' }).click()
  await page.getByRole('textbox', { name: 'Account' }).fill('petra@company.test')
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await expect(page).toHaveURL(/\/mailboxes\/[\w-]{36}\?connected=1$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('petra@company.test')
  await expect(page.getByRole('main')).toContainText('Signed in by Sandbox')
  // The redirect from the vendor loaded a new document.
  await listening(page)
  const { workspace_id } = person
  const { mailbox_id } = await db.mailbox.findFirstOrThrow({
    where: { address: 'petra@company.test', workspace_id },
  })

  const ended = { ended_cause: 'signed_out', ended_said: 'Revoked.', ended_at: new Date() }
  await db.mailboxGrant.update({ where: { mailbox_id }, data: ended })
  await page.getByRole('button', { name: 'Test the connection' }).click()
  await expect(page.getByRole('main')).toContainText('It was signed out')
  await page.getByRole('button', { name: 'Reconnect' }).click()
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await expect(page.getByRole('main')).toContainText('Signed in by Sandbox')
  expect(await db.mailbox.findUniqueOrThrow({ where: { mailbox_id } })).toMatchObject({ status: 'connected' })
})

test('many connect from a file, and the report says of each row what came of it', async ({ page }) => {
  await signIn(page, await aPerson())
  await page.goto('/mailboxes/import')
  const at = `127.0.0.1,${process.env.SANDBOX_SMTP_PORT},none`
  const csv = [
    'address,name,smtp_host,smtp_port,smtp_security,colour',
    `ana@many.example,Ana,${at},red`,
    'bo@many.example,Bo,mail.invalid,1,none,',
    `no address,,${at},`,
  ].join('\n')
  const file = { name: 'mailboxes.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: 'Connect mailboxes' }).click()
  const main = page.getByRole('main')
  await expect(main).toContainText('1 connected, 1 failed their test, 1 not connected')
  await expect(main).toContainText('Columns not used: colour')
  const row = (address: string) => page.getByRole('row').filter({ hasText: address })
  await expect(row('ana@many.example')).toContainText('Connected')
  await expect(row('bo@many.example')).toContainText('mail.invalid')
  await expect(row('no address')).toContainText('not an email address')
  await page.getByRole('link', { name: 'bo@many.example' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('bo@many.example')
})
