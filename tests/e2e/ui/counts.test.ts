import { expect, type Locator, type Page } from '@playwright/test'
import { createClient } from '#lib/client/client'
import type { Client } from '#lib/client/types'
import type { CampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import { pool } from '#lib/db/client'
import { settleCampaigns } from '#lib/services/campaigns/state'
import { issueToken } from '#lib/services/workspaces/tokens'
import { aShowcase } from '#tests/support/scenes/showcase'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

// Pages must count what the API counts, by the terms of the glossary: each figure is read off the page.
let page: Page
let api: Client
let ids: Record<string, string>

/** How many replies the home page lists. */
const LISTED = 5

test.beforeAll(async ({ browser, baseURL }) => {
  const person = await aPerson()
  ids = await aShowcase(person, new Date())
  // All of its leads are past their first step: otherwise the engine would record that while the figures are compared.
  await settleCampaigns(pool(), [ids.running ?? ''], new Date())
  page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await signIn(page, person)
  api = createClient({ base_url: baseURL ?? '', token: await issueToken(person.user_id, new Date()) })
})
test.afterAll(async () => page.context().close())

const main = () => page.getByRole('main')
const figure = (count: number) => count.toLocaleString('en')
const share = (rate: { rate: number | null } | null | undefined) =>
  typeof rate?.rate === 'number' ? `${(100 * rate.rate).toFixed(1)} %` : '–'
const text = async (one: Locator) => ((await one.textContent()) ?? '').trim()

/** The figure under this label, and the text that says what it is a share of. */
async function stat(label: string) {
  const block = main()
    .locator('dl > div')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${label}$`) }) })
  return { value: await text(block.locator('dd').first()), of: await text(block.locator('dd').nth(1)) }
}

const cell = (row: Locator, label: string) => text(row.locator(`td[data-label="${label}"]`))

/** Filter links with a number: their addresses and numbers. */
async function counted(name: string) {
  const links = main().getByRole('navigation', { name, exact: true }).getByRole('link')
  return Promise.all(
    (await links.all()).map(async (link) => ({
      href: new URL((await link.getAttribute('href')) ?? '', page.url()),
      count: Number(/([\d,]+)$/.exec(await text(link))?.[1]?.replaceAll(',', '') ?? 0),
    })),
  )
}

/** Each link with a number leads to a list with that total, which is requested from the API with the link's own query. */
async function expectTotals(
  name: string,
  totalOf: (query: Record<string, string>) => Promise<{ total: number }>,
) {
  const links = await counted(name)
  expect(links.length).toBeGreaterThan(1)
  for (const { href, count } of links) {
    const { total } = await totalOf(Object.fromEntries(href.searchParams))
    expect(count, `${href.pathname}${href.search}`).toBe(total)
  }
}

const funnel = async () =>
  Object.fromEntries(
    await Promise.all(
      (await main().locator('figure ol > li').all()).map(async (stage) => {
        const [label, of, count] = await Promise.all(
          ['div > span:first-child', 'span > span:first-child', 'span > span:last-child'].map((part) =>
            text(stage.locator(part).first()),
          ),
        )
        return [label, `${count} ${of}`] as const
      }),
    ),
  )

const expectFunnel = async ({ leads }: CampaignAnalytics) =>
  expect(await funnel()).toMatchObject({
    'In the campaign': `${figure(leads.total)} `,
    Contacted: `${figure(leads.contacted)} ${share({ rate: leads.contacted / leads.total })} of all`,
    Replied: `${figure(leads.replied)} ${share({ rate: leads.replied / leads.contacted })} of contacted`,
    Unsubscribed: expect.stringMatching(`^${figure(leads.unsubscribed)} `),
    Bounced: expect.stringMatching(`^${figure(leads.bounced)} `),
    'Still waiting': expect.stringMatching(`^${figure(leads.waiting)} `),
  })

test('the list of campaigns has the figures of each one’s analytics, and chips of as many as they lead to', async () => {
  await page.goto('/campaigns')
  const { campaigns } = await api.listCampaigns({ query: { page_size: 100 } })
  const launched = campaigns.filter(({ launched_at }) => launched_at)
  expect(launched.length).toBeGreaterThan(1)
  for (const { campaign_id, name, sent_count, total_leads } of launched) {
    const { reply_rate, bounce_rate, leads } = await api.readCampaignAnalytics({ params: { campaign_id } })
    const row = main().getByRole('row').filter({ hasText: name })
    expect(await cell(row, 'Sent')).toBe(figure(sent_count))
    expect([await cell(row, 'Replied'), await cell(row, 'Bounced')]).toEqual([
      share(reply_rate),
      share(bounce_rate),
    ])
    expect(await cell(row, 'Leads')).toContain(
      `${figure((total_leads ?? 0) - leads.waiting)} / ${figure(leads.total)}`,
    )
  }
  await expectTotals('Status', (query) => api.listCampaigns({ query }))
})

test('overview, results, leads and report of a campaign have the figures of its analytics', async () => {
  const campaign_id = ids.running ?? ''
  const at = `/campaigns/${campaign_id}`
  const analytics = await api.readCampaignAnalytics({ params: { campaign_id } })
  const { sent_count } = await api.readCampaign({ params: { campaign_id } })
  const { reply_rate, bounce_rate, unsubscribe_rate, leads } = analytics

  await page.goto(at)
  expect(await stat('Sent')).toEqual({
    value: figure(sent_count),
    of: `to ${figure(leads.contacted)} of ${figure(leads.total)} leads`,
  })
  const replied = {
    value: share(reply_rate),
    of: `${figure(leads.replied)} of ${figure(leads.contacted)} contacted`,
  }
  expect(await stat('Replied')).toEqual(replied)
  expect((await stat('Bounced')).value).toBe(share(bounce_rate))
  await expectFunnel(analytics)
  await expect(main().getByRole('link', { name: `Leads ${figure(leads.total)}`, exact: true })).toBeVisible()

  await page.goto(`${at}/results`)
  expect((await stat('Replied')).value).toBe(replied.value)
  expect([(await stat('Bounced')).value, (await stat('Unsubscribed')).value]).toEqual([
    share(bounce_rate),
    share(unsubscribe_rate),
  ])
  await expectFunnel(analytics)

  await page.goto(`${at}/leads`)
  await expectTotals('Lead status', (query) =>
    api.listCampaignLeads({ params: { campaign_id }, query: query as object }),
  )

  await page.goto(`/r/${ids.report}`)
  expect((await stat('Replied')).value).toBe(replied.value)
  await expectFunnel(analytics)
})

test('analytics and the results that clients see have the figures of the API', async () => {
  await page.goto('/analytics')
  const { totals, campaigns } = await api.readWorkspaceAnalytics({})
  expect((await stat('Sent')).value).toBe(figure(totals.sent))
  expect((await stat('Replied')).value).toBe(share(totals.reply_rate))
  expect((await stat('Bounced')).value).toBe(share(totals.bounce_rate))
  for (const { name, sent, contacted } of campaigns) {
    const row = main().getByRole('table', { name: 'Campaigns' }).getByRole('row').filter({ hasText: name })
    expect([await cell(row, 'Sent'), await cell(row, 'Contacted')]).toEqual([figure(sent), figure(contacted)])
  }
  await page.goto('/results')
  const { items } = await api.listResults({})
  expect(items.length).toBeGreaterThan(0)
  for (const { name, sent_count, replied_count, bounced_count } of items) {
    const row = main().getByRole('row').filter({ hasText: name })
    const shown = await Promise.all(['Sent', 'Replied', 'Bounced'].map((label) => cell(row, label)))
    expect(shown).toEqual([sent_count, replied_count, bounced_count].map(figure))
  }
})

test('the inbox, the rail and home count the same conversations as the API', async () => {
  const total = async (folder: 'unread' | 'needs_answer') =>
    (await api.listInboxThreads({ query: { folder } })).total
  const [unread, waiting] = [await total('unread'), await total('needs_answer')]
  expect(unread).toBeGreaterThan(0)
  await page.goto('/inbox')
  const places = await counted('Folders')
  for (const { href, count } of places.filter(({ count }) => count > 0)) {
    const query = Object.fromEntries(href.searchParams)
    expect(count, href.search).toBe((await api.listInboxThreads({ query })).total)
  }
  expect(places.filter(({ count }) => count > 0).length).toBeGreaterThan(0)
  const rail = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Inbox/ })
    .first()
  await expect(rail).toHaveAccessibleName(new RegExp(`^Inbox ?, ${unread} unread$`))

  await page.goto('/home')
  const replies = main().locator('section', { hasText: 'Replies to answer' })
  await expect(replies.getByRole('listitem')).toHaveCount(Math.min(waiting, LISTED))
  const more = replies.getByRole('link', { name: `All ${waiting}` })
  await expect(more).toHaveCount(waiting > LISTED ? 1 : 0)
})

test('people, companies, datasets and suppressions have as many as the API lists', async () => {
  await page.goto('/people')
  await expectTotals('Contact', (query) => api.listPeople({ query: query as object }))
  await page.goto('/companies')
  await expectTotals('Replies', (query) => api.listCompanies({ query: query as object }))
  await page.goto('/suppressions')
  await expectTotals('Reason', (query) => api.listSuppressions({ query: query as object }))

  await page.goto('/datasets')
  const { datasets } = await api.listDatasets({})
  expect(datasets.length).toBeGreaterThan(0)
  for (const { dataset_id, dataset_name, row_count } of datasets) {
    const row = main().getByRole('row').filter({ hasText: dataset_name })
    expect(await cell(row, 'Leads')).toBe(figure(row_count))
    const { total } = await api.listDatasetRejects({ params: { dataset_id } })
    expect(await cell(row, 'Refused')).toBe(figure(total))
  }
})
