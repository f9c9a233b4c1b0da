import { expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { seal } from '#lib/db/seal'
import { updateTemplate } from '#lib/services/messages/templates'
import { aCampaign, aDataset, aMailbox, anAccount, aTemplate } from '#tests/support/scenes/factories'
import { aPerson, type Person, signIn } from '../support/people.ts'
import { atRest, test } from '../support/test.ts'

const SHOWN = { timeout: 60_000 }
let person: Person
let page: Page
let other: Page

test.beforeAll(async ({ browser, baseURL }) => {
  person = await aPerson()
  const open = async () => (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  page = await open()
  other = await open()
  await signIn(page, person)
  await signIn(other, person)
})
test.afterAll(async () => {
  await page.context().close()
  await other.context().close()
})

const main = (of = page) => of.getByRole('main')
const button = (name: string, of = page) => main(of).getByRole('button', { name, exact: true })
const question = (of = page) => of.getByRole('dialog')
const drafts = () =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('opener:draft:')).length)

/** Reloads and confirms the browser's warning. */
async function reload() {
  page.once('dialog', (dialog) => dialog.accept())
  await page.reload()
}

/** Typed text survives a reload, a link asks before leaving, and the draft is deleted once it is saved. */
async function isKept({ write, stands }: { write: () => Promise<void>; stands: () => Promise<void> }) {
  await write()
  await expect.poll(drafts).toBe(1)
  await reload()
  await expect(main()).toContainText('Restored your unsaved changes', SHOWN)
  await stands()
  const here = page.url()
  await page.getByRole('link', { name: 'Datasets' }).first().click()
  await expect(question()).toContainText('Leave with unsaved changes?')
  await question().getByRole('button', { name: 'Cancel' }).click()
  expect(page.url()).toBe(here)
  await stands()
}

test('two browsers on one sequence: nothing of either is lost, and each field is chosen', async () => {
  const { dataset_id } = await aDataset(person, 2)
  const steps_config = [{ subject: 'Hello', message_template: 'The first words.' }]
  const { campaign_id } = await aCampaign(person, { dataset_id, steps_config })
  const path = `/campaigns/${campaign_id}/sequence`
  await page.goto(path)
  await other.goto(path)
  await page.getByLabel('Message', { exact: true }).fill('A whole new text, an hour in the making.')
  await button('Save sequence').click()
  await expect(page.getByText('Sequence saved.')).toBeVisible(SHOWN)

  await other.getByLabel('Subject', { exact: true }).fill('Good morning')
  await button('Save sequence', other).click()
  await expect(question(other)).toContainText('Someone else saved changes', SHOWN)
  const stepOf = async () =>
    (await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).steps_config as Record<
      string,
      unknown
    >[]
  expect((await stepOf())[0]).toMatchObject({
    subject: 'Hello',
    message_template: 'A whole new text, an hour in the making.',
  })
  const subject = question(other).getByRole('group', { name: /^Step 1: subject/ })
  await expect(subject.getByRole('radio', { name: /^Mine/ })).toBeChecked()
  await expect(subject).toContainText('Good morning')
  const text = question(other).getByRole('group', { name: /^Step 1: text/ })
  await expect(text.getByRole('radio', { name: /^Theirs/ })).toBeChecked()
  await expect(text).toContainText('The first words.')
  await expect(text).toContainText('A whole new text, an hour in the making.')
  await question(other).getByRole('button', { name: 'Save these choices' }).click()
  await expect(other.getByText('Sequence saved.')).toBeVisible(SHOWN)
  expect((await stepOf())[0]).toMatchObject({
    subject: 'Good morning',
    message_template: 'A whole new text, an hour in the making.',
  })

  // A change in another part of the campaign causes no conflict.
  await page.goto(`/campaigns/${campaign_id}/schedule`)
  await other.reload()
  await page.getByLabel('Daily limit (required)').fill('77')
  await button('Save schedule').click()
  await expect(page.getByText('Schedule saved.')).toBeVisible(SHOWN)
  await other.getByLabel('Subject', { exact: true }).fill('Good evening')
  await button('Save sequence', other).click()
  await expect.poll(async () => (await stepOf())[0]?.subject, SHOWN).toBe('Good evening')
  await expect(question(other)).toHaveCount(0)
  expect(await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).toMatchObject({ daily_limit: 77 })
})

test('two browsers on one template: both are shown by field, and what is chosen is saved', async () => {
  const template = await aTemplate(person)
  await page.goto(`/templates/${template.template_id}`)
  await page.locator('[name=name]').fill('My name')
  await page.locator('[name=subject]').fill('My subject')
  await updateTemplate(person.workspace_id, template.template_id, {
    name: 'Their name',
    content: { body: 'Their body' },
    version: template.version,
  })
  await button('Save template').click()
  await expect(question()).toContainText('Choose which version', SHOWN)
  const field = (name: string) => question().getByRole('group', { name: new RegExp(`^${name}`) })
  await expect(field('Name')).toContainText('Changed by you and by someone else.')
  await expect(field('Subject').getByRole('radio', { name: /^Mine/ })).toBeChecked()
  await expect(field('Message').getByRole('radio', { name: /^Theirs/ })).toBeChecked()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize({ width: 1280, height: 720 })
  await field('Name')
    .getByRole('radio', { name: /^Theirs/ })
    .check()
  await question().getByRole('button', { name: 'Save these choices' }).click()
  await expect(page.getByText('Template saved.')).toBeVisible(SHOWN)
  const { template_id } = template
  expect(await db.template.findUniqueOrThrow({ where: { template_id } })).toMatchObject({
    name: 'Their name',
    content: { subject: 'My subject', body: 'Their body' },
    version: 3,
  })
  await expect(page.locator('[name=name]')).toHaveValue('Their name')
  await expect.poll(drafts).toBe(0)
})

test('a schedule that is not saved is kept, and asked about', async () => {
  const { campaign_id } = await aCampaign(person)
  await aMailbox(person)
  await page.goto(`/campaigns/${campaign_id}/schedule`)
  await isKept({
    write: async () => {
      await page.getByLabel('Daily limit (required)').fill('33')
      await page.getByRole('checkbox', { name: 'Fri' }).uncheck()
      await page.locator('[name=sending_window_start]').fill('10:15')
    },
    stands: async () => {
      await expect(page.getByLabel('Daily limit (required)')).toHaveValue('33')
      await expect(page.getByRole('checkbox', { name: 'Fri' })).not.toBeChecked()
      await expect(page.locator('[name=sending_window_start]')).toHaveValue('10:15')
    },
  })
  await main().getByRole('link', { name: 'Settings' }).click()
  await expect(question()).toContainText('Leave with unsaved changes?')
  await question().getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/settings$/)
  await page.goBack()
  await expect(page.getByLabel('Daily limit (required)')).toHaveValue('33')
  await button('Save schedule').click()
  await expect(page.getByText('Schedule saved.')).toBeVisible(SHOWN)
  await expect.poll(drafts).toBe(0)
  await main().getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL(/\/settings$/)
  expect(await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).toMatchObject({
    daily_limit: 33,
    send_days: ['mon', 'tue', 'wed', 'thu'],
    sending_window_start: '10:15:00',
  })
})

test('a new template that is not saved is kept, and asked about', async () => {
  await page.goto('/templates/new')
  await isKept({
    write: async () => {
      await page.locator('[name=name]').fill('Second try')
      await page.getByLabel('Message', { exact: true }).fill('Dear {{ first_name }}, half a')
    },
    stands: async () => {
      await expect(page.locator('[name=name]')).toHaveValue('Second try')
      await expect(page.getByLabel('Message', { exact: true })).toHaveValue('Dear {{ first_name }}, half a')
    },
  })
  await button('Create template').click()
  await expect(page).toHaveURL(/\/templates$/, SHOWN)
  await expect.poll(drafts).toBe(0)
  await page.goto('/templates/new')
  await expect(page.locator('[name=name]')).toHaveValue('')
})

test('a half-written answer is kept, and asked about', async () => {
  const { mailbox_id } = await aMailbox(person)
  const latest = { last_message_at: new Date(), last_direction: 'in', last_kind: 'reply', preview: 'Hi' }
  const who = {
    workspace_id: person.workspace_id,
    mailbox_id,
    counterpart_address: 'ada@example.test',
    subject: 'Hi',
  }
  const { thread_id } = await db.thread.create({ data: { ...who, ...latest } })
  await page.goto(`/inbox/${thread_id}`)
  await isKept({
    write: () => page.getByLabel(/^Answer /).fill('Dear Ada, the price is'),
    stands: () => expect(page.getByLabel(/^Answer /)).toHaveValue('Dear Ada, the price is'),
  })
  await button('Discard them').click()
  await expect(page.getByLabel(/^Answer /)).toHaveValue('')
  await expect.poll(drafts).toBe(0)

  const newLabel = async () => {
    await button('Labels').click()
    await page.getByRole('menuitem', { name: 'New label…' }).click()
  }
  await newLabel()
  await question().getByLabel('Name').fill('Priced')
  await expect.poll(drafts).toBe(1)
  await reload()
  await newLabel()
  await expect(question().getByLabel('Name')).toHaveValue('Priced')
  await question().getByRole('button', { name: 'Create and add' }).click()
  await expect.poll(drafts, SHOWN).toBe(0)
})

test('what is written to the assistant is kept', async () => {
  await page.goto('/assistant')
  await page.getByLabel('Message', { exact: true }).fill('Why does my')
  await expect.poll(drafts).toBe(1)
  await reload()
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue('Why does my')
  await page.getByLabel('Message', { exact: true }).fill('')
  await expect.poll(drafts).toBe(0)
})

test('a form that nobody touched keeps nothing and asks nothing; a password is never kept', async () => {
  const { campaign_id } = await aCampaign(person, { send_days: ['mon', 'sun'] })
  const { mailbox_id } = await aMailbox(person)
  const { account_id } = await anAccount(person)
  const { template_id } = await aTemplate(person)
  const profile = await db.senderProfile.create({
    data: {
      workspace_id: person.workspace_id,
      user_id: person.user_id,
      profile_name: 'P',
      sender_data: { data: { name: 'Ada', age: 36 } },
    },
  })
  const post = await db.socialPost.create({
    data: {
      workspace_id: person.workspace_id,
      user_id: person.user_id,
      text: 'Hello',
      connected_account_id: account_id,
    },
  })
  for (const path of [
    `/campaigns/${campaign_id}/schedule`,
    `/campaigns/${campaign_id}/settings`,
    '/campaigns/new',
    `/mailboxes/${mailbox_id}`,
    '/mailboxes/new?with=other',
    `/accounts/${account_id}`,
    `/templates/${template_id}`,
    `/sender-profiles/${profile.id}`,
    '/sender-profiles/new',
    `/posts/${post.id}`,
    '/posts/new',
    '/settings/account',
    '/settings/security',
    '/settings/notifications',
    '/personalize/playground',
  ]) {
    await page.goto(path)
    await page.waitForTimeout(400)
    const asked = await page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
    expect([path, asked, await drafts()]).toEqual([path, false, 0])
  }
  await page.goto('/mailboxes/new?with=other')
  await page.getByLabel('Address').fill('ada@example.org')
  await page.getByLabel('Password').first().fill('correct horse')
  await expect.poll(drafts).toBe(1)
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('correct horse')
})

test('a webhook and its fields are kept while its dialog is closed', async () => {
  const data = {
    workspace_id: person.workspace_id,
    url: 'https://hooks.example.com/',
    event_types: ['lead.sent'],
  }
  const { webhook_id } = await db.webhook.create({
    data: { ...data, secret: seal('whsec_cHJpdmF0ZQ=='), secret_hint: 'ZQ==' },
  })
  page.once('dialog', (dialog) => dialog.accept())
  await page.goto(`/webhooks/${webhook_id}`)
  await button('Edit').click()
  // The form reads its initial state once it is hydrated.
  await atRest(page)
  await question().getByLabel('Description').fill('Ours')
  await page.keyboard.press('Escape')
  await button('Edit').click()
  await expect(question().getByLabel('Description')).toHaveValue('Ours')
})

test('who signs out leaves nothing behind', async () => {
  await expect.poll(drafts).toBeGreaterThan(0)
  await page.goto('/home')
  await page
    .getByRole('button', { name: /: account$/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in/, SHOWN)
  expect(await drafts()).toBe(0)
})
