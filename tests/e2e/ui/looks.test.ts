import { expect, type Locator } from '@playwright/test'
import { db } from '#lib/db/client'
import { aCampaign, aDataset, anEnrolledLead } from '#tests/support/scenes/factories'
import { aWebhook } from '#tests/support/scenes/showcase/settings'
import { aPerson, type Person, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

// Adjacent elements are aligned, and no page is a dead end.

async function aSentCampaign(person: Person) {
  const { workspace_id } = person
  const emails = ['ada@looks.example', 'bea@looks.example']
  const { dataset_id } = await aDataset(
    person,
    emails.map((email) => ({ email })),
  )
  const now = new Date()
  const { campaign_id } = await aCampaign(person, { dataset_id, name: 'Autumn' })
  await db.campaign.update({ where: { campaign_id }, data: { total_leads: 2, launched_at: now } })
  for (const [lead_index, email] of emails.entries()) {
    const { campaign_lead_id } = await anEnrolledLead(person, { campaign_id, email, lead_index })
    await db.action.create({
      data: {
        ...{ workspace_id, campaign_id, campaign_lead_id, step: 1 },
        ...{ channel: 'email', action_type: 'email', status: 'sent', performed_at: now },
      },
    })
  }
  return campaign_id
}

/** The position of the first line of a cell's text. */
const firstLine = (cell: Locator) =>
  cell.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return Math.round(range.getClientRects()[0]?.top ?? -1)
  })

test('on a phone figures of one line begin at one height, and a week of hours fits', async ({ page }) => {
  const person = await aPerson()
  await aSentCampaign(person)
  await signIn(page, person)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/analytics')
  const row = page.getByRole('row').filter({ hasText: 'Autumn' })
  const cell = (label: string) => row.locator(`td[data-label="${label}"]`)
  await expect(cell('Replied')).toContainText('interval')
  expect(await firstLine(cell('Bounced'))).toBe(await firstLine(cell('Replied')))
  const week = page.getByRole('region', { name: 'Sends by hour of the week' })
  const hidden = await week.evaluate((element) => element.scrollWidth - element.clientWidth)
  expect(hidden).toBe(0)
})

test('the button beside a field is as high as the field', async ({ page }) => {
  await signIn(page, await aPerson())
  await page.goto('/mailboxes/new')
  const field = await page.getByRole('textbox', { name: 'Email address' }).boundingBox()
  const button = await page.getByRole('button', { name: 'Continue' }).boundingBox()
  expect([button?.y, button?.height]).toEqual([field?.y, field?.height])
})

test('a draft’s page of leads and of results names its tab and leads on', async ({ page }) => {
  const person = await aPerson()
  const { dataset_id } = await aDataset(person, [{ email: 'ada@looks.example' }])
  const { campaign_id } = await aCampaign(person, { dataset_id, name: 'Autumn' })
  await signIn(page, person)
  const current = page.getByRole('navigation', { name: 'Campaign sections' }).locator('[aria-current]')
  await page.goto(`/campaigns/${campaign_id}/leads`)
  await expect(current).toHaveText('Leads')
  const dataset = page.getByRole('link', { name: 'See the dataset' })
  await expect(dataset).toHaveAttribute('href', `/datasets/${dataset_id}`)
  await page.goto(`/campaigns/${campaign_id}/results`)
  await expect(current).toHaveText('Results')
  const schedule = page.getByRole('link', { name: 'See the schedule' })
  await expect(schedule).toHaveAttribute('href', `/campaigns/${campaign_id}/schedule`)
})

test('on a phone the list of leads says why a lead waits and until when, and cuts neither off', async ({
  page,
}) => {
  const person = await aPerson()
  const { workspace_id } = person
  const email = 'a-person-with-a-rather-long-name@looks.example'
  const { dataset_id } = await aDataset(person, [{ email }])
  const { campaign_id } = await aCampaign(person, { dataset_id, name: 'Autumn' })
  await anEnrolledLead(person, { campaign_id, email })
  const until = new Date('2101-11-30T10:30:00Z')
  await db.absence.create({ data: { workspace_id, email, until, said: 'I am away.', noted_at: new Date() } })
  await signIn(page, person)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/campaigns/${campaign_id}/leads`)
  const row = page.getByRole('row').filter({ hasText: email })
  const end = row.locator('time').filter({ visible: true })
  await expect(row.getByText('Away', { exact: true }).filter({ visible: true })).toHaveCount(1)
  await expect(end).toContainText('30 Nov')
  for (const said of [end, row.getByText('In progress').filter({ visible: true })]) {
    const hidden = await said.evaluate((element) => {
      const { left, right } = element.getBoundingClientRect()
      for (let box = element.parentElement; box; box = box.parentElement) {
        const around = box.getBoundingClientRect()
        const cuts = getComputedStyle(box).overflowX !== 'visible'
        if (cuts && (left < around.left - 1 || right > around.right + 1)) return box.className
      }
      return null
    })
    expect(hidden).toBeNull()
  }
})

test('of a webhook testing is the main thing, and deleting stands last and by itself', async ({ page }) => {
  const person = await aPerson()
  const { webhook } = await aWebhook(person, new Date())
  await signIn(page, person)
  await page.goto(`/webhooks/${webhook}`)
  const acts = page.getByRole('main').locator('header').first().getByRole('button')
  await expect(acts).toHaveText(['Send a test', 'Edit', 'Rotate secret', 'Disable', 'Delete'])
  const fills = await acts.evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor))
  expect(fills.filter((fill) => fill === fills[0])).toHaveLength(1)
  const gaps = await acts.evaluateAll((all) =>
    all.slice(1).map((one, index) => {
      const before = all[index]?.getBoundingClientRect().right ?? 0
      return one.getBoundingClientRect().left - before
    }),
  )
  expect(gaps.at(-1)).toBeGreaterThan(Math.max(...gaps.slice(0, -1)))
})

test('an empty sandbox tells whoever launched already which campaign will send', async ({ page }) => {
  const person = await aPerson()
  const { campaign_id } = await aCampaign(person, { name: 'Autumn' })
  await signIn(page, person)
  await page.goto('/sandbox/mail')
  await expect(page.getByRole('main')).toContainText('Launch a campaign')
  await anEnrolledLead(person, { campaign_id })
  await page.reload()
  await expect(page.getByRole('main')).toContainText('“Autumn” is running and has sent nothing yet')
  const way = page.getByRole('link', { name: 'See when it sends' })
  await expect(way).toHaveAttribute('href', `/campaigns/${campaign_id}`)
})

test('between a phone and a desk no page scrolls sideways, and the list of leads says whose row it is', async ({
  page,
}) => {
  const person = await aPerson()
  const campaign_id = await aSentCampaign(person)
  const { webhook } = await aWebhook(person, new Date())
  await signIn(page, person)
  const leads = `/campaigns/${campaign_id}/leads`
  for (const width of [640, 820, 1024])
    for (const path of ['/campaigns', '/analytics', '/settings/members', `/webhooks/${webhook}`, leads]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const hidden = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(hidden, `${path} at ${width}`).toBeLessThanOrEqual(0)
      if (path !== leads) continue
      const whose = await page.getByRole('link', { name: 'ada@looks.example' }).boundingBox()
      expect(whose?.width, `the address at ${width}`).toBeGreaterThan(100)
    }
})
