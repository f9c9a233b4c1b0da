import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aCampaign, anEnrolledLead } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('a client is invited to two campaigns, sees only these, and somebody without an account opens a report', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000)
  const [owner, client] = [await aPerson(), await aPerson()]
  const { workspace_id } = owner
  await db.workspace.update({ where: { workspace_id }, data: { name: 'Acme' } })
  await db.workspaceBranding.create({ data: { workspace_id, name: 'Northwind', accent: '#0b6b52' } })
  const ids: Record<string, string> = {}
  for (const name of ['Spring', 'Summer', 'Internal']) {
    const { campaign_id } = await aCampaign(owner, { name })
    await anEnrolledLead(owner, { campaign_id })
    await db.campaign.update({ where: { campaign_id }, data: { launched_at: new Date() } })
    ids[name] = campaign_id
  }

  await signIn(page, owner)
  await page.goto('/settings/members')
  await page.getByLabel('Email').fill(client.email)
  await page.getByLabel('Role (required)').selectOption('client')
  for (const name of ['Spring', 'Summer']) await page.getByRole('checkbox', { name }).check()
  await page.getByRole('button', { name: 'Send invitation' }).click()
  const invited = page.getByRole('dialog', { name: `Send this link to ${client.email}` })
  const invitation = new URL((await invited.locator('code').textContent()) ?? '').pathname

  const theirs = await (await browser.newContext()).newPage()
  await signIn(theirs, client)
  await theirs.goto(invitation)
  await expect(theirs.getByRole('main')).toContainText('Join Northwind')
  await theirs.getByRole('button', { name: 'Accept invitation' }).click()
  await expect(theirs).toHaveURL(/\/results$/)
  await expect(theirs.getByRole('banner')).toContainText('Northwind')
  const main = theirs.getByRole('main')
  await expect(main).toContainText('Spring')
  await expect(main).toContainText('Summer')
  await expect(main).not.toContainText('Internal')
  await theirs.getByRole('link', { name: 'Spring' }).click()
  await expect(theirs.getByRole('heading', { level: 1, name: 'Spring' })).toBeVisible()
  await theirs.goto(`/results/${ids.Internal}`)
  await expect(theirs.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect(theirs.locator('body')).not.toContainText('Internal')
  for (const path of ['/campaigns', '/settings/reports', '/settings/branding', `/campaigns/${ids.Spring}`]) {
    await theirs.goto(path)
    await expect(theirs).toHaveURL(/\/results$/)
  }

  await page.goto(`/campaigns/${ids.Summer}/results`)
  await page.getByRole('button', { name: 'New report link' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  const shown = page.getByRole('dialog', { name: 'Copy the link now' }).getByText(/http\S+\/r\//)
  const link = new URL((await shown.textContent()) ?? '').pathname

  const stranger = await browser.newContext()
  const report = await stranger.newPage()
  const answer = await report.goto(link)
  expect(answer?.status()).toBe(200)
  expect(answer?.headers()).toMatchObject({
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  })
  await expect(report.getByRole('heading', { level: 1, name: 'Summer' })).toBeVisible()
  await expect(report.getByRole('main')).toContainText('Northwind')
  await expect(report.getByRole('main')).not.toContainText('Spring')
  expect(await stranger.cookies()).toEqual([])

  await page.getByRole('button', { name: 'I copied it' }).click()
  await page.getByRole('button', { name: 'Revoke Summer' }).click()
  await page.getByRole('button', { name: 'Revoke link' }).click()
  await expect(page.getByText('Link revoked.')).toBeVisible()
  expect((await report.reload())?.status()).toBe(404)
  await expect(report.getByRole('heading', { name: 'This report is not available' })).toBeVisible()
  expect((await report.goto('/r/never-was'))?.status()).toBe(404)
  await Promise.all([stranger.close(), theirs.context().close()])
})
