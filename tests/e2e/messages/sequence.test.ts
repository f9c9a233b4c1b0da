import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { createClient } from '#lib/client/client'
import { db } from '#lib/db/client'
import { connectSandbox } from '#lib/services/senders/sandbox-mailbox'
import { issueToken } from '#lib/services/workspaces/tokens'
import { aCampaign, aDataset, anAccount, anEnrolledLead, aTemplate } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test.describe.configure({ mode: 'serial' })

let page: Page
let workspaceId: string
let userId: string
let draftId: string
let readSteps: (id: string) => Promise<Record<string, unknown>[]>
let readVariants: (id: string) => Promise<string[]>

test.beforeAll(async ({ browser, baseURL }) => {
  const person = await aPerson()
  workspaceId = person.workspace_id
  userId = person.user_id
  await connectSandbox({ ...person, name: 'Petra' }, new Date())
  await anAccount(person, { name: 'Petra on the network' })
  await aTemplate(person)
  await aTemplate(person)
  const { dataset_id } = await aDataset(
    person,
    ['Ada', 'Björn', 'Cleo'].map((first_name, index) => ({
      email: `${index}@sequence.example`,
      first_name,
      company: index === 1 ? '' : 'Sequence Ltd',
      linkedin_url: `https://www.linkedin.com/in/sequence-${index}`,
    })),
  )
  draftId = (await aCampaign(person, { dataset_id })).campaign_id
  const client = createClient({ base_url: baseURL ?? '', token: await issueToken(userId, new Date()) })
  readSteps = async (campaign_id) => {
    const { steps_config } = await client.readCampaign({ params: { campaign_id } })
    return steps_config.map(({ action_type, delay_days, condition, subject, message_template }) => ({
      ...{ action_type, delay_days, condition },
      ...(subject ? { subject } : {}),
      ...(message_template ? { message_template } : {}),
    }))
  }
  readVariants = async (campaign_id) => {
    const { steps_config } = await client.readCampaign({ params: { campaign_id } })
    return steps_config.flatMap(({ variants }) =>
      variants.map((one) => `${one.label} ${one.weight}: ${one.subject}, ${one.message_template}`),
    )
  }
  page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, person)
})
test.afterAll(async () => page.context().close())

const main = () => page.getByRole('main')
const button = (name: string | RegExp) => main().getByRole('button', { name })
const flow = () => page.getByRole('region', { name: 'Steps' })
const preview = () => page.getByRole('region', { name: 'Preview' })

async function add(kind: string) {
  await button('Add a step').click()
  await page.getByRole('menuitem', { name: new RegExp(`^${kind}`) }).click()
}

test('mail, visit, invitation and message are put together by hand, and fields are offered as they are typed', async () => {
  await page.goto(`/campaigns/${draftId}/sequence`)
  await page.getByLabel('Subject').fill('Hello from Petra')
  const message = page.getByLabel('Message', { exact: true })
  await message.fill('')
  await message.pressSequentially('About {{comp')
  await expect(page.getByRole('option', { name: 'company' })).toBeVisible()
  await message.press('Enter')
  await expect(message).toHaveValue('About {{ company }}')
  await expect(page.getByRole('listbox')).toBeHidden()

  await add('Profile visit')
  await add('Invitation')
  const note = page.getByLabel('Note', { exact: true })
  await note.fill('x'.repeat(301))
  await expect(main()).toContainText('301 characters; the limit is 300.')
  await note.fill('Hello {{ first_name }}, shall we connect?')
  await add('Message')
  await page.getByLabel('Message', { exact: true }).fill('Thank you, {{ first_name }}.')
  await page.getByLabel('Days after the previous step').fill('4')
  await page.getByLabel('Condition').selectOption('connected')
  await expect(flow().getByRole('listitem')).toHaveCount(4)
})

test('steps are moved and removed by the keyboard, and a removed one comes back', async () => {
  await flow()
    .getByRole('button', { name: /^2\. Profile visit/ })
    .press('Alt+ArrowDown')
  const visit = flow().getByRole('button', { name: /^3\. Profile visit/ })
  await expect(visit).toBeFocused()
  await visit.press('Alt+ArrowUp')
  await expect(flow().getByRole('button', { name: /^2\. Profile visit/ })).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(flow().getByRole('listitem')).toHaveCount(3)
  await button('Undo').click()
  await expect(flow().getByRole('listitem')).toHaveCount(4)
  await expect(flow().getByRole('button', { name: /^2\. Profile visit/ })).toBeVisible()
})

test('what cannot go with a step is not offered, and says why', async () => {
  await flow()
    .getByRole('button', { name: /^3\. Invitation/ })
    .click()
  const conditions = page.getByLabel('Condition')
  await expect(conditions.locator('option[value=connected]')).toBeDisabled()
  await page.getByText(/^Why \d+ cannot be chosen$/).click()
  await expect(main()).toContainText('only for people not connected yet')
})

test('the preview leafs through real leads, warns of a missing value and shows the exact bytes', async () => {
  await flow()
    .getByRole('button', { name: /^1\. Email/ })
    .click()
  await expect(preview()).toContainText('About Sequence Ltd')
  await preview().getByText('Bytes', { exact: true }).click()
  await expect(page.getByRole('region', { name: 'Exact bytes of the email' })).toContainText('Message-ID: <')
  await preview().getByText('Plain', { exact: true }).click()
  await preview().getByRole('button', { name: 'Next lead' }).click()
  await expect(preview()).toContainText('No value and no fallback for company')
  await page.getByLabel('if empty, company becomes').fill('your team')
  await expect(preview()).toContainText('About your team')
  await flow()
    .getByRole('button', { name: /^3\. Invitation/ })
    .click()
  await expect(preview()).toContainText('Petra on the network invites them to connect, with a note.')
})

test('unsaved changes outlive a reload, Ctrl+S saves them, and the API has them', async () => {
  await expect(main()).toContainText('Unsaved changes')
  await expect
    .poll(() =>
      page.evaluate(
        (id) =>
          localStorage.getItem(
            Object.keys(localStorage).find((key) => key.endsWith(`:sequence:${id}`)) ?? '',
          ),
        draftId,
      ),
    )
    .toContain('your team')
  page.once('dialog', (dialog) => dialog.accept())
  await page.reload()
  await expect(main()).toContainText('Restored your unsaved changes')
  await main().getByRole('button', { name: 'Make it mixed' }).click()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Sequence saved.')).toBeVisible()
  expect(await readSteps(draftId)).toEqual([
    {
      action_type: 'email',
      delay_days: 0,
      condition: 'always',
      subject: 'Hello from Petra',
      message_template: 'About {{ company | default: "your team" }}',
    },
    { action_type: 'visit_profile', delay_days: 1, condition: 'always' },
    {
      action_type: 'connection_request',
      delay_days: 1,
      condition: 'always',
      message_template: 'Hello {{ first_name }}, shall we connect?',
    },
    {
      action_type: 'message',
      delay_days: 4,
      condition: 'connected',
      message_template: 'Thank you, {{ first_name }}.',
    },
  ])
})

test('a second version is written beside the first, each behind its tab, and the preview follows the tab', async () => {
  await flow()
    .getByRole('button', { name: /^1\. Email/ })
    .click()
  await button('Add a variant').click()
  const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name} `) })
  const message = page.getByLabel('Message', { exact: true })
  await expect(tab('B')).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('tabpanel', { name: /^B / })).toBeFocused()
  await expect(message).toHaveValue('About {{ company | default: "your team" }}')
  await message.fill('Is {{ first_name }} there?')
  await page.getByLabel('Subject').fill('Another hello')
  await expect(preview()).toContainText('Another hello')
  await expect(preview()).toContainText('variant B')
  await tab('B').press('ArrowLeft')
  await expect(tab('A')).toBeFocused()
  await expect(message).toHaveValue('About {{ company | default: "your team" }}')
  await expect(preview()).toContainText('Hello from Petra')
  await page.keyboard.press('End')
  await expect(message).toHaveValue('Is {{ first_name }} there?')
})

test('a template can be made of what is written, and stand in the place of a text', async () => {
  await button('Save as template').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Name')).toHaveValue('Another hello')
  await dialog.getByLabel('Name').fill('Is somebody there')
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await expect(page.getByText('“Is somebody there” is saved as a template.')).toBeVisible()
  const text = page.getByRole('combobox', { name: 'Text', exact: true })
  await text.selectOption({ label: 'Is somebody there' })
  const words = page.getByRole('region', { name: 'Text of Is somebody there' })
  await expect(words).toContainText('Is {{ first_name }} there?')
  await words.getByRole('button', { name: 'Copy here to edit' }).click()
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue('Is {{ first_name }} there?')
  await expect(text).toHaveValue('')
})

test('shares that do not make a hundred are refused at their field, one click evens them, and the API has both texts', async () => {
  const shares = page.getByRole('group', { name: 'Share of leads' }).getByRole('spinbutton')
  await expect(shares.nth(1)).toHaveValue('50')
  await shares.nth(1).fill('20')
  await flow()
    .getByRole('button', { name: /^2\. Profile visit/ })
    .click()
  await button('Save sequence').click()
  await expect(main()).toContainText('The weights add up to 70 %, not 100 %.')
  await expect(shares.nth(0)).toBeFocused()
  await button('Split evenly').click()
  await expect(shares.nth(1)).toHaveValue('50')
  await button('Save sequence').click()
  await expect(main().getByText('Saved', { exact: true })).toBeVisible()
  expect(await readVariants(draftId)).toEqual([
    'A 50: Hello from Petra, About {{ company | default: "your team" }}',
    'B 50: Another hello, Is {{ first_name }} there?',
  ])
})

test('a variant that cannot be saved is gone to, and the last one that is left is the step’s text again', async () => {
  await flow()
    .getByRole('button', { name: /^3\. Invitation/ })
    .click()
  await button('Add a variant').click()
  const note = page.getByLabel('Note', { exact: true })
  await note.fill('x'.repeat(301))
  await page.getByRole('tab', { name: /^A / }).click()
  await expect(page.getByRole('tab', { name: /^B / })).toContainText('50 %')
  await expect(page.getByRole('tab', { name: /Cannot be saved yet/ })).toBeVisible()
  await button('Save sequence').click()
  await expect(note).toBeFocused()
  await expect(note).toHaveValue('x'.repeat(301))
  await button('Remove variant B').click()
  await expect(page.getByRole('tablist', { name: 'Variants' })).toBeHidden()
  // The focus is on the message that is left, and not at the top of the page.
  await expect(page.locator('[data-pane] div:focus')).toHaveCount(1)
  await expect(note).toHaveValue('Hello {{ first_name }}, shall we connect?')
  await expect(main().getByText('Saved', { exact: true })).toBeVisible()
})

test('leaving with unsaved changes is asked about', async () => {
  await flow()
    .getByRole('button', { name: /^1\. Email/ })
    .click()
  await page.getByLabel('Track clicks').check()
  await main().getByRole('link', { name: 'Schedule' }).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText('Leave with unsaved changes?')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/sequence$/)
  await button('Discard').click()
  await expect(main().getByText('Saved', { exact: true })).toBeVisible()
  await main().getByRole('link', { name: 'Schedule' }).click()
  await expect(page).toHaveURL(/\/schedule$/)
})

test('an edit of a launched campaign shows what changes for how many leads before it is saved', async () => {
  const person = { workspace_id: workspaceId, user_id: userId }
  const steps_config = [
    { subject: 'One', message_template: 'The first word.' },
    { delay_days: 2, message_template: 'The second word.' },
  ]
  const { campaign_id } = await aCampaign(person, { steps_config })
  const lead = await anEnrolledLead(person, { campaign_id })
  await anEnrolledLead(person, { campaign_id, lead_index: 1 })
  await db.action.create({
    data: {
      workspace_id: workspaceId,
      campaign_id,
      campaign_lead_id: lead.campaign_lead_id,
      step: 1,
      channel: 'email',
      action_type: 'email',
      status: 'sent',
      performed_at: new Date(),
    },
  })
  await db.campaign.update({ where: { campaign_id }, data: { launched_at: new Date() } })
  await page.goto(`/campaigns/${campaign_id}/sequence`)
  await expect(main()).toContainText('Pause the campaign to change its steps')
  await expect(button('Save sequence')).toBeHidden()

  await button('Pause and edit').click()
  await expect(main()).toContainText('Leads have reached step 1')
  await expect(flow().getByRole('button', { name: 'Copy, move or remove step 1' })).toBeHidden()
  await flow()
    .getByRole('button', { name: /^2\. Email/ })
    .click()
  await page.getByLabel('Message', { exact: true }).fill('Another second word.')
  await page.getByLabel('Days after the previous step').fill('5')
  await button('Save sequence').click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText('Save these changes for 2 leads?')
  await expect(question).toContainText('Another second word.')
  await expect(question.getByRole('deletion')).toHaveText([
    'Before: 2 days',
    'Before: The second word.',
    /^Before: 2 left to send, the last on /,
  ])
  expect((await readSteps(campaign_id))[1]).toMatchObject({ delay_days: 2 })
  await question.getByRole('button', { name: 'Save for 2 leads' }).click()
  await expect(page.getByText('Sequence saved.').last()).toBeVisible()
  expect((await readSteps(campaign_id))[1]).toMatchObject({
    delay_days: 5,
    message_template: 'Another second word.',
  })
})

test('on a phone three tabs stand for the columns, and nothing is wider than it', async () => {
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(`/campaigns/${draftId}/sequence`)
  for (const [tab, region] of [
    ['Steps', flow()],
    ['Edit', page.getByRole('region', { name: 'Step 1', exact: true })],
    ['Preview', preview()],
  ] as const) {
    await page.getByRole('group', { name: 'Editor section' }).getByText(tab, { exact: true }).click()
    await expect(region).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag22aa'])
      .analyze()
    expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([])
  }
})
