import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { CreateWebhook } from '#lib/contracts/webhooks'
import { db } from '#lib/db/client'
import { createDomain } from '#lib/services/domains'
import { connectSandbox } from '#lib/services/sandbox-mailbox'
import { createSenderProfile } from '#lib/services/sender-profiles'
import { testWebhook } from '#lib/services/webhook-deliveries'
import { createWebhook } from '#lib/services/webhooks'
import { aCampaign, aDataset, anEnrolledLead, aTemplate } from '#tests/support/factories'
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
  const domain = await createDomain(person.user_id, { domain: 'mail.example.com' }, new Date())
  const draft = await aCampaign(person, { dataset_id: dataset.dataset_id })
  const running = await launched(person)
  const { webhook_id } = await createWebhook(
    person.user_id,
    CreateWebhook.body.parse({ url: 'https://hooks.example.com/' }),
    new Date(),
  )
  const { delivery_id } = await testWebhook(person.user_id, webhook_id, new Date())
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
    ...['', '/results', '/leads', `/leads?lead=${running.campaign_lead_id}`, '/uncertain'].map(
      (tab) => `/campaigns/${running.campaign_id}${tab}`,
    ),
    ...['', '/rejects'].map((tab) => `/datasets/${dataset.dataset_id}${tab}`),
    '/inbox',
    ...['/templates', '/templates/new', `/templates/${template.template_id}`],
    ...['/sender-profiles', '/sender-profiles/new', `/sender-profiles/${profile.id}`],
    ...['/mailboxes', '/mailboxes/new', `/mailboxes/${mailbox.mailbox_id}`],
    ...['/domains', `/domains/${domain.domain_id}`],
    ...[
      '/suppressions',
      '/settings/billing',
      '/sandbox/billing',
      '/sandbox/mail',
      '/api-keys',
      '/accounts',
      '/assistant',
      '/email-finder',
      '/personalize',
      '/personalize/playground',
      '/posts',
      '/posts/calendar',
      '/posts/new',
      '/sandbox/network',
      '/settings/account',
      '/settings/audit',
      '/nothing/here',
    ],
    ...['/webhooks', `/webhooks/${webhook_id}`, `/webhooks/${webhook_id}?delivery=${delivery_id}`],
    '/settings/notifications',
  ]
  const page = await browser.newPage({ baseURL: baseURL ?? '' })
  await signIn(page, person)
  state = await page.context().storageState()
  await page.close()
})

/** A campaign as a launch leaves it; paused, so that the page stays as it is. */
async function launched(person: { user_id: string }) {
  const dataset = await aDataset(person, 3)
  const { campaign_id } = await aCampaign(person, { dataset_id: dataset.dataset_id })
  await anEnrolledLead(person, { campaign_id })
  const replied = await anEnrolledLead(person, { campaign_id, lead_index: 1 })
  await db.campaignLead.update({
    where: { campaign_lead_id: replied.campaign_lead_id },
    data: { status: 'replied', next_step: null, next_action_at: null, next_action_type: null },
  })
  await db.campaign.update({
    where: { campaign_id },
    data: { status: 'paused', paused_reason: 'user', paused_from: 'active', launched_at: new Date() },
  })
  return replied
}

const PHONE_PX = 390

test('no page has a barrier that axe can find, in either theme, and none is wider than a phone', async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(900_000)
  const context = await browser.newContext({
    storageState: state,
    baseURL: baseURL ?? '',
    reducedMotion: 'reduce',
  })
  await context.addCookies([{ name: 'theme', value: 'light', url: baseURL ?? '' }])
  const page = await context.newPage()
  for (const address of pages) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 }).or(page.getByRole('alert')).first()).toBeVisible()
    expect([address, ...(await barriers(page))]).toEqual([address])
    // The themes differ by colours alone, and what they are is all that is left to ask.
    await page.evaluate(() => {
      document.documentElement.dataset.theme = 'dark'
    })
    expect([address, 'dark', ...(await barriers(page, ['color-contrast']))]).toEqual([address, 'dark'])
    await page.setViewportSize({ width: PHONE_PX, height: 800 })
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect([address, Math.max(width, PHONE_PX)]).toEqual([address, PHONE_PX])
  }
  await context.close()
})

async function barriers(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page })
  const { violations } = await (rules ? axe.withRules(rules) : axe.withTags(RULES)).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
}
