import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { createWebhook } from '#lib/services/telling/webhooks'
import { createWorkspace } from '#lib/services/workspaces/workspaces'
import { archivedRows, eraseWorkspace, readArchiveText } from '#tests/support/files/archives'
import { aMailbox, anEnrolledLead, aTemplate, aThread } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('a workspace is exported, imported by somebody else, and says what is left to do: every row is the same', async ({
  page,
  browser,
}) => {
  const owner = await aPerson()
  const { workspace_id } = owner
  await db.workspace.update({ where: { workspace_id }, data: { name: 'Acme', rest_days: 7 } })
  for (const _ of [1, 2]) await aMailbox(owner)
  await aTemplate(owner)
  await aThread(owner)
  const { campaign_id } = await anEnrolledLead(owner)
  await anEnrolledLead(owner, { campaign_id, lead_index: 1 })
  await db.campaign.update({ where: { campaign_id }, data: { status: 'active', next_slot_at: null } })

  const webhook = {
    url: 'https://hooks.acme.example/x',
    event_types: ['campaign.paused' as const],
    description: null,
    enabled: true,
  }
  await createWebhook(workspace_id, webhook, new Date())

  await signIn(page, owner)
  await page.goto('/settings/account')
  const download = page.waitForEvent('download')
  await page
    .getByRole('link', { name: /Export|Download/ })
    .first()
    .click()
  const file = await (await download).path()
  const before = await readFile(file, 'utf8')
  await eraseWorkspace(owner)

  const guest = await aPerson()
  const theirs = await (await browser.newContext()).newPage()
  await signIn(theirs, guest)
  await theirs.goto('/settings/members')
  const panel = theirs
    .locator('section')
    .filter({ has: theirs.getByRole('heading', { name: 'Import a workspace' }) })
  const choose = (text: string) =>
    panel.locator('input[type=file]').setInputFiles({
      name: 'acme.ndjson',
      mimeType: 'application/x-ndjson',
      buffer: Buffer.from(text),
    })

  await choose('Email,Name\nada@example.com,Ada\n')
  await expect(panel.getByRole('alert')).toContainText('this is no export of Opener')
  await choose(before.replace('"lead_index":1', '"lead_index":"x"'))
  await expect(panel.getByRole('alert')).toContainText(/line \d+ of the archive \(\w+\) has a value/, {
    timeout: 150_000,
  })
  expect(await db.workspace.count({ where: { workspace_id } })).toBe(0)

  await choose(before)
  await expect(panel.getByRole('status')).toContainText('Acme is imported', { timeout: 150_000 })
  await expect(panel.getByRole('status')).toContainText('2 leads, 1 campaign, 1 of them paused')
  // The result is shown again after a reload.
  await theirs.reload()
  await expect(panel.getByRole('status')).toContainText('1 webhook: rotate the secret, then enable')
  await panel.getByRole('link', { name: '2 mailboxes' }).click()
  await expect(theirs).toHaveURL(/\/mailboxes$/)
  await expect(theirs.getByRole('main')).toContainText('sender-')

  await theirs.goto('/settings/account')
  const again = theirs.waitForEvent('download')
  await theirs
    .getByRole('link', { name: /Export|Download/ })
    .first()
    .click()
  const after = await readFile(await (await again).path(), 'utf8')
  expect(archivedRows(readArchiveText(after))).toEqual(archivedRows(readArchiveText(before)))
  expect(await db.workspace.findUniqueOrThrow({ where: { workspace_id } })).toMatchObject({ rest_days: 7 })
})

test('an owner erases a workspace by its name, and goes on in their other one', async ({ page }) => {
  const person = await aPerson()
  const { workspace_id, slug } = await createWorkspace(person.user_id, 'Doomed')
  await aTemplate({ ...person, workspace_id })
  await signIn(page, person)
  await page.goto(`/w/${slug}/settings/members`)
  const panel = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Erase this workspace' }) })
  await expect(panel).toContainText('1 template')
  const erase = panel.getByRole('button', { name: 'Erase the workspace' })
  await expect(erase).toBeDisabled()
  await panel.getByLabel('Type Doomed to confirm').fill('Doomed')
  await erase.click()
  await expect(page).toHaveURL(/\/home$/)
  expect(await db.workspace.count({ where: { workspace_id } })).toBe(0)
  expect(await db.workspace.count({ where: { workspace_id: person.workspace_id } })).toBe(1)
})
