import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('an owner claims a domain and says what a group may; whoever signs in with both is there, as that', async ({
  page,
  browser,
  baseURL,
}) => {
  test.skip(!process.env.OIDC_ISSUER, 'The instance named by OPENER_URL has a provider of its own, or none.')
  const owner = await aPerson()
  const { workspace_id } = owner
  await signIn(page, owner)
  await page.goto('/settings/members')
  const panel = (name: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })
  const domains = panel('Sign-in domains')
  await domains.getByLabel('Domain').fill('GMAIL.com')
  await domains.getByRole('button', { name: 'Add domain' }).click()
  await expect(domains.getByText('belongs to a mail provider').first()).toBeVisible()
  await domains.getByLabel('Domain').fill('Example.com')
  await domains.getByRole('button', { name: 'Add domain' }).click()
  await expect(domains.getByText('_opener-challenge.example.com', { exact: true })).toBeVisible()
  await domains.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByText('DNS did not answer. Try again in a minute.').first()).toBeVisible()
  await expect(domains.getByText('Not verified')).toBeVisible()
  const groups = panel('Roles by group')
  await groups.getByLabel('Group').first().fill('outreach-leads')
  await groups.getByLabel('Role').first().selectOption('admin')
  await groups.getByRole('button', { name: 'Save groups' }).click()
  await expect(groups.getByLabel('Group').first()).toHaveValue('outreach-leads')
  await expect.poll(() => db.groupRoles.count({ where: { workspace_id } })).toBe(1)
  // The DNS record is published.
  const now = new Date()
  await db.signInDomain.updateMany({ where: { workspace_id }, data: { verified_at: now, checked_at: now } })
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const theirs = await context.newPage()
  await theirs.goto('/sign-in')
  await theirs.getByRole('button', { name: /^Continue with / }).click()
  await expect(theirs).toHaveURL(/\/home$/)
  await page.reload()
  await expect(domains.getByText('Verified', { exact: true })).toBeVisible()
  const joined = { workspace_id, role: 'admin', role_from: 'provider' } as const
  expect(await db.member.count({ where: joined })).toBe(1)
  await page.goto('/settings/audit')
  await expect(page.getByText('joined by email domain')).toBeVisible()
  await context.close()
  await db.workspace.delete({ where: { workspace_id } })
})
