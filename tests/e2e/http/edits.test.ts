import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { launchCampaign, pauseCampaign } from '#lib/services/launch/lifecycle'
import { connectSandbox } from '#lib/services/senders/sandbox-mailbox'
import { aCampaign, aDataset, aTemplate } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test.describe.configure({ mode: 'serial' })

let page: Page
let person: Awaited<ReturnType<typeof aPerson>>
let campaignId: string
let templateId: string

/** Scheduled for a distant day, and paused: nothing is sent during the test. */
test.beforeAll(async ({ browser, baseURL }) => {
  person = await aPerson()
  await connectSandbox({ ...person, name: 'Petra' }, new Date())
  templateId = (await aTemplate(person, { subject: 'The old subject', body: 'The old words.' })).template_id
  const { dataset_id } = await aDataset(person, 2)
  const steps_config = [{ variants: [{ label: 'A', template_id: templateId }] }]
  campaignId = (await aCampaign(person, { name: 'Spring', dataset_id, steps_config })).campaign_id
  await launchCampaign(person.workspace_id, campaignId, new Date('2099-01-05T09:00:00Z'), new Date())
  await pauseCampaign(person.workspace_id, campaignId, new Date())
  page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, person)
})
test.afterAll(async () => page.context().close())

const main = () => page.getByRole('main')
const dialog = () => page.getByRole('dialog')
const heldWords = async () =>
  (await db.campaignText.findMany({ where: { campaign_id: campaignId } })).map(({ content }) => content)
const isSound = async () =>
  expect((await new AxeBuilder({ page }).include('main').analyze()).violations).toEqual([])

test('a saved template says which launched campaigns go on with the older text, and hands it over on request', async () => {
  await page.goto(`/templates/${templateId}`)
  await expect(main()).not.toContainText('older text')
  await page.getByLabel('Message', { exact: true }).fill('The new words.')
  await main().getByRole('button', { name: 'Save template' }).click()
  await expect(main()).toContainText('1 launched campaign still uses an older text')
  expect(await heldWords()).toEqual([{ subject: 'The old subject', body: 'The old words.' }])
  await isSound()

  await main()
    .getByRole('button', { name: /Update Spring/ })
    .click()
  await expect(dialog()).toContainText('Use the new text in Spring?')
  await expect(dialog().getByRole('deletion')).toContainText('The old words.')
  await expect(dialog().getByRole('insertion')).toContainText('The new words.')
  await dialog().getByRole('button', { name: 'Keep the older text' }).click()
  expect(await heldWords()).toEqual([{ subject: 'The old subject', body: 'The old words.' }])

  await main()
    .getByRole('button', { name: /Update Spring/ })
    .click()
  await dialog().getByRole('button', { name: 'Use the new text' }).click()
  await expect(page.getByText('The campaign now uses the new text.').last()).toBeVisible()
  await expect(main()).not.toContainText('older text')
  expect(await heldWords()).toEqual([{ subject: 'The old subject', body: 'The new words.' }])
})

test('a changed schedule is shown before it is saved, and the settings lead back', async () => {
  await page.goto(`/campaigns/${campaignId}/schedule`)
  await page.getByLabel('Daily limit (required)').fill('7')
  await main().getByRole('button', { name: 'Save schedule' }).click()
  await expect(dialog()).toContainText('Save these changes?')
  await expect(dialog().getByRole('deletion')).toHaveText('Before: 50')
  await expect(dialog()).toContainText('Forecast')
  await dialog().getByRole('button', { name: 'Keep editing' }).click()
  expect((await getCampaign(person.workspace_id, campaignId)).daily_limit).toBe(50)
  await main().getByRole('button', { name: 'Save schedule' }).click()
  await dialog().getByRole('button', { name: 'Save the changes' }).click()
  await expect(page.getByText('Schedule saved.').last()).toBeVisible()
  expect((await getCampaign(person.workspace_id, campaignId)).daily_limit).toBe(7)

  await page.goto(`/campaigns/${campaignId}/settings`)
  await expect(main()).toContainText('Edits since the launch')
  await main().getByText('Daily limit').first().click()
  await isSound()
  await main().getByRole('button', { name: 'Undo' }).first().click()
  await dialog().getByRole('button', { name: 'Undo the edit' }).click()
  await expect(page.getByText('Edit undone.').last()).toBeVisible()
  expect((await getCampaign(person.workspace_id, campaignId)).daily_limit).toBe(50)
  await expect(main()).toContainText('Undone')
})

test('a forecast that arrives while a change is asked about takes nothing away', async () => {
  // Of the server's answer everything after the first row of the result is held back, as on a slow connection.
  await page.addInitScript(() => {
    const { fetch } = window
    const held = Promise.withResolvers<void>()
    Object.assign(window, { letThrough: held.resolve, isHeld: false })
    window.fetch = async (...args) => {
      const response = await fetch(...args)
      const asked = new Headers(args[1]?.headers)
      if (!asked.has('next-action')) return response
      const text = await response.text()
      const { status, headers } = response
      const end = text.indexOf('\n', text.search(/^1:/m)) + 1
      const isForecast = text.includes('Still to send')
      const body = new ReadableStream({
        async start(stream) {
          const bytes = new TextEncoder()
          stream.enqueue(bytes.encode(text.slice(0, isForecast ? end : undefined)))
          if (isForecast) {
            Object.assign(window, { isHeld: true })
            await held.promise
            stream.enqueue(bytes.encode(text.slice(end)))
          }
          stream.close()
        },
      })
      return new Response(body, { status, headers })
    }
  })
  await page.goto(`/campaigns/${campaignId}/schedule`)
  await page.getByLabel('Daily limit (required)').fill('8')
  await main().getByRole('button', { name: 'Save schedule' }).click()
  await expect(dialog()).toContainText('Save these changes?')
  await page.waitForFunction(() => 'isHeld' in window && window.isHeld)
  await expect(main()).toHaveCount(1)
  await page.evaluate(() => 'letThrough' in window && (window.letThrough as () => void)())
  await expect(page.getByText('Based on the schedule on this page. Nothing is saved yet.')).toBeAttached()
  await expect(dialog()).toContainText('Save these changes?')
  await dialog().getByRole('button', { name: 'Keep editing' }).click()
  await expect(dialog()).toHaveCount(0)
  await expect(page.getByLabel('Daily limit (required)')).toHaveValue('8')
  await page.getByLabel('Daily limit (required)').fill('50')
})

test('a saved sequence can be undone from its receipt', async () => {
  await page.goto(`/campaigns/${campaignId}/sequence`)
  await page.getByLabel('Track clicks').check()
  await main().getByRole('button', { name: 'Save sequence' }).click()
  await dialog()
    .getByRole('button', { name: /^Save for/ })
    .click()
  await expect(page.getByText('Sequence saved.').last()).toBeVisible()
  await page.getByLabel('What just happened').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Edit undone.').last()).toBeVisible()
  expect((await getCampaign(person.workspace_id, campaignId)).steps_config[0]?.track_clicks).toBe(false)
  await expect(page.getByLabel('Track clicks')).not.toBeChecked()
})

test('on a phone the changes are as wide as it', async () => {
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(`/campaigns/${campaignId}/settings`)
  await page.getByText('Track clicks').first().click()
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
})
