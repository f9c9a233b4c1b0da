import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { aCampaign, aDataset, anEnrolledLead } from '#tests/support/scenes/factories'
import { aPerson, type Person, signIn } from '../support/people.ts'
import { keepReceipt, test } from '../support/test.ts'

// Lists keep their query in the address, work by keyboard, and can undo bulk actions.
test.describe.configure({ mode: 'serial' })

const LEADS = 120
const NAMES = ['Alpha', 'Bravo', 'Charlie']

let page: Page
let person: Person
let leadsPath: string
let rowsPath: string

const sendFirst = (workspace_id: string, campaign_id: string, campaign_lead_id: string) =>
  db.action.create({
    data: {
      ...{ workspace_id, campaign_id, campaign_lead_id },
      ...{ step: 1, channel: 'email', action_type: 'email', status: 'sent', performed_at: new Date() },
    },
  })

test.beforeAll(async ({ browser, baseURL }) => {
  person = await aPerson()
  const emails = Array.from(
    { length: LEADS },
    (_, place) => `lead-${String(place).padStart(3, '0')}@list.example`,
  )
  const { dataset_id } = await aDataset(
    person,
    emails.map((email) => ({ email })),
  )
  rowsPath = `/datasets/${dataset_id}`
  for (const name of NAMES) {
    const { campaign_id } = await aCampaign(person, { dataset_id, name })
    if (name === 'Alpha') {
      for (const [lead_index, email] of emails.entries()) {
        const { campaign_lead_id } = await anEnrolledLead(person, { campaign_id, email, lead_index })
        if (lead_index === LEADS - 1) await sendFirst(person.workspace_id, campaign_id, campaign_lead_id)
      }
      await db.campaignLead.updateMany({
        where: { campaign_id, lead_index: { gte: 100 } },
        data: {
          status: 'failed',
          next_step: null,
          next_action_at: null,
          reason: 'failed',
          reason_detail: 'mailbox full',
        },
      })
      await db.campaign.update({
        where: { campaign_id },
        data: { total_leads: LEADS, launched_at: new Date() },
      })
      leadsPath = `/campaigns/${campaign_id}/leads`
    }
    // Paused until long after the test, so that no engine changes its leads, even once it is resumed.
    await db.campaign.update({
      where: { campaign_id },
      data: {
        status: 'paused',
        paused_from: 'scheduled',
        paused_reason: 'user',
        launch_type: 'scheduled',
        start_date: new Date('2100-01-01'),
      },
    })
  }
  page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await signIn(page, person)
})
test.afterAll(async () => page.context().close())

const main = () => page.getByRole('main')
const rowLinks = () => main().locator('[data-row-link]')
const statuses = async () =>
  (
    await db.campaign.findMany({ where: { workspace_id: person.workspace_id }, orderBy: { name: 'asc' } })
  ).map(({ status }) => status)

test('status and order of campaigns stand in the address and survive a reload', async () => {
  await page.goto('/campaigns')
  await main().getByRole('link', { name: 'Campaign', exact: true }).click()
  await expect(page).toHaveURL(/sort=name/)
  await expect(rowLinks()).toHaveText(NAMES)
  await main().getByRole('link', { name: 'Campaign', exact: true }).click()
  await expect(page).toHaveURL(/sort=-name/)
  await expect(rowLinks()).toHaveText(NAMES.toReversed())
  await main()
    .getByRole('link', { name: /^Paused/ })
    .click()
  await expect(page).toHaveURL(/status_filter=paused/)
  await page.reload()
  await expect(page).toHaveURL(/sort=-name/)
  await expect(rowLinks()).toHaveText(NAMES.toReversed())
})

test('j and k walk the rows, x selects one, Enter opens it', async () => {
  await page.goto('/campaigns?sort=name')
  await expect(rowLinks()).toHaveText(NAMES)
  await page.keyboard.press('j')
  await expect(rowLinks().first()).toBeFocused()
  await page.keyboard.press('j')
  await expect(rowLinks().nth(1)).toBeFocused()
  await page.keyboard.press('x')
  await expect(main().getByRole('checkbox', { name: 'Select Bravo' })).toBeChecked()
  await expect(main()).toContainText('1 selected')
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await expect(main().getByRole('heading', { level: 1 })).toHaveText('Alpha')
})

test('several campaigns are resumed at once, and it can be undone', async () => {
  await page.goto('/campaigns?sort=name')
  for (const name of ['Bravo', 'Charlie'])
    await main()
      .getByRole('checkbox', { name: `Select ${name}` })
      .check()
  await main().getByRole('button', { name: 'Resume 2' }).click()
  await keepReceipt(page)
  await expect(page.getByText('2 campaigns resumed.')).toBeVisible()
  expect(await statuses()).toEqual(['paused', 'scheduled', 'scheduled'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('2 campaigns paused.')).toBeVisible()
  expect(await statuses()).toEqual(['paused', 'paused', 'paused'])
})

test('leads page, filter and sort in the address, and a reload stands where it stood', async () => {
  await page.goto(`${leadsPath}?page=3`)
  const last = rowLinks().filter({ hasText: 'lead-119@list.example' })
  await expect(last).toBeVisible()
  await main().getByRole('link', { name: 'Previous page' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(rowLinks().filter({ hasText: 'lead-050@list.example' })).toBeVisible()
  await page.reload()
  await expect(rowLinks().filter({ hasText: 'lead-050@list.example' })).toBeVisible()
  await main()
    .getByRole('link', { name: /^Error/ })
    .click()
  await expect(page).toHaveURL(/state=error/)
  await expect(rowLinks()).toHaveCount(20)
  await main().getByRole('link', { name: 'Lead', exact: true }).click()
  await expect(page).toHaveURL(/sort=email/)
  await main().getByRole('link', { name: 'Lead', exact: true }).click()
  await expect(page).toHaveURL(/sort=-email/)
  await page.reload()
  await expect(rowLinks().first()).toHaveText('lead-119@list.example')
})

test('a phone shows who each lead is, of however many', async () => {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(leadsPath)
  const first = rowLinks().filter({ hasText: 'lead-000@list.example' })
  await expect(first).toBeVisible()
  // Below the visible rows a spacer stands for all others by then.
  await expect(main().locator('tbody > tr[aria-hidden]')).toHaveCount(1)
  expect((await first.boundingBox())?.width).toBeGreaterThan(100)
  if (size) await page.setViewportSize(size)
})

test('a lead that failed says why and what to do, beside the list', async () => {
  await page.goto(`${leadsPath}?state=error`)
  await rowLinks().first().click()
  const panel = page.getByRole('dialog')
  await expect(panel).toContainText('A step could not be performed')
  await expect(panel).toContainText('mailbox full')
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(/state=error$/)
})

async function tickLeads(places: string[]) {
  for (const place of places)
    await main()
      .getByRole('checkbox', { name: `Select lead-${place}@list.example` })
      .check()
  await expect(main()).toContainText(`${places.length} selected`)
}
const leadStatuses = async (from: number, to: number) =>
  (
    await db.campaignLead.findMany({
      where: { campaign_id: leadsPath.split('/')[2] ?? '', lead_index: { gte: from, lte: to } },
      orderBy: { lead_index: 'asc' },
    })
  ).map(({ status }) => status)

test('several leads are stopped at once, and it can be undone', async () => {
  await page.goto(leadsPath)
  await tickLeads(['001', '002'])
  await main().getByRole('button', { name: 'Stop 2', exact: true }).click()
  await keepReceipt(page)
  await expect(page.getByText('2 leads stopped.')).toBeVisible()
  expect(await leadStatuses(0, 3)).toEqual(['active', 'skipped', 'skipped', 'active'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('2 leads resumed.')).toBeVisible()
  expect(await leadStatuses(0, 3)).toEqual(['active', 'active', 'active', 'active'])
})

test('ticked leads stay ticked where they are scrolled out of sight, and all of a filter are ticked at once', async () => {
  await page.goto(leadsPath)
  await tickLeads(['003'])
  const rows = page.getByRole('region', { name: 'Leads of the campaign' })
  await expect(async () => {
    await rows.press('End')
    await expect(rowLinks().filter({ hasText: 'lead-119@list.example' })).toBeVisible({ timeout: 5_000 })
  }).toPass()
  await expect(rowLinks().filter({ hasText: 'lead-003@list.example' })).toHaveCount(0)
  await expect(main()).toContainText('1 selected')
  await main()
    .getByRole('button', { name: `All ${LEADS}`, exact: true })
    .click()
  await expect(main()).toContainText(`${LEADS} selected`)
  // Failed leads wait for nothing, so they cannot be stopped.
  await expect(main().getByRole('button', { name: 'Stop 100', exact: true })).toBeVisible()
  await main().getByRole('button', { name: 'Clear the selection' }).click()
  await expect(main().getByRole('checkbox', { name: 'Select lead-119@list.example' })).not.toBeChecked()
})

test('addresses of ticked leads are suppressed once that is confirmed, and their leads end', async () => {
  await page.goto(leadsPath)
  await tickLeads(['004', '005'])
  const button = main().getByRole('button', { name: 'Suppress 2', exact: true })
  await button.click()
  const dialog = page.getByRole('dialog', { name: 'Suppress these 2 addresses?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  expect(await leadStatuses(4, 5)).toEqual(['active', 'active'])
  await button.click()
  await dialog.getByRole('button', { name: 'Suppress 2' }).click()
  await expect(page.getByText('2 addresses suppressed, 2 leads ended.')).toBeVisible()
  expect(await leadStatuses(4, 5)).toEqual(['unsubscribed', 'unsubscribed'])
  const listed = await db.suppression.findMany({
    where: { workspace_id: person.workspace_id },
    orderBy: { value: 'asc' },
  })
  expect(listed.map(({ value }) => value)).toEqual(['lead-004@list.example', 'lead-005@list.example'])
  await db.suppression.deleteMany({ where: { workspace_id: person.workspace_id } })
})

test('several datasets are deleted at once; one that a campaign uses stays, and says so', async () => {
  for (const dataset_name of ['Autumn', 'Winter']) {
    const { dataset_id } = await aDataset(person, 2)
    await db.dataset.update({ where: { dataset_id }, data: { dataset_name } })
  }
  const used = await db.dataset.findFirstOrThrow({ where: { dataset_id: rowsPath.split('/')[2] ?? '' } })
  await page.goto('/datasets')
  for (const name of ['Autumn', 'Winter', used.dataset_name])
    await main()
      .getByRole('checkbox', { name: `Select ${name}`, exact: true })
      .check()
  await expect(main()).toContainText('3 selected')
  await main().getByRole('button', { name: 'Delete 3', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Delete these 3 datasets and their ${LEADS + 4} leads?` })
  await dialog.getByRole('button', { name: `Delete ${LEADS + 4} leads` }).click()
  await expect(page.getByText('2 datasets deleted.')).toBeVisible()
  await expect(page.getByText(/A campaign uses this dataset/)).toBeVisible()
  const left = await db.dataset.findMany({ where: { workspace_id: person.workspace_id } })
  expect(left.map(({ dataset_id }) => dataset_id)).toEqual([used.dataset_id])
})

test('rows of a dataset scroll to their end by key; page and words stand in the address', async () => {
  await page.goto(rowsPath)
  const cell = (place: string) => main().getByRole('cell', { name: `lead-${place}@list.example` })
  await expect(cell('000')).toBeVisible()
  const rows = page.getByRole('region', { name: 'Dataset leads' })
  await expect(async () => {
    await rows.press('End')
    await expect(cell('119')).toBeVisible({ timeout: 5_000 })
  }).toPass()
  await expect(page).toHaveURL(/page=[23]/)
  await page.goto(`${rowsPath}?page=2`)
  await expect(cell('050')).toBeVisible()
  await main().getByLabel('Search all cells').and(main().getByRole('searchbox')).fill('lead-11')
  await expect(page).toHaveURL(/search=lead-11/)
  await expect(main().getByRole('cell', { name: /@list\.example/ })).toHaveText(
    Array.from({ length: 10 }, (_, place) => `lead-11${place}@list.example`),
  )
  await page.reload()
  await expect(cell('110')).toBeVisible()
  await expect(cell('000')).toBeHidden()
})

test('the file of the leads is of those that the list shows', async () => {
  await page.goto(`${leadsPath}?state=error&search=lead-11`)
  await expect(rowLinks()).toHaveCount(10)
  await main().getByRole('button', { name: 'Export these' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text.trim().split('\r\n').slice(1)).toHaveLength(10)
})

test('the days of the results stand in the address, by a press or by their dates', async () => {
  const path = leadsPath.replace(/leads$/, 'results')
  await page.goto(`${path}?from=2026-01-05&to=2026-01-09`)
  await expect(main()).toContainText('Nothing sent in this period')
  await expect(main().getByLabel('From')).toHaveValue('2026-01-05')
  await main().getByLabel('To', { exact: true }).fill('2026-02-28')
  await main().getByRole('button', { name: 'Show' }).click()
  await expect(page).toHaveURL(/from=2026-01-05&to=2026-02-28/)
  await main().getByRole('link', { name: 'Last 7 days' }).click()
  await expect(page).toHaveURL(/\?from=[\d-]{10}$/)
  await expect(main().getByLabel('To', { exact: true })).toHaveValue('')
  await main().getByRole('link', { name: 'All days', exact: true }).click()
  await expect(main()).toContainText('In the campaign')
  await expect(page).toHaveURL(/results$/)
})

test('several suppressions are taken off at once, and it can be undone with their reasons', async () => {
  const values = ['ada@list.example', 'bob@list.example', 'eve@list.example']
  await db.suppression.createMany({
    data: values.map((value) => ({ workspace_id: person.workspace_id, value, reason: `asked by ${value}` })),
  })
  const listed = async () =>
    (
      await db.suppression.findMany({
        where: { workspace_id: person.workspace_id },
        orderBy: { value: 'asc' },
      })
    ).map(({ value, reason }) => [value, reason])
  const before = await listed()
  await page.goto('/suppressions')
  await main().getByRole('checkbox', { name: 'Select all that are shown' }).check()
  await expect(main()).toContainText('3 selected')
  await main().getByRole('checkbox', { name: 'Select bob@list.example' }).uncheck()
  await main().getByRole('button', { name: 'Allow 2 again' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Allow contact with these 2 entries again?')
  await dialog.getByRole('button', { name: 'Allow 2 again' }).click()
  await keepReceipt(page)
  await expect(page.getByText('2 entries can be contacted again.')).toBeVisible()
  expect(await listed()).toEqual(before.slice(1, 2))
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('2 entries listed again.')).toBeVisible()
  expect(await listed()).toEqual(before)
})
