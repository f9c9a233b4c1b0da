import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { aCampaign, anEnrolledLead } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const main = (page: Page) => page.getByRole('main')

async function switchTo(page: Page, name: string) {
  await page.goto('/home')
  await page
    .getByRole('button', { name: /Petra Person: account/ })
    .first()
    .click()
  const switched = page.waitForEvent('framenavigated')
  await page.getByRole('menuitemradio', { name }).first().click()
  await switched
}

/** Screenshots for whoever works on these pages: none is compared. */
async function look(page: Page, name: string) {
  if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}/${name}.png`, fullPage: true })
}

test('an agency puts a client’s workspace under its own: texts, branding and the bill come from above', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000)
  const agency = await aPerson()
  const { user_id } = agency
  await db.workspace.update({
    where: { workspace_id: agency.workspace_id },
    data: { name: 'Northwind Agency', tier: 'growth' },
  })
  const client = randomUUID()
  await db.workspace.create({ data: { workspace_id: client, name: 'Halden Freight', slug: client } })
  await db.member.create({ data: { workspace_id: client, user_id, role: 'owner' } })
  await signIn(page, agency)

  // In the agency: what clients see, and a text for all of them.
  await page.goto('/settings/branding')
  await page.getByLabel('Name', { exact: true }).fill('Northwind')
  await page.getByLabel('Accent colour').fill('#0b6b52')
  await page.getByLabel('Replies go to').fill('team@northwind.example')
  await page.getByRole('button', { name: 'Save branding' }).click()
  await expect(page.getByText('Branding saved.')).toBeVisible()
  const content = { subject: 'Hi {{ first_name }}', body: 'Hello from the agency' }
  await db.template.create({
    data: { workspace_id: agency.workspace_id, user_id, name: 'Agency opener', content, is_shared: true },
  })

  // In the client's workspace: nothing yet, then the agency's branding.
  await switchTo(page, 'Halden Freight')
  await page.goto('/settings/agency')
  await page.getByLabel('Parent').selectOption({ label: 'Northwind Agency' })
  await page.getByRole('button', { name: 'Set parent' }).click()
  await expect(main(page)).toContainText('Parent: Northwind Agency')
  await look(page, 'child-agency')
  await page.goto('/settings/branding')
  await expect(main(page)).toContainText('This workspace shows the branding of Northwind Agency')
  await expect(main(page)).toContainText('replies go to team@northwind.example')
  await look(page, 'child-branding')
  await page.goto('/templates')
  await expect(main(page)).toContainText('From Northwind Agency')
  await look(page, 'child-templates')
  await main(page).getByRole('link', { name: 'Agency opener' }).click()
  await expect(main(page)).toContainText('Edit it there')
  await look(page, 'child-template')
  await page.goto('/settings/billing')
  await page.getByRole('button', { name: 'Let Northwind Agency pay' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Let it pay' }).click()
  await expect(main(page).getByRole('heading', { name: 'Northwind Agency pays', exact: true })).toBeVisible()
  await look(page, 'child-billing')

  // The client opens a report without an account, and sees the agency's name.
  const { campaign_id } = await aCampaign({ workspace_id: client, user_id }, { name: 'Spring' })
  await anEnrolledLead({ workspace_id: client, user_id }, { campaign_id })
  await db.campaign.update({ where: { campaign_id }, data: { launched_at: new Date() } })
  await page.goto(`/campaigns/${campaign_id}/results`)
  await page.getByRole('button', { name: 'New report link' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  const shown = page.getByRole('dialog', { name: 'Copy the link now' }).getByText(/http\S+\/r\//)
  const link = new URL((await shown.textContent()) ?? '').pathname
  const stranger = await browser.newContext()
  const report = await stranger.newPage()
  await report.goto(link)
  await expect(main(report)).toContainText('Northwind')
  await look(report, 'report')

  // The agency's report domain serves reports and nothing else.
  const domain = `${client}.example`
  await db.mailDomain.create({
    data: { workspace_id: agency.workspace_id, domain, checks: { reports: { status: 'found' } } },
  })
  const headers = { host: `reports.${domain}` }
  const at = async (path: string) => (await stranger.request.get(path, { headers, maxRedirects: 0 })).status()
  const elsewhere = [
    '/sign-in',
    '/',
    '/home',
    '/api/v1/health',
    '/api/auth/csrf',
    '/mcp',
    `${link}/../../home`,
  ]
  for (const path of elsewhere) expect([path, await at(path)]).toEqual([path, 404])
  expect(await at(link)).toBe(200)
  const posted = await stranger.request.post(link, { headers: { ...headers, 'next-action': 'x' } })
  expect(posted.status()).toBe(404)
  expect(await stranger.cookies()).toEqual([])
  await stranger.close()

  // In the agency: both workspaces in one overview, and the client can be released.
  await switchTo(page, 'Northwind Agency')
  await page.goto('/workspaces')
  await expect(main(page)).toContainText('Halden Freight')
  await look(page, 'workspaces')
  await page.goto('/settings/agency')
  await look(page, 'parent-agency')
  await page.getByRole('button', { name: 'Remove child: Halden Freight' }).click()
  await expect(page.getByRole('dialog')).toContainText('You no longer pay for it')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove child' }).click()
  await expect(page.getByRole('button', { name: 'Remove child: Halden Freight' })).toHaveCount(0)
})
