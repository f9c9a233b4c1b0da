import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('somebody is invited, accepts in their own browser, is led to an admin, and works in either workspace', async ({
  page,
  browser,
}) => {
  const [owner, guest] = [await aPerson(), await aPerson()]
  await db.workspace.update({ where: { workspace_id: owner.workspace_id }, data: { name: 'Acme' } })
  await db.workspace.update({ where: { workspace_id: guest.workspace_id }, data: { name: 'My own' } })
  await db.template.create({
    data: {
      workspace_id: owner.workspace_id,
      user_id: owner.user_id,
      name: 'Acme opener',
      content: { subject: 'Hi', body: 'Hello' },
    },
  })

  await createApiKey(owner, { name: 'Key of Acme', scopes: ['read'] }, new Date())

  await signIn(page, owner)
  await page.goto('/settings/members')
  await page.getByLabel('Email').fill(guest.email)
  await page.getByLabel('Role (required)').selectOption('viewer')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  const dialog = page.getByRole('dialog', { name: `Send this link to ${guest.email}` })
  const link = (await dialog.locator('code').textContent()) ?? ''
  expect(link).toContain('/invite/')
  await page.mouse.click(5, 5)
  await page.keyboard.press('Escape')
  await expect(dialog.getByRole('button', { name: /^Copy/ })).toBeVisible()
  await dialog.getByRole('button', { name: 'I copied it' }).click()

  // Another user who opens the link is told whom it is for, and can sign out there.
  await page.goto(new URL(link).pathname)
  await expect(page.getByRole('main')).toContainText(`This invitation is for ${guest.email}`)
  await page.getByRole('button', { name: 'Sign out and use another account' }).click()
  await expect(page.getByRole('main')).toContainText(`Sign in as ${guest.email}`)

  const theirs = await (await browser.newContext()).newPage()
  await signIn(theirs, guest)
  await theirs.goto(new URL(link).pathname)
  await theirs.getByRole('button', { name: 'Accept invitation' }).click()
  await expect(theirs).toHaveURL(/\/home$/)
  await theirs.goto('/templates')
  await expect(theirs.getByRole('main')).toContainText('Acme opener')
  await theirs.goto('/api-keys')
  await expect(theirs.getByRole('heading', { name: 'Ask an admin' })).toBeVisible()

  // No request header unlocks the content of a page or a download.
  const claims: Record<string, string>[] = [{}, { 'next-action': 'x', 'x-opener-path': '/home' }]
  for (const headers of claims)
    for (const path of ['/api-keys', '/settings/account/export']) {
      const shown = await (await theirs.request.get(path, { headers })).text()
      const told = [shown.includes('ask-admin'), shown.includes('Key of Acme'), shown.includes('"table"')]
      expect([path, ...told]).toEqual([path, true, false, false])
    }

  await theirs.goto(new URL(link).pathname)
  await expect(theirs.getByRole('main')).toContainText('used')
  await theirs.goto('/home')
  await theirs
    .getByRole('button', { name: /Petra Person: account/ })
    .first()
    .click()
  const switched = theirs.waitForEvent('framenavigated')
  await theirs.getByRole('menuitemradio', { name: 'My own' }).first().click()
  await switched
  await theirs.goto('/templates')
  await expect(theirs.getByRole('main')).not.toContainText('Acme opener')
  await theirs.goto('/api-keys')
  await expect(theirs.getByRole('heading', { name: 'API keys' })).toBeVisible()
  await theirs.context().close()
})
