import { expect, type Page } from '@playwright/test'
import { createClient } from '#lib/client/client'
import { db } from '#lib/db/client'
import { connectSandbox } from '#lib/services/senders/sandbox-mailbox'
import { issueToken } from '#lib/services/workspaces/tokens'
import { aDataset } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { atRest, test } from '../support/test.ts'

// The life of a campaign, played by its recipients: whatever they do travels by mail, as in reality.
test.describe.configure({ mode: 'serial' })

const PEOPLE = ['replies', 'away', 'bounces', 'unsubscribes', 'silent']
const addressOf = (name: string) => `${name}@life.example`
/** Mail comes back over SMTP and IMAP, and the engine reads it once it is woken. */
const SOON = { timeout: 150_000 }

let page: Page
let workspaceId: string
let campaignId: string

test.beforeAll(async ({ browser, baseURL }) => {
  const person = await aPerson()
  workspaceId = person.workspace_id
  page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await signIn(page, person)
  await connectSandbox({ ...person, name: 'Petra' }, new Date())
  const { dataset_id } = await aDataset(
    person,
    PEOPLE.map((name) => ({ email: addressOf(name), first_name: name, company: 'Life Ltd' })),
  )
  const client = createClient({
    base_url: baseURL ?? '',
    token: await issueToken(person.user_id, new Date()),
  })
  const campaign = await client.createCampaign({
    body: {
      name: 'Life',
      dataset_id,
      sending_window_start: '00:00',
      sending_window_end: '00:00',
      send_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      min_interval_seconds: 0,
      steps_config: [
        { subject: 'Hello {{ first_name }}', message_template: 'The first word.' },
        { delay_days: 2, message_template: 'The second word.' },
      ],
    },
  })
  campaignId = campaign.campaign_id
  await client.launchCampaign({ params: { campaign_id: campaignId }, body: {} })
  await expect.poll(() => mailsTo('silent'), SOON).toBe(1)
})
test.afterAll(async () => page.context().close())

const main = () => page.getByRole('main')
const mailsTo = (name: string) =>
  db.sandboxMessage.count({ where: { workspace_id: workspaceId, rcpt_to: addressOf(name) } })
const statusOf = async (name: string) =>
  (await db.campaignLead.findFirstOrThrow({ where: { campaign_id: campaignId, email: addressOf(name) } }))
    .status
const suppressed = (name: string) =>
  db.suppression.findFirst({ where: { workspace_id: workspaceId, value: addressOf(name) } })

/** Opens the latest mail that this recipient got. */
async function openMail(name: string) {
  await page.goto(`/sandbox/mail?search=${addressOf(name)}`)
  await main()
    .getByRole('link', { name: addressOf(name) })
    .first()
    .click()
  await expect(page).toHaveURL(/\/sandbox\/mail\/[0-9a-f-]{36}/)
}

async function answerAs(name: string, button: string, text?: string) {
  await openMail(name)
  if (text) await page.getByLabel('Reply text').fill(text)
  const taken = page.waitForResponse((response) => response.request().method() === 'POST')
  await main().getByRole('button', { name: button, exact: true }).click()
  // Navigating earlier would cancel the request.
  await taken
}

test('a reply ends its lead and stands in the inbox, with the step that it answers and what it stopped', async () => {
  await answerAs('replies', 'Reply', 'Yes, tell me more.')
  await expect.poll(() => statusOf('replies'), SOON).toBe('replied')
  await page.goto('/inbox')
  await main()
    .getByRole('link', { name: /Yes, tell me more/ })
    .click()
  await expect(main()).toContainText('Reply to step 1.')
  await expect(main()).toContainText('Stopped step 2.')
  await expect(main()).toContainText('The first word.')
})

test('the answer from the inbox arrives in the thread', async () => {
  await page.getByLabel(/^Answer /).fill('Gladly: when suits you?')
  await main().getByRole('button', { name: 'Send', exact: true }).click()
  await expect(main().getByRole('article').last()).toContainText('Gladly: when suits you?')
  await expect.poll(() => mailsTo('replies'), SOON).toBe(2)
  const [first, answer] = await db.sandboxMessage.findMany({
    where: { workspace_id: workspaceId, rcpt_to: addressOf('replies') },
    orderBy: { uid: 'asc' },
  })
  const raw = Buffer.from(answer?.raw ?? '')
    .toString()
    .replace(/\r\n[ \t]/g, ' ')
  expect(raw).toMatch(/^Subject: Re: Hello replies/m)
  expect(raw).toMatch(new RegExp(`^References: .*${first?.message_id}`, 'm'))
})

test('done is one key, and the conversation leaves the open ones', async () => {
  await page.getByRole('heading', { level: 1 }).click()
  await atRest(page)
  await page.keyboard.press('e')
  await expect(main().getByRole('button', { name: 'Reopen' })).toBeVisible()
  await page.goto('/inbox')
  await expect(main()).not.toContainText('Yes, tell me more.')
})

test('a bounce suppresses the address', async () => {
  await answerAs('bounces', 'Bounce: no such user')
  await expect.poll(() => statusOf('bounces'), SOON).toBe('bounced')
  expect(await suppressed('bounces')).not.toBeNull()
})

test('one click on unsubscribe suppresses the address', async () => {
  await openMail('unsubscribes')
  await main().getByRole('button', { name: 'Unsubscribe in one click' }).click()
  await expect.poll(() => statusOf('unsubscribes'), SOON).toBe('unsubscribed')
  expect(await suppressed('unsubscribes')).not.toBeNull()
})

test('somebody who is away gets the next step once they are back, and of the others only who stayed silent', async () => {
  await answerAs('away', 'Out of office')
  await page.goto('/inbox')
  await expect(async () => {
    await page.reload()
    await expect(main()).toContainText('Out of office')
  }).toPass(SOON)
  expect(await statusOf('away')).toBe('active')
  const away = { workspace_id: workspaceId, email: addressOf('away') }
  expect(await db.absence.count({ where: { ...away, until: { gt: new Date() } } })).toBe(1)
  // Simulates that days have passed.
  await db.absence.updateMany({ where: away, data: { until: new Date() } })
  await db.campaignLead.updateMany({
    where: { campaign_id: campaignId, status: 'active' },
    data: { next_action_at: new Date() },
  })
  await db.campaign.update({ where: { campaign_id: campaignId }, data: { next_slot_at: new Date() } })
  // The engine does not poll: an action in the product wakes it for what is due.
  await page.getByRole('button', { name: 'Check now' }).click()
  await expect.poll(() => mailsTo('away'), SOON).toBe(2)
  await expect.poll(() => mailsTo('silent'), SOON).toBe(2)
  // The lead who replied got the answer from the inbox, and no second step.
  for (const [name, count] of [
    ['replies', 2],
    ['bounces', 1],
    ['unsubscribes', 1],
  ] as const)
    expect(await mailsTo(name)).toBe(count)
})
