import { afterEach, expect, test } from 'vitest'
import { Personalize } from '#lib/contracts/personalize/personalize'
import { type EventType, webhookPayload } from '#lib/contracts/telling/webhook-events'
import { CreateWebhook } from '#lib/contracts/telling/webhooks'
import { db, pool } from '#lib/db/client'
import { postOutbound } from '#lib/providers/outbound-http'
import { recordHit } from '#lib/services/campaigns/tracking'
import { updateCampaign } from '#lib/services/changes/update'
import { pauseCampaign, resumeCampaign } from '#lib/services/launch/lifecycle'
import { startRun } from '#lib/services/personalize/runs'
import { workRun } from '#lib/services/personalize/work'
import { dispatchDue } from '#lib/services/sending/run'
import { noteConnected } from '#lib/services/social/people'
import { deliverWebhooks } from '#lib/services/telling/deliver-webhook'
import { createWebhook } from '#lib/services/telling/webhooks'
import { fakeWriter, honest } from '#tests/support/doubles/fake-writer'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { memorySocial } from '#tests/support/doubles/memory-social'
import { aMailbox } from '#tests/support/scenes/factories'
import { refuseSignIn, takeSignIn } from '#tests/support/scenes/failing'
import { dispatchAt, FIRST, launched, MONDAY, minutes, SECOND } from '#tests/support/scenes/launched'
import { INVITE, launchedSocial, VISIT } from '#tests/support/scenes/launched-social'
import { receiver } from '#tests/support/servers/receiver'

// Set before any module reads the environment: the receivers stand on this machine.
process.env.ALLOW_PRIVATE_HOSTS = '1'

const DAY = 24 * 60
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const GMAIL = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  await db.webhookEvent.deleteMany()
  await db.webhook.deleteMany()
  await db.campaign.deleteMany()
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** A webhook receiver for these events: returns what it has got so far, parsed by the contract of each event. */
async function listener(owner: { workspace_id: string; user_id: string }, ...event_types: EventType[]) {
  const hook = await receiver()
  closing.push(hook.close)
  const now = new Date()
  const body = CreateWebhook.body.parse({ url: hook.url, event_types })
  await createWebhook(owner.workspace_id, body, now)
  return async () => {
    // Late enough for deliveries with a short delay, and early enough for the signature check.
    const at = new Date(Date.now() + 60_000)
    await deliverWebhooks({
      pool: pool(),
      post: (post) => postOutbound(post, { policy: { allow_private_hosts: true } }),
      clock: () => at,
      until: new Date(at.getTime() + 60_000),
      chance: () => 0.5,
    })
    return hook.received.map(({ body: text }) => {
      const event = JSON.parse(text)
      return webhookPayload(event.type).parse(event)
    })
  }
}

const dispatchSocial = (at: Date) =>
  dispatchDue({ mail: memoryMail().provider, social: memorySocial().drivers, clock: () => at })

const visit = { method: 'GET', user_agent: BROWSER, purpose: null }
const later = (seconds: number) => new Date(minutes(60).getTime() + seconds * 1_000)

/** A mail that was sent, and the ways to open it and to click in it. */
async function sentMail() {
  const made = await launched({ steps_config: [{ ...FIRST, track_opens: true, track_clicks: true }] }, 1)
  await dispatchAt(MONDAY)
  const { action_id } = await db.action.findFirstOrThrow({ where: { campaign_id: made.campaign_id } })
  const open = (at: Date, user_agent = BROWSER) =>
    recordHit({ action_id, kind: 'open', link: 0, url: null }, { ...visit, user_agent }, at)
  const click = (link: number, at: Date) =>
    recordHit({ action_id, kind: 'click', link, url: `https://example.com/${link}` }, visit, at)
  return { ...made, action_id, open, click }
}

test('lead.opened: the first time that a person opens a mail, and no machine’s', async () => {
  const { owner, open, action_id, campaign_id } = await sentMail()
  const heard = await listener(owner, 'lead.opened')
  await open(later(0), GMAIL)
  expect(await heard()).toEqual([])
  await open(later(1))
  await open(later(2))
  await Promise.all([open(later(3)), open(later(4))])
  expect(await heard()).toMatchObject([
    { type: 'lead.opened', timestamp: later(1).toISOString(), data: { action_id, campaign_id, step: 1 } },
  ])
})

test('lead.clicked: the first link that a person follows, and none of a burst', async () => {
  const { owner, click, action_id } = await sentMail()
  const heard = await listener(owner, 'lead.clicked')
  await click(1, later(0))
  await click(2, later(1))
  expect(await heard()).toEqual([])
  await click(3, later(100))
  await click(1, later(200))
  await click(3, later(300))
  expect(await heard()).toMatchObject([
    { type: 'lead.clicked', data: { action_id, url: 'https://example.com/3', lead_index: 0 } },
  ])
})

test('lead.held: a lead whose text nobody approved, once for each time that it is held', async () => {
  const { owner, campaign_id } = await launched({
    steps_config: [{ ...FIRST, ai_personalization_enabled: true }, SECOND],
    unreviewed_launch_policy: 'hold',
  })
  const heard = await listener(owner, 'lead.held')
  await dispatchAt(MONDAY)
  await dispatchAt(minutes(1))
  const first = await heard()
  expect(first.map(({ data }) => (data as { lead_index: number }).lead_index).toSorted()).toEqual([0, 1, 2])
  expect(first[0]?.data).toMatchObject({ campaign_id, step: 1, reason: expect.stringContaining('approved') })
  await pauseCampaign(owner.workspace_id, campaign_id, minutes(2))
  await resumeCampaign(owner.workspace_id, campaign_id, minutes(3))
  await dispatchAt(minutes(3))
  expect(await heard()).toHaveLength(6)
})

test('invitation.accepted: once, for the lead that was invited', async () => {
  const { owner, account_id, campaign_id } = await launchedSocial({ type: 'social', steps_config: [INVITE] })
  const heard = await listener(owner, 'invitation.accepted')
  await dispatchSocial(MONDAY)
  const { action_id } = await db.action.findFirstOrThrow({ where: { campaign_id } })
  const provider_id = 'id-ada'
  expect(await heard()).toEqual([])
  expect(await noteConnected(account_id, provider_id, minutes(30))).toBe(true)
  expect(await noteConnected(account_id, provider_id, minutes(31))).toBe(false)
  // If the network loses the connection for a while, the event is not sent again.
  await db.socialPerson.updateMany({ where: { account_id }, data: { relation: 'none' } })
  await noteConnected(account_id, provider_id, minutes(40))
  expect(await heard()).toMatchObject([
    {
      type: 'invitation.accepted',
      timestamp: minutes(30).toISOString(),
      data: { campaign_id, account_id, action_id, step: 1 },
    },
  ])
})

test('run.finished: how a personalization run ended', async () => {
  const { owner, dataset_id, campaign_id } = await launched()
  const heard = await listener(owner, 'run.finished')
  const { writer } = fakeWriter(honest)
  const { run_id } = await startRun(
    owner.workspace_id,
    Personalize.body.parse({ dataset_id, campaign_id }),
    MONDAY,
    writer,
  )
  await workRun(run_id, { writer, clock: () => MONDAY, until: minutes(600), concurrency: 4 })
  await workRun(run_id, { writer, clock: () => MONDAY, until: minutes(600), concurrency: 4 })
  expect(await heard()).toMatchObject([
    {
      type: 'run.finished',
      data: { run_id, dataset_id, campaign_id, status: 'completed', total: 3, generated_count: 3 },
    },
  ])
})

test('limit.reached: of a campaign once a window day, however often it is reached', async () => {
  const { owner, campaign_id } = await launched({ daily_limit: 2, timezone: 'UTC', steps_config: [FIRST] }, 5)
  const heard = await listener(owner, 'limit.reached')
  await dispatchAt(MONDAY)
  const [day, ...others] = await heard()
  expect(others).toEqual([])
  expect(day?.data).toMatchObject({
    of: 'campaign',
    campaign_id,
    name: expect.any(String),
    limit: 2,
    day: '2026-03-02',
    timezone: 'UTC',
  })
  await pauseCampaign(owner.workspace_id, campaign_id, minutes(1))
  await updateCampaign(owner.workspace_id, campaign_id, { daily_limit: 3 }, minutes(2))
  await resumeCampaign(owner.workspace_id, campaign_id, minutes(3))
  await dispatchAt(minutes(3))
  expect(await heard()).toHaveLength(1)
  await dispatchAt(minutes(DAY))
  await dispatchAt(minutes(2 * DAY))
  expect((await heard()).length).toBeLessThanOrEqual(2)
})

test('limit.reached: of a mailbox and of an account, by the owner’s dates', async () => {
  const { owner, mailbox } = await launched({ steps_config: [FIRST] }, 5)
  await db.mailbox.update({ where: { mailbox_id: mailbox.mailbox_id }, data: { daily_limit: 3 } })
  const heard = await listener(owner, 'limit.reached')
  await dispatchAt(MONDAY)
  await dispatchAt(minutes(5))
  expect(await heard()).toMatchObject([
    {
      data: {
        of: 'mailbox',
        mailbox_id: mailbox.mailbox_id,
        name: mailbox.address,
        limit: 3,
        day: '2026-03-02',
        action_type: null,
      },
    },
  ])
  const social = await launchedSocial({ type: 'social', steps_config: [VISIT] }, undefined, {
    limits: { visit_profile: { day: 1, week: null } },
  })
  const told = await listener(social.owner, 'limit.reached')
  await dispatchSocial(MONDAY)
  expect(await told()).toMatchObject([
    { data: { of: 'account', account_id: social.account_id, action_type: 'visit_profile', limit: 1 } },
  ])
})

test('a claim that reaches no limit tells of none, and without a webhook nothing is kept', async () => {
  const { owner } = await launched({ daily_limit: 2, steps_config: [FIRST] }, 2)
  await aMailbox(owner)
  await dispatchAt(MONDAY)
  expect(await db.webhookEvent.count()).toBe(0)
})

test('mailbox.failing: once for each outage, with its cause and the next try', async () => {
  const { owner, mailbox } = await launched()
  const heard = await listener(owner, 'mailbox.failing')
  const { mailbox_id, address } = mailbox
  for (const at of [0, 1, 2]) await refuseSignIn(owner.workspace_id, mailbox_id, minutes(at))
  const [first, ...others] = await heard()
  expect(others).toEqual([])
  expect(first).toMatchObject({
    type: 'mailbox.failing',
    data: { mailbox_id, address, cause: 'sign_in', error: expect.stringContaining('535') },
  })
  await takeSignIn(owner.workspace_id, mailbox_id, minutes(3))
  await refuseSignIn(owner.workspace_id, mailbox_id, minutes(4))
  expect(await heard()).toHaveLength(2)
})
