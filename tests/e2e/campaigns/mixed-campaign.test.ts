import { expect, type Page } from '@playwright/test'
import { createClient } from '#lib/client/client'
import { db } from '#lib/db/client'
import { connectSandbox } from '#lib/services/senders/sandbox-mailbox'
import { issueToken } from '#lib/services/workspaces/tokens'
import { aDataset } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

// Two people, reached by mail and on a network: one accepts and replies, the other does neither.
test.describe.configure({ mode: 'serial' })

const GRACE = { email: 'grace@mixed.example', name: 'Grace Hopper', handle: 'grace-hopper' }
const HENRY = { email: 'henry@mixed.example', name: 'Henry Ford', handle: 'henry-ford' }
/** Steps start as soon as the engine is woken for them. */
const SOON = { timeout: 150_000 }

const STEPS = [
  { channel: 'social' as const, action_type: 'visit_profile' as const },
  { subject: 'Hello {{ first_name }}', message_template: 'The first mail.' },
  {
    channel: 'social' as const,
    action_type: 'connection_request' as const,
    message_template: 'May we connect, {{ first_name }}?',
    delay_days: 1,
  },
  {
    channel: 'social' as const,
    action_type: 'message' as const,
    message_template: 'Thank you for connecting, {{ first_name }}.',
    condition: 'connected' as const,
    delay_days: 1,
  },
  { message_template: 'The second mail.', delay_days: 2 },
]

let page: Page
let workspaceId: string
let userId: string
let campaignId: string

test.beforeAll(async ({ browser, baseURL }) => {
  const person = await aPerson()
  workspaceId = person.workspace_id
  userId = person.user_id
  page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await signIn(page, person)
  await connectSandbox({ ...person, name: 'Petra' }, new Date())
})
test.afterAll(async () => page.context().close())

const main = () => page.getByRole('main')
const leadOf = ({ email }: { email: string }) =>
  db.campaignLead.findFirstOrThrow({ where: { campaign_id: campaignId, email } })
const statusOf = async (who: { email: string }) => (await leadOf(who)).status
const mailsTo = ({ email }: { email: string }) =>
  db.sandboxMessage.count({ where: { workspace_id: workspaceId, rcpt_to: email } })
/** How many actions of one type the account performed on the network. */
const done = (action_type: string) =>
  db.sandboxChatMessage.count({ where: { workspace_id: workspaceId, direction: 'out', action_type } })

/** Makes everything that waits for its day due now. Actions in flight are recorded first, as recording one sets a new date. */
async function daysPass() {
  const underway = { campaign_id: campaignId, status: 'sending' as const }
  await expect.poll(() => db.action.count({ where: underway }), SOON).toBe(0)
  const now = new Date()
  await db.campaignLead.updateMany({
    where: { campaign_id: campaignId, status: 'active', next_action_at: { not: null } },
    data: { next_action_at: now },
  })
  await db.campaign.update({ where: { campaign_id: campaignId }, data: { next_slot_at: now } })
  // The engine does not poll: an action in the product wakes it for what is due.
  await page.goto('/inbox')
  await page.getByRole('button', { name: 'Check now' }).click()
  await expect(page.getByRole('button', { name: 'Check now' })).toBeEnabled()
}

/** Acts as a person on the sandbox network. */
async function play(name: string, button: string) {
  await page.goto('/sandbox/network')
  await main().getByRole('listitem').filter({ hasText: name }).getByRole('button', { name: button }).click()
}

test('an account of the sandbox network is connected', async () => {
  await page.goto('/accounts')
  await main().getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page).toHaveURL(/\/sandbox-network\/sign-in/)
  await page.getByLabel('Name of the account').fill('Petra Person')
  await page.getByRole('button', { name: 'Allow access' }).click()
  await expect(page).toHaveURL(/\/accounts\?connected=1/)
  await expect(main()).toContainText('Petra Person')
})

test('a campaign of mails and social steps is launched, and both channels begin', async ({ baseURL }) => {
  const { account_id } = await db.connectedAccount.findFirstOrThrow({ where: { workspace_id: workspaceId } })
  const { dataset_id } = await aDataset(
    { workspace_id: workspaceId, user_id: userId },
    [GRACE, HENRY].map(({ email, name, handle }) => ({
      email,
      first_name: name.split(' ')[0] ?? '',
      linkedin_url: `https://www.linkedin.com/in/${handle}`,
    })),
  )
  const client = createClient({ base_url: baseURL ?? '', token: await issueToken(userId, new Date()) })
  await client.updateConnectedAccount({ params: { account_id }, body: { min_interval_seconds: 0 } })
  const campaign = await client.createCampaign({
    body: {
      name: 'Mixed',
      type: 'mixed',
      dataset_id,
      sending_window_start: '00:00',
      sending_window_end: '00:00',
      send_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      min_interval_seconds: 0,
      steps_config: STEPS,
    },
  })
  campaignId = campaign.campaign_id
  const preview = await client.previewStep({
    params: { campaign_id: campaignId },
    body: { step: 3, lead_index: 0 },
  })
  expect(preview).toMatchObject({
    channel: 'social',
    text: 'May we connect, Grace?',
    account: { account_id, name: 'Petra Person' },
  })

  await page.goto(`/campaigns/${campaignId}/review`)
  await main().getByRole('button', { name: 'Launch to 2 leads' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Launch now' }).click()
  await expect(page).toHaveURL(new RegExp(`/campaigns/${campaignId}$`))
  await expect.poll(() => done('visit_profile'), SOON).toBe(2)
  await expect.poll(() => mailsTo(GRACE), SOON).toBe(1)
  await expect.poll(() => mailsTo(HENRY), SOON).toBe(1)
})

test('both are invited; one accepts, the other does not', async () => {
  await daysPass()
  await expect.poll(() => done('connection_request'), SOON).toBe(2)
  await play(HENRY.name, 'Ignore')
  await play(GRACE.name, 'Accept')
  await expect(main().getByRole('listitem').filter({ hasText: GRACE.name }).first()).toContainText(
    'connected',
  )
})

test('who accepted gets the message, and for the other it is passed over with the reason', async () => {
  await daysPass()
  await expect.poll(() => done('message'), SOON).toBe(1)
  const henry = async () =>
    db.action.findFirst({
      where: { campaign_id: campaignId, step: 4, campaign_lead_id: (await leadOf(HENRY)).campaign_lead_id },
    })
  await expect.poll(async () => (await henry())?.status, SOON).toBe('skipped')
})

test('an answer in the chat ends the lead on all channels and stands in the inbox', async () => {
  expect(await statusOf(GRACE)).toBe('active')
  await play(GRACE.name, 'Write now')
  await expect.poll(() => statusOf(GRACE), SOON).toBe('replied')

  await page.goto('/inbox')
  await main()
    .getByRole('link', { name: new RegExp(GRACE.name) })
    .click()
  await expect(main()).toContainText('Thank you for connecting, Grace.')
  await expect(main()).toContainText('Stopped step 5.')

  const { campaign_lead_id } = await leadOf(GRACE)
  await page.goto(`/campaigns/${campaignId}/leads?lead=${campaign_lead_id}`)
  await expect(page.getByRole('dialog')).toContainText('Replied')
  await expect(page.getByRole('dialog')).not.toContainText('Planned')
})

test('only who stayed silent gets the last mail, and the results tell the channels apart', async () => {
  await daysPass()
  await expect.poll(() => mailsTo(HENRY), SOON).toBe(2)
  await expect.poll(() => statusOf(HENRY), SOON).toBe('completed')
  expect(await mailsTo(GRACE)).toBe(1)
  await page.goto(`/campaigns/${campaignId}/results`)
  await expect(main()).toContainText('1 of 2 invited')
  await expect(main()).toContainText('Step 3: invitations')
  await expect(main()).toContainText('2 performed · 1 accepted')
  await expect(main()).toContainText('The condition “connected” was not met.')
})
