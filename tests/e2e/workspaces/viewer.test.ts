import { expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { aCampaign, aMailbox, anEnrolledLead, aTemplate } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

/** The text of a refusal by role, wherever it appears. */
const REFUSED = /this needs the role/i

test('a viewer meets no control that ends in a refusal, and is told whom to ask', async ({ page }) => {
  const [owner, viewer] = [await aPerson(), await aPerson()]
  const { workspace_id } = owner
  const steps_config = [{ subject: 'Hi', message_template: 'Hi' }]
  const { campaign_id, dataset_id } = await aCampaign(owner, { steps_config })
  await anEnrolledLead(owner, { campaign_id })
  await db.campaign.update({ where: { campaign_id }, data: { status: 'active' } })
  const { mailbox_id } = await aMailbox(owner)
  const { template_id } = await aTemplate(owner)
  await db.member.create({ data: { workspace_id, user_id: viewer.user_id, role: 'viewer' } })
  await signIn(page, viewer)
  await db.userSession.updateMany({ where: { user_id: viewer.user_id }, data: { workspace_id } })

  await page.goto('/campaigns')
  await page.getByRole('button', { name: 'New campaign' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ask an admin' })
  await expect(dialog).toContainText(owner.email)
  await expect(dialog.getByRole('link', { name: owner.email })).toHaveAttribute(
    'href',
    `mailto:${owner.email}`,
  )
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  // A dialog may open late, when the test has moved on to the next button.
  const over = page.locator('dialog[open]')
  await page.addLocatorHandler(over.first(), async () => {
    await expect(over.getByText(REFUSED)).toHaveCount(0)
    // Another dialog may have opened late over this one.
    await expect(async () => {
      await page.keyboard.press('Escape')
      expect(await over.count()).toBe(0)
    }).toPass()
  })
  const campaign = `/campaigns/${campaign_id}`
  await page.goto(campaign)
  await expect(page.getByRole('link', { name: 'See sequence' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toHaveCount(0)
  for (const path of [
    '/home',
    '/campaigns',
    ...['', '/sequence', '/schedule', '/leads', '/settings'].map((tab) => `${campaign}${tab}`),
    '/templates',
    `/templates/${template_id}`,
    '/sender-profiles',
    '/datasets',
    `/datasets/${dataset_id}`,
    '/personalize',
    '/suppressions',
    '/people',
    '/companies',
    '/posts',
    '/mailboxes',
    `/mailboxes/${mailbox_id}`,
    '/domains',
    '/accounts',
    '/email-finder',
    '/analytics?from=2020-01-01&to=2020-01-07',
    '/inbox',
  ])
    await pressEverything(page, path)
})

/** Presses each button of the page, and then each entry of a menu or dialog that it opens. */
async function pressEverything(page: Page, path: string) {
  await page.goto(path)
  const buttons = page.getByRole('main').getByRole('button', { disabled: false })
  const count = await buttons.count()
  for (let at = 0; at < count; at++) {
    const button = buttons.nth(at)
    if (!(await button.isVisible())) continue
    await button.click()
    const items = page.getByRole('menuitem')
    for (let item = 0; item < (await items.count()); item++) {
      const entry = items.nth(item)
      // A dialog of an earlier button may open only now and close the menu, which is then opened again.
      await expect(async () => {
        if (!(await entry.isVisible())) await button.click({ timeout: 5_000 })
        const href = await entry.getAttribute('href', { timeout: 5_000 })
        if (href === null) await entry.click({ timeout: 5_000 })
      }).toPass()
      await page.keyboard.press('Escape')
    }
    await page.keyboard.press('Escape')
    await expect(page.getByText(REFUSED).filter({ visible: true })).toHaveCount(0)
    if (new URL(page.url()).pathname !== new URL(path, page.url()).pathname) await page.goto(path)
  }
}

test('a viewer is told before they type that nothing is saved, and dialogs open only for whoever may save', async ({
  page,
}) => {
  const [owner, viewer] = [await aPerson(), await aPerson()]
  const { workspace_id } = owner
  const { campaign_id } = await aCampaign(owner, {})
  const { mailbox_id } = await aMailbox(owner)
  const { template_id } = await aTemplate(owner)
  await db.member.create({ data: { workspace_id, user_id: viewer.user_id, role: 'viewer' } })
  await signIn(page, viewer)
  await db.userSession.updateMany({ where: { user_id: viewer.user_id }, data: { workspace_id } })
  const main = page.getByRole('main')
  for (const [path, field] of [
    [`/campaigns/${campaign_id}/settings`, 'Name'],
    [`/campaigns/${campaign_id}/schedule`, 'Daily limit'],
    [`/mailboxes/${mailbox_id}`, 'Name that recipients see'],
    [`/templates/${template_id}`, 'Name'],
    ['/campaigns/new', 'Name'],
    ['/sender-profiles/new', 'Profile name'],
  ] as const) {
    await page.goto(path)
    await expect(main.getByText('You can view this, but not change it'), path).toBeVisible()
    await expect(main.getByRole('link', { name: 'Petra Person' }).first(), path).toHaveAttribute(
      'href',
      `mailto:${owner.email}`,
    )
    await expect(main.getByLabel(field).first(), path).toBeDisabled()
  }
  await page.goto(`/campaigns/${campaign_id}/sequence`)
  await expect(main.getByText('you need the role member or higher. Ask Petra Person.')).toBeVisible()
  await expect(main.getByRole('button', { name: 'Save sequence' })).toHaveCount(0)

  await page.goto('/suppressions')
  for (const name of ['Add entries', 'Import a file']) {
    await main.getByRole('button', { name }).click()
    const asked = page.getByRole('dialog', { name: 'Ask an admin' })
    await expect(asked).toContainText(owner.email)
    await page.keyboard.press('Escape')
    await expect(asked).toBeHidden()
  }
})

test('no link of the navigation or of the settings leads a viewer to a page that only says whom to ask', async ({
  page,
}) => {
  const [owner, viewer] = [await aPerson(), await aPerson()]
  const { workspace_id } = owner
  await db.member.create({ data: { workspace_id, user_id: viewer.user_id, role: 'viewer' } })
  await signIn(page, viewer)
  await db.userSession.updateMany({ where: { user_id: viewer.user_id }, data: { workspace_id } })
  await page.goto('/settings/account')
  for (const name of ['Main', 'Settings']) {
    const links = page.getByRole('navigation', { name, exact: true }).first().getByRole('link')
    await expect(links.first()).toBeVisible()
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    expect(hrefs.length).toBeGreaterThan(3)
    for (const href of hrefs) {
      const response = await page.request.get(href)
      expect(new URL(response.url()).pathname, href).toBe(href)
    }
  }
  await expect(page.getByRole('link', { name: 'API keys' })).toHaveCount(0)
})
