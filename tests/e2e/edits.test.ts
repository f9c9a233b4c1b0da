import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { launchCampaign, pauseCampaign } from '#lib/services/campaign-life'
import { connectSandbox } from '#lib/services/sandbox-mailbox'
import { aCampaign, aDataset, aTemplate } from '#tests/support/factories'
import { aPerson, signIn } from './support/people.ts'
import { test } from './support/test.ts'

test.describe.configure({ mode: 'serial' })

let page: Page
let person: Awaited<ReturnType<typeof aPerson>>
let campaignId: string
let templateId: string

/** Launched for a day far off, and paused: nothing of it leaves during the test. */
test.beforeAll(async ({ browser, baseURL }) => {
  person = await aPerson()
  await connectSandbox({ ...person, name: 'Petra' }, new Date())
  templateId = (await aTemplate(person, { subject: 'The old subject', body: 'The old words.' })).template_id
  const { dataset_id } = await aDataset(person, 2)
  const steps_config = [{ variants: [{ label: 'A', template_id: templateId }] }]
  campaignId = (await aCampaign(person, { name: 'Spring', dataset_id, steps_config })).campaign_id
  await launchCampaign(person.user_id, campaignId, new Date('2099-01-05T09:00:00Z'), new Date())
  await pauseCampaign(person.user_id, campaignId)
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
  await expect(main()).toContainText('A launched campaign goes on with an older text')
  expect(await heldWords()).toEqual([{ subject: 'The old subject', body: 'The old words.' }])
  await isSound()

  await main()
    .getByRole('button', { name: /Take over in Spring/ })
    .click()
  await expect(dialog()).toContainText('Take the new text over in Spring?')
  await expect(dialog().getByRole('deletion')).toContainText('The old words.')
  await expect(dialog().getByRole('insertion')).toContainText('The new words.')
  await dialog().getByRole('button', { name: 'Keep the older text' }).click()
  expect(await heldWords()).toEqual([{ subject: 'The old subject', body: 'The old words.' }])

  await main()
    .getByRole('button', { name: /Take over in Spring/ })
    .click()
  await dialog().getByRole('button', { name: 'Take over' }).click()
  await expect(page.getByText('The campaign goes on with the new text.').last()).toBeVisible()
  await expect(main()).not.toContainText('older text')
  expect(await heldWords()).toEqual([{ subject: 'The old subject', body: 'The new words.' }])
})
