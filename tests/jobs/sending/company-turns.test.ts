import { afterEach, describe, expect, test } from 'vitest'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import { db } from '#lib/db/client'
import { wholeForecast } from '#lib/services/forecast/forecasts'
import { call } from '#tests/support/call'
import { launchedOver } from '#tests/support/scenes/begun'
import { aCampaign, aDataset } from '#tests/support/scenes/factories'
import { dispatchAt, launched, MONDAY, minutes } from '#tests/support/scenes/launched'

const DAY = 24 * 60
const STEP = { subject: 'Hello', message_template: 'A word.' }
const AGAIN = { delay_days: 1, message_template: 'Again.' }

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

/** A workspace that may write to this many people of a company at once, and a function to launch campaigns over people of that company. */
async function workspaceOf(company_max_active: number) {
  const made = await launched({}, 1)
  await db.campaign.deleteMany()
  const { workspace_id } = made.owner
  await db.workspace.update({ where: { workspace_id }, data: { company_max_active } })
  const launch = async (people: string[], fields: object = {}) => {
    const rows = people.map((name) => ({ email: `${name}@acme.example` }))
    const { dataset_id } = await aDataset(made.owner, rows)
    return (await launchedOver(made, dataset_id, fields)).campaign_id
  }
  return { owner: made.owner, workspace_id, launch }
}

type Sent = { at: string; to: string }
const nameOf = (address: string) => address.split('@')[0] ?? ''

async function forecastOf(workspace_id: string, campaign_id: string, now = MONDAY): Promise<Sent[]> {
  const planned = await wholeForecast(workspace_id, campaign_id, now)
  const leads = await db.campaignLead.findMany({ where: { campaign_id } })
  const byIndex = new Map(leads.map((lead) => [lead.lead_index, nameOf(lead.email ?? '')]))
  return [...planned.at].map((at, index) => ({
    at: new Date(at).toISOString(),
    to: byIndex.get(planned.lead_index[index] ?? -1) ?? '',
  }))
}

/** Dispatches whenever there is something to do, until nothing is left. */
async function perform(from = MONDAY): Promise<Sent[]> {
  const sent: Sent[] = []
  for (let at = from; ; ) {
    const { outbox, next_slot_at } = await dispatchAt(at)
    sent.push(...outbox.map(({ to }) => ({ at: at.toISOString(), to: nameOf(to.address) })))
    if (next_slot_at === null) return sent
    if (next_slot_at <= at) throw new Error('due and not done')
    at = next_slot_at
  }
}

describe('the people of one company take turns as forecast', () => {
  test.each<[string, string[], object]>([
    ['in a campaign that is the only one', ['p1', 'p2', 'p3'], {}],
    ['whose one step is the end of it at once', ['p1', 'p2', 'p3'], { steps_config: [STEP] }],
    [
      'whose last step falls to nobody in the instant at which the others ask',
      ['p1', 'p2'],
      {
        steps_config: [
          { ...STEP, track_opens: true },
          { ...AGAIN, delay_days: 7, condition: 'opened' },
        ],
      },
    ],
    [
      'whose sequence lasts longer than the others’ patience',
      ['p1', 'p2', 'p3'],
      { steps_config: [STEP, { ...AGAIN, delay_days: 30 }] },
    ],
  ])('%s', async (_, people, fields) => {
    const { workspace_id, launch } = await workspaceOf(1)
    const campaign_id = await launch(people, fields)
    const promised = await forecastOf(workspace_id, campaign_id)
    expect([...new Set(promised.map(({ to }) => to))]).toEqual(people)
    expect(await perform()).toEqual(promised)
    // Each person who had to wait got one event for it.
    const put_off = await db.campaignEvent.count({ where: { campaign_id, kind: 'put_off' } })
    expect(put_off).toBe(people.length - 1)
  })

  test('nobody begins in the instant of a colleague’s end, and the next does a millisecond after it', async () => {
    const { launch } = await workspaceOf(1)
    await launch(['p1', 'p2'], { steps_config: [STEP] })
    expect(await perform()).toEqual([
      { at: minutes(0).toISOString(), to: 'p1' },
      { at: new Date(minutes(0).getTime() + 1).toISOString(), to: 'p2' },
    ])
  })
})

test('room falls to the first of all who wait when its instant has passed, also who came to wait in it', async () => {
  const { workspace_id, launch } = await workspaceOf(1)
  const unopened = { ...AGAIN, condition: 'opened' }
  await launch(['first'], { steps_config: [{ ...STEP, track_opens: true }, unopened] })
  const waiting = await launch(['p1', 'p2'], { steps_config: [STEP] })
  await dispatchAt(MONDAY)
  // One person is checked again, after their days of rest, at the instant when a place becomes free; the other waits for that place.
  await db.campaignLead.updateMany({
    where: { campaign_id: waiting, email: 'p1@acme.example' },
    data: { reason: 'resting', next_action_at: minutes(DAY), put_off_until: minutes(DAY) },
  })
  await db.campaign.update({ where: { campaign_id: waiting }, data: { next_slot_at: minutes(DAY) } })
  const promised = await forecastOf(workspace_id, waiting, minutes(1))
  expect(promised.map(({ to }) => to)).toEqual(['p1', 'p2'])
  expect(await perform(minutes(1))).toEqual(promised)
})

test('an end wakes no more colleagues than there is room for, whoever was woken before it and had no turn yet', async () => {
  const { launch } = await workspaceOf(1)
  await launch(['first'])
  const waiting = await launch(['p1', 'p2', 'p3'], {
    sending_window_start: '10:00',
    sending_window_end: '10:01',
    timezone: 'UTC',
  })
  await dispatchAt(MONDAY)
  const awake = async () => {
    const where = { campaign_id: waiting, status: 'active' as const, put_off_until: null }
    const leads = await db.campaignLead.findMany({ where, orderBy: { lead_index: 'asc' } })
    return leads.map((lead) => nameOf(lead.email ?? ''))
  }
  expect(await awake()).toEqual([])
  await dispatchAt(minutes(DAY))
  await dispatchAt(new Date(minutes(DAY).getTime() + 1))
  expect(await awake()).toEqual(['p1'])
  // It ends with its only step.
  const recall = await launch(['second'], { steps_config: [STEP], contact_policy_override: 'A recall' })
  await dispatchAt(minutes(DAY + 30))
  await dispatchAt(minutes(DAY + 31))
  expect(await db.campaign.findUnique({ where: { campaign_id: recall } })).toMatchObject({
    status: 'completed',
  })
  expect(await awake()).toEqual(['p1'])
})

test('whoever waits for colleagues of whose end nobody was told asks for it after a week', async () => {
  const { launch } = await workspaceOf(1)
  await launch(['p1', 'p2'])
  await dispatchAt(MONDAY)
  await db.campaignLead.updateMany({
    where: { email: 'p1@acme.example' },
    data: { status: 'failed', next_step: null, next_action_at: null, last_event_at: minutes(20) },
  })
  expect((await db.contactWake.deleteMany()).count).toBe(1)
  expect((await dispatchAt(minutes(6 * DAY))).outbox).toEqual([])
  await dispatchAt(minutes(7 * DAY))
  const { outbox } = await dispatchAt(minutes(7 * DAY + 1))
  expect(outbox.map(({ to }) => nameOf(to.address))).toEqual(['p2'])
})

test('an end that a clock ahead of this one wrote is over now, and nobody asks each millisecond until then', async () => {
  const { launch } = await workspaceOf(1)
  await launch(['p1', 'p2'])
  await dispatchAt(MONDAY)
  const later = new Date(minutes(20).getTime() + 2_000)
  await db.campaignLead.updateMany({
    where: { email: 'p1@acme.example' },
    data: { status: 'failed', next_step: null, next_action_at: null, last_event_at: later },
  })
  await dispatchAt(minutes(20))
  const { outbox } = await dispatchAt(new Date(minutes(20).getTime() + 1))
  expect(outbox.map(({ to }) => nameOf(to.address))).toEqual(['p2'])
})

test('whoever asks in the instant of an end that another worker, a little ahead, told of already has their turn after it', async () => {
  const { launch } = await workspaceOf(1)
  const ended = await launch(['p1'])
  await dispatchAt(MONDAY)
  const at = minutes(20)
  await db.campaignLead.updateMany({
    where: { campaign_id: ended },
    data: { status: 'failed', next_step: null, next_action_at: null, last_event_at: at },
  })
  await dispatchAt(new Date(at.getTime() + 5))
  expect(await db.contactWake.count()).toBe(0)
  await launch(['p2'])
  expect((await dispatchAt(at)).outbox).toEqual([])
  const { outbox } = await dispatchAt(new Date(at.getTime() + 1))
  expect(outbox.map(({ to }) => nameOf(to.address))).toEqual(['p2'])
})

test('the launch checks say how many will wait for colleagues', async () => {
  const { owner, launch } = await workspaceOf(2)
  await launch(['p1'])
  await dispatchAt(MONDAY)
  const known = await launch(['p2', 'p3', 'p4'])
  const { dataset_id } = await db.campaign.findUniqueOrThrow({ where: { campaign_id: known } })
  const { campaign_id } = await aCampaign(owner, { dataset_id })
  const { body } = await call(ReadLaunchChecks, { as: owner, params: { campaign_id } })
  expect(body.warns.find(({ code }) => code === 'people_beside_colleagues')).toMatchObject({
    message:
      '2 people will wait for colleagues because campaigns contact at most 2 people per company at once.',
    fix: '/settings/contact-policy',
  })
})
