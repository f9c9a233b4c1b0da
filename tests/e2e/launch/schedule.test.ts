import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { DAY_MS } from '#lib/domain/calendar/zoned-time'
import { connectSandbox } from '#lib/services/senders/sandbox-mailbox'
import { aCampaign, aDataset, aMailbox } from '#tests/support/scenes/factories'
import { FIRST } from '#tests/support/scenes/launched'
import { mainButtons } from '../support/main-buttons.ts'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('the forecast follows the sliders and the week, and the launch names its leads before it does anything', async ({
  page,
}) => {
  const person = await aPerson()
  await signIn(page, person)
  await connectSandbox({ ...person, name: 'Petra' }, new Date())
  const { dataset_id } = await aDataset(person, 90)
  const { campaign_id } = await aCampaign(person, {
    dataset_id,
    steps_config: [FIRST],
    daily_limit: 30,
    min_interval_seconds: 0,
    sending_window_start: '09:00',
    sending_window_end: '17:00',
    send_days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  })
  const main = page.getByRole('main')
  await page.goto(`/campaigns/${campaign_id}/schedule`)
  const days = main.getByText(/^on (one day|\d+ days)$/)
  await expect(days).toHaveText(/on [34] days/)
  await expect(page.getByRole('table', { name: 'Calendar' })).toContainText('30')
  expect(await mainButtons(page)).toEqual(['Review & launch'])

  const slider = page.getByRole('slider', { name: 'Slider of the daily limit' })
  // Before the page is hydrated, moving the slider changes nothing else, so it is repeated.
  await expect(async () => {
    await slider.fill('15')
    await slider.fill('10')
    await expect(page.getByLabel('Daily limit (required)')).toHaveValue('10', { timeout: 1_000 })
  }).toPass()
  await expect(days).toHaveText(/on (9|10) days/, { timeout: 150_000 })
  await expect(main).toContainText('Nothing is saved yet')
  await expect.poll(() => mainButtons(page)).toEqual(['Save schedule'])
  await expect(main.getByText('Unsaved changes')).toBeInViewport()
  await slider.fill('90')
  await page.getByRole('checkbox', { name: 'Fri' }).uncheck()
  await expect(days).toHaveText(/on (one day|2 days)/, { timeout: 150_000 })
  expect(await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).toMatchObject({ daily_limit: 30 })
  await main.getByRole('button', { name: 'Save schedule' }).click()
  await expect(page.getByText('Schedule saved.')).toBeVisible()
  await expect(main).not.toContainText('Nothing is saved yet')
  await expect.poll(() => mainButtons(page)).toEqual(['Review & launch'])

  await page.goto(`/campaigns/${campaign_id}/review`)
  await expect(main).toContainText('90 leads will be enrolled.')
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('A word about')
  await page.getByRole('checkbox', { name: 'Step 1 is reviewed' }).check()
  await expect(main).toContainText('1 of 1 step reviewed')
  await main.getByRole('button', { name: 'Launch to 90 leads' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Launch to 90 leads now?')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).toMatchObject({ status: 'draft' })

  await main.getByRole('button', { name: 'Launch to 90 leads' }).click()
  await dialog.getByRole('button', { name: 'Launch now' }).click()
  await expect(page).toHaveURL(new RegExp(`/campaigns/${campaign_id}$`))
  await expect
    .poll(async () => (await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).status, {
      timeout: 150_000,
    })
    .toBe('active')
})

test('before the launch the overview says what would leave, and what stands in the way', async ({ page }) => {
  const person = await aPerson()
  await signIn(page, person)
  const { dataset_id } = await aDataset(person, 3)
  const { campaign_id } = await aCampaign(person, { dataset_id, steps_config: [FIRST] })
  const panel = (title: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: title, level: 2 }) })
  await page.goto(`/campaigns/${campaign_id}`)
  await expect(panel('Checks')).toContainText('No connected mailbox can send for this campaign.')

  await connectSandbox({ ...person, name: 'Petra' }, new Date())
  await page.reload()
  await expect(panel('If launched now')).toContainText('Sends3')
  await expect(page.getByRole('main')).not.toContainText('Blocks the launch')

  const start_date = new Date(Date.now() + 3 * DAY_MS)
  await db.campaign.update({
    where: { campaign_id },
    data: { status: 'scheduled', launch_type: 'scheduled', start_date },
  })
  await page.reload()
  await expect(panel('Once it starts')).toContainText('Sends3')
})

test('what is saved of a schedule gives up no mailbox that was deleted, nor one of more than a hundred', async ({
  page,
}) => {
  const person = await aPerson()
  await signIn(page, person)
  const [gone, first] = [await aMailbox(person), await aMailbox(person)]
  for (let more = 0; more < 100; more += 1) await aMailbox(person)
  const alias_ids = [gone.mailbox_id, first.mailbox_id]
  const { campaign_id } = await aCampaign(person, { alias_ids })
  await db.mailbox.delete({ where: { mailbox_id: gone.mailbox_id } })
  const main = page.getByRole('main')
  await page.goto(`/campaigns/${campaign_id}/schedule`)
  await expect(main.getByRole('checkbox', { name: first.address })).toBeChecked()
  await expect(main.getByRole('checkbox', { name: 'A mailbox that is not listed' })).toBeChecked()
  await page.getByLabel('Daily limit (required)').fill('31')
  await main.getByRole('button', { name: 'Save schedule' }).click()
  await expect(page.getByText('Schedule saved.')).toBeVisible()
  const saved = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  expect(saved).toMatchObject({ daily_limit: 31, alias_ids: expect.arrayContaining(alias_ids) })
})
