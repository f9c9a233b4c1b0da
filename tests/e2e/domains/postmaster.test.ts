import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { createDomain } from '#lib/services/domains/domains'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const SLOW = { timeout: 60_000 }

test('Postmaster Tools are connected at the sandbox, show what Gmail counts with its numbers, and are disconnected', async ({
  page,
}) => {
  const { workspace_id, ...person } = await aPerson()
  const { domain_id } = await createDomain(workspace_id, { domain: 'counted.example' }, new Date())
  await signIn(page, { workspace_id, ...person })
  await page.goto(`/domains/${domain_id}`)
  const panel = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: /Postmaster Tools/ }) })
  const connect = panel.getByRole('button', { name: 'Connect the sandbox' })
  await expect(panel).toContainText('made-up figures')

  await connect.click()
  await expect(panel).toContainText('These figures are made up', SLOW)
  await expect(page).toHaveURL(new RegExp(`/domains/${domain_id}$`))
  await expect(panel.getByRole('img').first()).toBeVisible()
  const { count } = await db.postmasterDomain
    .aggregate({ where: { workspace_id }, _count: true })
    .then(({ _count }) => ({ count: _count }))
  expect(count).toBe(1)
  // The chart can be read without seeing it.
  await panel.getByText('Show the numbers').first().click()
  await expect(panel.getByRole('table').first()).toContainText('Stay below')
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await panel.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(connect).toBeVisible(SLOW)
  expect(await db.postmasterAccount.count({ where: { workspace_id } })).toBe(0)
})

test('who comes back from a sign-in that nobody began is told so, and nothing is connected', async ({
  page,
}) => {
  const person = await aPerson()
  await createDomain(person.workspace_id, { domain: 'declined.example' }, new Date())
  await signIn(page, person)
  await page.goto('/domains/postmaster/callback?state=made-up&code=1')
  await expect(page).toHaveURL(/\/domains\?postmaster=grant_invalid$/, SLOW)
  await expect(page.getByRole('main').getByRole('alert').first()).toBeVisible()
  expect(await db.postmasterAccount.count({ where: { workspace_id: person.workspace_id } })).toBe(0)
})
