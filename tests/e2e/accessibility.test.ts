import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { connectSandbox } from '#lib/services/sandbox-mailbox'
import { createSenderProfile } from '#lib/services/sender-profiles'
import { aCampaign, aDataset, aTemplate } from '#tests/support/factories'
import { aPerson, signIn } from './support/people.ts'
import { test } from './support/test.ts'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

let pages: string[]
let state: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>

test.beforeAll(async ({ browser, baseURL }) => {
  const person = await aPerson()
  const dataset = await aDataset(person, 3)
  const template = await aTemplate(person)
  const profile = await createSenderProfile(person.user_id, {
    profile_name: 'Petra',
    sender_data: { name: 'Petra' },
    description: null,
    is_default: true,
  })
  const mailbox = await connectSandbox({ ...person, name: 'Petra' }, new Date())
  const draft = await aCampaign(person, { dataset_id: dataset.dataset_id })
  const running = await launched(person)
  pages = [
    ...[
      '/home',
      '/campaigns',
      '/campaigns?search=nothing',
      '/campaigns/new',
      '/datasets',
      '/datasets/import',
    ],
    ...['', '/sequence', '/schedule', '/review'].map((tab) => `/campaigns/${draft.campaign_id}${tab}`),
    ...['', '/results', '/leads'].map((tab) => `/campaigns/${running}${tab}`),
    ...['', '/rejects'].map((tab) => `/datasets/${dataset.dataset_id}${tab}`),
    ...['/templates', '/templates/new', `/templates/${template.template_id}`],
    ...['/sender-profiles', '/sender-profiles/new', `/sender-profiles/${profile.id}`],
    ...['/mailboxes', '/mailboxes/new', `/mailboxes/${mailbox.mailbox_id}`],
    ...['/suppressions', '/sandbox/mail', '/api-keys', '/nothing/here'],
  ]
  const page = await browser.newPage({ baseURL: baseURL ?? '' })
  await signIn(page, person)
  state = await page.context().storageState()
  await page.close()
})

/** A campaign as a launch leaves it; paused, so that the page stays as it is. */
async function launched(person: { user_id: string }): Promise<string> {
  const dataset = await aDataset(person, 3)
  const { campaign_id } = await aCampaign(person, { dataset_id: dataset.dataset_id })
  await db.campaign.update({
    where: { campaign_id },
    data: { status: 'paused', paused_reason: 'user', paused_from: 'active', launched_at: new Date() },
  })
  await db.campaignLead.createMany({
    data: (['pending', 'active', 'replied'] as const).map((status, lead_index) => ({
      campaign_id,
      user_id: person.user_id,
      dataset_id: dataset.dataset_id,
      lead_index,
      email: `lead${lead_index}@example.com`,
      status,
    })),
  })
  return campaign_id
}

for (const theme of ['light', 'dark'] as const)
  test(`no page has a barrier that axe can find, ${theme}`, async ({ browser, baseURL }) => {
    test.setTimeout(120_000)
    const context = await browser.newContext({ storageState: state, baseURL: baseURL ?? '' })
    await context.addCookies([{ name: 'theme', value: theme, url: baseURL ?? '' }])
    const page = await context.newPage()
    for (const address of pages) {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1 }).or(page.getByRole('alert')).first()).toBeVisible()
      const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze()
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
      expect([address, ...found]).toEqual([address])
    }
    await context.close()
  })

test('no page is wider than a phone of 390 px', async ({ browser, baseURL }) => {
  test.setTimeout(120_000)
  const context = await browser.newContext({
    storageState: state,
    baseURL: baseURL ?? '',
    viewport: { width: 390, height: 800 },
  })
  const page = await context.newPage()
  const wide: string[] = []
  for (const address of pages) {
    await page.goto(address)
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (excess > 0) wide.push(`${address} by ${excess} px`)
  }
  expect(wide).toEqual([])
  await context.close()
})
