import { expect, type Locator } from '@playwright/test'
import { db } from '#lib/db/client'
import { aCampaign, aDataset, anEnrolledLead } from '#tests/support/scenes/factories'
import { aPerson, type Person, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

// What stands beside each other stands in line, and no page is a dead end.

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
}

/** Where the first line of what a cell says begins. */
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
