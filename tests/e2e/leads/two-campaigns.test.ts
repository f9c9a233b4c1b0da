import { expect, type Page } from '@playwright/test'
import { createClient } from '#lib/client/client'
import { db } from '#lib/db/client'
import { connectSandbox } from '#lib/services/senders/sandbox-mailbox'
import { issueToken } from '#lib/services/workspaces/tokens'
import { aDataset } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

// Two campaigns over one dataset: the second waits for the first, announces it beforehand, and continues when the first has ended.
test.describe.configure({ mode: 'serial' })

const PEOPLE = ['ada', 'bob', 'cleo']
const addressOf = (name: string) => `${name}@twice.example`
const ALWAYS = {
  sending_window_start: '00:00',
  sending_window_end: '00:00',
  send_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const,
  min_interval_seconds: 0,
}
/** The engine sends once it is woken. */
const SOON = { timeout: 150_000 }

let page: Page
let workspaceId: string
const campaigns = { spring: '', summer: '' }

test.beforeAll(async ({ browser, baseURL }) => {
  const person = await aPerson()
  workspaceId = person.workspace_id
  page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await signIn(page, person)
  await connectSandbox({ ...person, name: 'Petra' }, new Date())
  const { dataset_id } = await aDataset(
    person,
    PEOPLE.map((name) => ({ email: addressOf(name), first_name: name, company: 'Twice Ltd' })),
  )
  const client = createClient({
    base_url: baseURL ?? '',
    token: await issueToken(person.user_id, new Date()),
  })
  const create = async (
    name: string,
    texts: { subject?: string; message_template: string; delay_days?: number }[],
  ) => {
    const body = { ...ALWAYS, send_days: [...ALWAYS.send_days], name, dataset_id, steps_config: texts }
    return (await client.createCampaign({ body })).campaign_id
  }
  campaigns.spring = await create('Spring', [
    { subject: 'Spring, {{ first_name }}', message_template: 'The first word.' },
    { delay_days: 3, message_template: 'The last word of spring.' },
  ])
  campaigns.summer = await create('Summer', [
    { subject: 'Summer, {{ first_name }}', message_template: 'A word of summer.' },
  ])
  await client.launchCampaign({ params: { campaign_id: campaigns.spring }, body: {} })
  for (const name of PEOPLE) await expect.poll(() => mailsTo(name), SOON).toBe(1)
})
test.afterAll(async () => page.context().close())

const main = () => page.getByRole('main')
const mailsTo = (name: string) =>
  db.sandboxMessage.count({ where: { workspace_id: workspaceId, rcpt_to: addressOf(name) } })
const leadsOf = (campaign_id: string) => db.campaignLead.findMany({ where: { campaign_id } })

test('the checks before the second launch say how many will wait, and for which campaign', async () => {
  await page.goto(`/campaigns/${campaigns.summer}/review`)
  await expect(main()).toContainText('3 people are in “Spring” and will wait until they finish it.')
  await main().getByRole('checkbox', { name: 'Step 1 is reviewed' }).check()
  await main().getByRole('button', { name: 'Launch to 3 leads' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Launch now' }).click()
  await expect(page).toHaveURL(new RegExp(`/campaigns/${campaigns.summer}$`))
})

test('its leads say for whom they wait and until when, and nobody is written to', async () => {
  await expect
    .poll(async () => (await leadsOf(campaigns.summer)).map(({ reason }) => reason), SOON)
    .toEqual(PEOPLE.map(() => 'person_busy'))
  await page.goto(`/campaigns/${campaigns.summer}/leads`)
  const table = main().getByRole('table')
  for (const name of PEOPLE)
    await expect(table.getByRole('row').filter({ hasText: addressOf(name) })).toContainText(
      /Waits for “Spring”, not before \w/,
    )
  for (const name of PEOPLE) expect(await mailsTo(name)).toBe(1)
})

test('once the first has ended for them, they go on by themselves', async () => {
  // Simulates that days have passed.
  await db.campaignLead.updateMany({
    where: { campaign_id: campaigns.spring, status: 'active' },
    data: { next_action_at: new Date() },
  })
  await db.campaign.update({ where: { campaign_id: campaigns.spring }, data: { next_slot_at: new Date() } })
  // The engine does not poll: an action in the product wakes it for what is due.
  await page.goto('/inbox')
  await page.getByRole('button', { name: 'Check now' }).click()
  for (const name of PEOPLE) await expect.poll(() => mailsTo(name), SOON).toBe(3)
  expect((await leadsOf(campaigns.spring)).map(({ status }) => status)).toEqual(PEOPLE.map(() => 'completed'))
  await page.goto(`/campaigns/${campaigns.summer}/leads`)
  await expect(main().getByRole('table')).toContainText(addressOf('ada'))
  await expect(main().getByRole('table')).not.toContainText('Waits for “Spring”')
  const mails = await db.sandboxMessage.findMany({
    where: { workspace_id: workspaceId, rcpt_to: addressOf('ada') },
    orderBy: { uid: 'asc' },
  })
  const texts = mails.map(({ raw }) => Buffer.from(raw).toString())
  expect(texts.map((text) => /first word|last word of spring|word of summer/.exec(text)?.[0])).toEqual([
    'first word',
    'last word of spring',
    'word of summer',
  ])
})
