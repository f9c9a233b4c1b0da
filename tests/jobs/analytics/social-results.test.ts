import { afterEach, expect, test } from 'vitest'
import { ReadCampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import { ExportCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { db } from '#lib/db/client'
import { readInboxMessages } from '#lib/services/inbox/messages'
import { recordSocialMessage } from '#lib/services/inbox/social-messages'
import { readInboxThread } from '#lib/services/inbox/threads'
import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import { launchCampaign } from '#lib/services/launch/lifecycle'
import { dispatchDue } from '#lib/services/sending/run'
import { noteConnected } from '#lib/services/social/people'
import { issueToken } from '#lib/services/workspaces/tokens'
import { call } from '#tests/support/call'
import { knock } from '#tests/support/door'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { memorySocial } from '#tests/support/doubles/memory-social'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'
import { FIRST, MONDAY, minutes } from '#tests/support/scenes/launched'
import { anAccount } from '#tests/support/scenes/social'

afterEach(async () => {
  await db.campaign.deleteMany()
})

const OPEN = {
  sending_window_start: '00:00',
  sending_window_end: '00:00',
  send_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  min_interval_seconds: 0,
  daily_limit: 1_000,
}
const DAY = 24 * 60
const social = (action_type: string, more: object = {}) => ({ channel: 'social', action_type, ...more })
const INVITE = social('connection_request', { message_template: 'Hello {{ first_name }}' })
const MESSAGE = social('message', { message_template: 'A word, {{ first_name }}.' })
const row = (name: string, more: object = {}) => ({
  email: `${name}@example.com`,
  first_name: name,
  company: 'Acme',
  linkedin_url: `https://www.linkedin.com/in/${name}`,
  ...more,
})

async function launched(steps_config: object[], rows: Record<string, string | null>[]) {
  const owner = await aUser()
  await aMailbox(owner)
  const account = await anAccount(owner, { name: 'Ours' })
  await db.connectedAccount.update({
    where: { account_id: account.account_id },
    data: { kind: 'premium', min_interval_seconds: 0 },
  })
  const { dataset_id } = await aDataset(
    owner,
    rows.map((each) => ({ email: null, ...each })),
  )
  const { campaign_id } = await aCampaign(owner, { ...OPEN, dataset_id, steps_config })
  await launchCampaign(owner.workspace_id, campaign_id, null, MONDAY)
  await enrolLeads(campaign_id, MONDAY)
  await activateCampaign(campaign_id, MONDAY)
  const network = memorySocial()
  const dispatch = (at: Date) =>
    dispatchDue({ mail: memoryMail().provider, social: network.drivers, clock: () => at })
  return { owner, account, campaign_id, dispatch }
}

const analyticsOf = async (as: { workspace_id: string; user_id: string }, campaign_id: string) => {
  const { status, body } = await call(ReadCampaignAnalytics, { as, params: { campaign_id } })
  expect(status).toBe(200)
  return body
}

/** A message by the person in the chat, as the provider reports it. */
const says = (account: Awaited<ReturnType<typeof anAccount>>, name: string, at: Date) =>
  recordSocialMessage(
    account,
    {
      chat_id: `chat-id-${name}`,
      message_id: `said-${crypto.randomUUID()}`,
      provider_id: `id-${name}`,
      direction: 'in',
      sender_name: name,
      text: 'Gladly.',
      at,
    },
    at,
  )

const MIXED = [
  social('visit_profile'),
  FIRST,
  { ...INVITE, delay_days: 1 },
  { ...MESSAGE, delay_days: 1, condition: 'connected' },
]

test('social steps count in the funnel: performed, accepted, answered, and passed over with the reason', async () => {
  const { owner, account, campaign_id, dispatch } = await launched(MIXED, [
    row('ada'),
    row('bob'),
    row('cleo'),
    row('dan', { linkedin_url: null }),
  ])
  for (const at of [MONDAY, minutes(1), minutes(DAY + 2)]) await dispatch(at)
  for (const name of ['ada', 'bob']) await noteConnected(account.account_id, `id-${name}`, minutes(DAY + 10))
  await dispatch(minutes(2 * DAY + 3))
  await says(account, 'ada', minutes(2 * DAY + 20))

  const { leads, steps, ...funnel } = await analyticsOf(owner, campaign_id)
  expect(leads).toMatchObject({ total: 4, contacted: 4, invited: 3, accepted: 2, replied: 1 })
  expect(funnel.acceptance_rate).toMatchObject({ numerator: 2, denominator: 3, low: expect.any(Number) })
  expect(funnel.bounce_rate).toMatchObject({ numerator: 0, denominator: 4 })
  expect(steps).toMatchObject([
    {
      action_type: 'visit_profile',
      sent: 3,
      skipped: 1,
      skip_reasons: [{ reason: 'The row has no profile.', count: 1 }],
      bounce_rate: null,
      unsubscribe_rate: null,
      acceptance_rate: null,
      accepted: null,
    },
    { channel: 'email', sent: 4, bounce_rate: { denominator: 4 }, accepted: null, skip_reasons: [] },
    {
      action_type: 'connection_request',
      sent: 3,
      accepted: 2,
      acceptance_rate: { numerator: 2, denominator: 3, rate: 2 / 3 },
    },
    {
      action_type: 'message',
      sent: 2,
      skipped: 2,
      replied: 1,
      reply_rate: { numerator: 1, denominator: 2 },
      skip_reasons: [
        { reason: 'The condition “connected” was not met.', count: 1 },
        { reason: 'The row has no profile.', count: 1 },
      ],
    },
  ])
})

test('a reply in a chat answers the words that were said there, not the mail or the visit after them', async () => {
  const { owner, account, campaign_id, dispatch } = await launched(
    [INVITE, FIRST, social('visit_profile')],
    [row('ada')],
  )
  for (const at of [MONDAY, minutes(1), minutes(2)]) await dispatch(at)
  await says(account, 'ada', minutes(60))
  const { steps } = await analyticsOf(owner, campaign_id)
  expect(steps.map(({ sent, replied }) => [sent, replied])).toEqual([
    [1, 1],
    [1, 0],
    [1, 0],
  ])
})

test('the conversation of a chat shows what was done there, and the step that was answered last', async () => {
  const { owner, account, dispatch } = await launched([social('visit_profile'), INVITE, FIRST], [row('ada')])
  for (const at of [MONDAY, minutes(1)]) await dispatch(at)
  await says(account, 'ada', minutes(60))
  const { thread_id } = await db.thread.findFirstOrThrow({ where: { workspace_id: owner.workspace_id } })
  expect(await readInboxThread(owner.workspace_id, thread_id, new Date())).toMatchObject({ answers_step: 2 })
  const messages = await readInboxMessages(owner.workspace_id, thread_id, minutes(61))
  expect(messages.map(({ direction, action_type, text }) => [direction, action_type, text])).toEqual([
    ['out', 'visit_profile', ''],
    ['out', 'connection_request', 'Hello ada'],
    ['in', null, 'Gladly.'],
  ])
})

test('whoever was connected before did not accept, and variants are told apart', async () => {
  const variants = ['A', 'B'].map((label) => ({ label, weight: 1 }))
  const names = Array.from({ length: 12 }, (_, index) => `lead${index}`)
  const { owner, account, campaign_id, dispatch } = await launched(
    [{ ...INVITE, variants }],
    names.map((name) => row(name)),
  )
  await dispatch(MONDAY)
  const actions = await db.action.findMany({ where: { campaign_id }, include: { lead: true } })
  const ofA = actions.filter((action) => action.variant_label === 'A')
  expect(ofA.length).toBeGreaterThan(0)
  for (const { lead } of ofA)
    await noteConnected(account.account_id, `id-lead${lead.lead_index}`, minutes(DAY))
  const other = actions.find((action) => action.variant_label === 'B')
  await noteConnected(account.account_id, `id-lead${other?.lead.lead_index}`, minutes(-DAY))
  const [step] = (await analyticsOf(owner, campaign_id)).steps
  expect(step?.accepted).toBe(ofA.length)
  expect(step?.variants).toMatchObject([
    { label: 'A', accepted: ofA.length, acceptance_rate: { rate: 1 } },
    { label: 'B', accepted: 0, acceptance_rate: { numerator: 0, denominator: 12 - ofA.length } },
  ])
})

test('a campaign of mail alone has no invitations to count', async () => {
  const { owner, campaign_id, dispatch } = await launched([FIRST], [row('ada')])
  await dispatch(MONDAY)
  const { leads, acceptance_rate, steps } = await analyticsOf(owner, campaign_id)
  expect(leads).toMatchObject({ contacted: 1, invited: null, accepted: null })
  expect(acceptance_rate).toBeNull()
  expect(steps[0]).toMatchObject({ accepted: null, acceptance_rate: null })
})

test('the export says who they are on the network, and what became of each social step', async () => {
  const { owner, account, campaign_id, dispatch } = await launched(MIXED, [
    row('ada'),
    row('dan', { linkedin_url: null }),
  ])
  for (const at of [MONDAY, minutes(1), minutes(DAY + 2)]) await dispatch(at)
  await noteConnected(account.account_id, 'id-ada', minutes(DAY + 10))
  const authorization = `Bearer ${await issueToken(owner.user_id, new Date())}`
  const path = ExportCampaignLeads.path.replace('{campaign_id}', campaign_id)
  const file = await (await knock('GET', path, { headers: { authorization } })).text()
  const [header, ada, dan] = file.trimEnd().split('\r\n')
  expect(header).toContain(
    'reason,reason_detail,waits_why,waits_for,waits_until,social_profile,social_account,connected_at,step_1_at,step_1_result,step_2_at,step_3_at,step_3_result,step_4_at,step_4_result,',
  )
  expect(ada).toContain(
    'https://www.linkedin.com/in/ada,Ours,2026-03-03T10:10:00Z,2026-03-02T10:00:00Z,sent,2026-03-02T10:',
  )
  expect(dan).toContain(',,,,,skipped: The row has no profile.,')
})
