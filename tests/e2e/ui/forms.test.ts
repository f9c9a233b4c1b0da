import { expect, type Page, type Route } from '@playwright/test'
import { CreateForm, UpdateForm } from '#lib/contracts/leads/forms'
import { db } from '#lib/db/client'
import { launchCampaign, pauseCampaign } from '#lib/services/launch/lifecycle'
import { createForm, updateForm } from '#lib/services/leads/forms/forms'
import { connectSandbox } from '#lib/services/senders/sandbox-mailbox'
import { aCampaign, aDataset, aMailbox } from '#tests/support/scenes/factories'
import { FIRST } from '#tests/support/scenes/launched'
import { aPerson, type Person, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const SHOWN = { timeout: 60_000 }
let person: Person
let page: Page

test.beforeAll(async ({ browser, baseURL }) => {
  person = await aPerson()
  page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await signIn(page, person)
})
test.afterAll(async () => page.context().close())

const main = () => page.getByRole('main')
const button = (name: string) => main().getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const alert = () => main().getByRole('alert')

/** Intercepts the requests of the page's forms with `act`; returns a function that ends the interception. */
async function onSent(act: (route: Route) => Promise<void>) {
  const handle = (route: Route) => (route.request().method() === 'POST' ? act(route) : route.fallback())
  await page.route('**/*', handle)
  return () => page.unroute('**/*', handle)
}

test('without a connection a form keeps what was typed, and says that nothing came back', async () => {
  await page.goto('/settings/contact-policy')
  const days = page.getByLabel('Days of rest')
  await days.fill('9')
  const letThrough = await onSent((route) => route.abort())
  await button('Save').first().click()
  await expect(alert()).toContainText('The server could not be reached. Your input is kept.', SHOWN)
  await expect(days).toHaveValue('9')
  await letThrough()
  await button('Save').first().click()
  await expect(page.getByText('Contact policy saved.')).toBeVisible(SHOWN)
  await expect(alert()).toHaveCount(0)
  const { workspace_id } = person
  expect(await db.workspace.findUniqueOrThrow({ where: { workspace_id } })).toMatchObject({ rest_days: 9 })
})

test('what is asked without a connection leaves the page as it is, and is answered once there is one', async () => {
  await page.goto('/email-finder')
  const domain = page.getByLabel('Domain (required)')
  await page.getByLabel('First name (required)').fill('Ada')
  await page.getByLabel('Last name (required)').fill('Lovelace')
  await domain.fill('northwind.example')
  const letThrough = await onSent((route) => route.abort())
  const LOST = 'The server could not be reached. Your input is kept.'
  await button('Find').click()
  await expect(main()).toContainText(LOST, SHOWN)
  await expect(domain).toHaveValue('northwind.example')

  await page.goto('/mailboxes/import')
  const file = { name: 'mailboxes.csv', mimeType: 'text/csv', buffer: Buffer.from('address\nnobody') }
  await page.locator('input[type=file]').setInputFiles(file)
  await button('Connect mailboxes').click()
  await expect(main()).toContainText(LOST, SHOWN)
  await letThrough()
  await button('Connect mailboxes').click()
  await expect(main()).toContainText('1 not connected', SHOWN)
  await expect(main()).not.toContainText(LOST)
})

test('a form whose settings somebody else saved meanwhile keeps what was typed, and shows the rest as it is now', async () => {
  const { workspace_id } = person
  await page.goto('/settings/contact-policy')
  const days = page.getByLabel('Days of rest')
  await days.fill('11')
  await db.workspace.update({
    where: { workspace_id },
    data: { colleague_reply_days: 5, version: { increment: 1 } },
  })
  await button('Save').first().click()
  await expect(alert()).toContainText('Someone else saved changes in the meantime.', SHOWN)
  await expect(days).toHaveValue('11')
  await expect(page.getByLabel('Days after a colleague’s reply')).toHaveValue('5')
  await button('Save').first().click()
  await expect(page.getByText('Contact policy saved.')).toBeVisible(SHOWN)
  expect(await db.workspace.findUniqueOrThrow({ where: { workspace_id } })).toMatchObject({
    rest_days: 11,
    colleague_reply_days: 5,
  })
})

test('what is typed while the changes of a launched campaign are looked up is not taken for saved', async () => {
  await connectSandbox({ ...person, name: 'Petra' }, new Date())
  const { dataset_id } = await aDataset(person, 2)
  const { campaign_id } = await aCampaign(person, { dataset_id, steps_config: [FIRST] })
  await launchCampaign(person.workspace_id, campaign_id, new Date('2099-01-05T09:00:00Z'), new Date())
  await pauseCampaign(person.workspace_id, campaign_id, new Date())
  await page.goto(`/campaigns/${campaign_id}/settings`)
  const notes = page.getByLabel('Notes')
  await notes.fill('First words')
  const gate = Promise.withResolvers<void>()
  let asked = 0
  const letThrough = await onSent(async (route) => {
    asked += 1
    await gate.promise
    await route.fallback()
  })
  await button('Save settings').click()
  await expect.poll(() => asked).toBe(1)
  await expect(main().locator('button[type=submit][aria-busy=true]')).toHaveCount(1)
  await notes.fill('First words, and more')
  await page.getByLabel('Name (required)').press('Enter')
  gate.resolve()
  await expect(dialog()).toContainText('Save these changes?', SHOWN)
  expect(asked).toBe(1)
  await letThrough()
  await dialog().getByRole('button', { name: 'Save the changes' }).click()
  await expect(page.getByText('Settings saved.')).toBeVisible(SHOWN)
  expect(await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).toMatchObject({
    description: 'First words',
  })
  await expect(notes).toHaveValue('First words, and more')
  await expect(main().getByText('Unsaved changes')).toBeVisible()
  await notes.fill('First words')
  await expect(main().getByText('Unsaved changes')).toBeHidden()
})

test('an edited form writes over no field that a colleague changed meanwhile', async () => {
  const { mailbox_id } = await aMailbox(person)
  const { dataset_id } = await aDataset(person, 1)
  const body = CreateForm.body.parse({
    name: 'Newsletter',
    fields: [{ name: 'email', column: 'email', required: true }],
    consent_text: 'Send me news.',
    mail_subject: 'Please confirm',
    mail_text: 'One step is missing.',
    allowed_origins: ['https://northwind.example'],
    mailbox_id,
  })
  const { form_id } = await createForm(person, dataset_id, body)
  await page.goto(`/datasets/${dataset_id}/forms`)
  await button('Edit').click()
  await dialog().getByLabel('Name').fill('News')
  const theirs = UpdateForm.body.parse({ keep_days: 3, allowed_origins: ['https://fabrikam.example'] })
  await updateForm(person, { dataset_id, form_id }, theirs)
  await dialog().getByRole('button', { name: 'Save' }).click()
  const question = page.getByRole('dialog').filter({ hasText: 'Choose which version' })
  await expect(question.getByRole('group', { name: /^Days to confirm/ })).toBeVisible(SHOWN)
  await expect(question.getByRole('group', { name: /^Sites/ })).toContainText('https://fabrikam.example')
  await question.getByRole('button', { name: 'Save these choices' }).click()
  await expect(page.getByText('Form saved.')).toBeVisible(SHOWN)
  expect(await db.form.findUniqueOrThrow({ where: { form_id } })).toMatchObject({
    name: 'News',
    keep_days: 3,
    allowed_origins: ['https://fabrikam.example'],
  })
})
