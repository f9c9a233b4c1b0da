import { afterEach, describe, expect, test } from 'vitest'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import { ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { StopCampaignLeads } from '#lib/contracts/leads/lead-stops'
import { ReadLeadTimeline } from '#lib/contracts/leads/lead-timelines'
import { ReadContactPolicy, UpdateContactPolicy } from '#lib/contracts/workspaces/contact-policy'
import { db, pool } from '#lib/db/client'
import { explainCampaign } from '#lib/services/forecast/explanations'
import { wholeForecast } from '#lib/services/forecast/forecasts'
import { readDueWork } from '#lib/services/instance/due-work'
import { stopLeads } from '#lib/services/leads/stops'
import { call } from '#tests/support/call'
import { replyTo } from '#tests/support/scenes/arrivals'
import { begun, campaignOf, launchedOver, logOf } from '#tests/support/scenes/begun'
import { aCampaign, aDataset } from '#tests/support/scenes/factories'
import { dispatchAt, leadsOf, minutes, OPEN } from '#tests/support/scenes/launched'

const HOUR = 60
const DAY = 24 * HOUR

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

type Policy = { one_campaign_at_a_time?: boolean; company_max_active?: number | null; rest_days?: number }
const setPolicy = (workspace_id: string, data: Policy) =>
  db.workspace.update({ where: { workspace_id }, data })
const recipients = async (at: Date) => (await dispatchAt(at)).outbox.map(({ to }) => to.address)
/** A millisecond later: no campaign begins with a person at the very instant when another one ends with them. */
const justAfter = (count: number) => new Date(minutes(count).getTime() + 1)

const endAll = (campaign_id: string) =>
  db.campaignLead.updateMany({
    where: { campaign_id },
    data: { status: 'failed', next_step: null, next_action_at: null, last_event_at: minutes(20) },
  })

/** Dispatches each hour; the addresses that were written to, by hour, for hours with mails. */
async function hours(from: number, to: number) {
  const sent: [hour: number, addresses: string[]][] = []
  for (let hour = from; hour <= to; hour++) {
    const addresses = await recipients(minutes(hour * HOUR + 5))
    if (addresses.length > 0) sent.push([hour, addresses])
  }
  return sent
}

/** A campaign of two steps, a day apart, has written to three people; another one over the same dataset is launched. */
async function twice(policy: Policy = {}, fields: object = {}) {
  const first = await begun({}, 3)
  await setPolicy(first.owner.workspace_id, policy)
  const people = first.outbox.map(({ to }) => to.address)
  const { campaign_id: other_id } = await launchedOver(first, first.dataset_id, fields)
  return { ...first, people, other_id }
}

describe('one campaign at a time', () => {
  test('whoever is in a campaign waits until it has ended for them', async () => {
    const { owner, people, campaign_id, other_id } = await twice()
    expect(await recipients(minutes(5))).toEqual([])
    const [lead] = await leadsOf(other_id)
    expect(lead).toMatchObject({ status: 'active', reason: 'person_busy', current_step: 0, next_step: 1 })
    expect(await logOf(lead?.campaign_lead_id ?? '')).toEqual(['put_off'])
    const listed = await call(ListCampaignLeads, { as: owner, params: { campaign_id: other_id } })
    const { name } = await campaignOf(campaign_id)
    expect(listed.body.items.map((one) => one.waits_for)).toEqual(
      people.map(() => ({
        why: 'person_busy',
        campaign_id,
        campaign_name: name,
        colleague: null,
        not_before: justAfter(DAY).toISOString(),
      })),
    )
    const params = { campaign_id: other_id, campaign_lead_id: lead?.campaign_lead_id ?? '' }
    const timeline = await call(ReadLeadTimeline, { as: owner, params })
    expect(timeline.body.events.find(({ kind }) => kind === 'put_off')?.detail).toMatchObject({
      campaign_name: name,
    })
    const event = await db.campaignEvent.findFirstOrThrow({
      where: { campaign_id: other_id, kind: 'put_off' },
    })
    expect(event.detail).toMatchObject({ campaign_id, until: justAfter(DAY).toISOString() })
    const sent = await hours(1, 52)
    // The second step of the first campaign, then both steps of the other: the same people each time, and never at once.
    expect(sent.map(([, addresses]) => addresses)).toEqual([people, people, people])
    const [[last = 0] = [], [next = 0] = []] = sent
    expect([last, next]).toEqual([24, 25])
    // However often the lead was checked again, the event is logged once.
    expect(await logOf(lead?.campaign_lead_id ?? '')).toEqual(['put_off'])
    expect(await leadsOf(other_id)).toMatchObject(people.map(() => ({ reason: null, current_step: 2 })))
    expect(await campaignOf(other_id)).toMatchObject({ status: 'completed', sent_count: 6 })
  })

  test('two campaigns that come to a person in the same instant: one of them has them', async () => {
    const { owner, dataset_id, other_id, people, ...first } = await twice()
    await db.campaign.delete({ where: { campaign_id: first.campaign_id } })
    const third = await launchedOver({ owner, dataset_id, ...first }, dataset_id, {})
    const rounds = await Promise.all([dispatchAt(minutes(1)), dispatchAt(minutes(1))])
    const sent = rounds.flatMap(({ outbox }) => outbox.map(({ to }) => to.address))
    expect(sent.toSorted()).toEqual(people.toSorted())
    const begunIn = async (campaign_id: string) =>
      (await leadsOf(campaign_id)).filter((lead) => lead.current_step === 1).length
    expect((await begunIn(other_id)) + (await begunIn(third.campaign_id))).toBe(3)
  })

  test('a claim waits for whoever decides about the same people just now', async () => {
    const { other_id } = await twice()
    const [lead] = await leadsOf(other_id)
    const client = await pool().connect()
    try {
      await client.query('BEGIN')
      const key = `contact:${lead?.person_id}`
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key])
      const round = dispatchAt(minutes(1)).then(() => 'done')
      const waiting = async () => {
        const sql = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
        for (;;) if ((await pool().query(sql)).rows.length > 0) return 'waiting'
      }
      expect(await Promise.race([round, waiting()])).toBe('waiting')
      await client.query('COMMIT')
      await round
    } finally {
      client.release()
    }
  })

  test('whoever is not in it is written to at once, and so is everybody where the workspace allows that', async () => {
    const { owner, people, ...first } = await twice()
    const { dataset_id } = await aDataset(owner, [{ email: people[0] ?? '' }, { email: 'new@fresh.example' }])
    await launchedOver({ owner, ...first }, dataset_id, {})
    expect(await recipients(minutes(5))).toEqual(['new@fresh.example'])
    await setPolicy(owner.workspace_id, { one_campaign_at_a_time: false })
    expect(new Set(await recipients(minutes(7 * HOUR)))).toEqual(new Set(people))
  })

  test('a paused campaign goes on having its people; a stop or its deletion lets them go', async () => {
    const { owner, people, campaign_id, other_id } = await twice()
    await db.campaign.update({ where: { campaign_id }, data: { status: 'paused', paused_from: 'active' } })
    expect(await hours(0, 30)).toEqual([])
    const checks = await call(ReadLaunchChecks, {
      as: owner,
      params: {
        campaign_id: (await aCampaign(owner, { dataset_id: (await campaignOf(campaign_id)).dataset_id }))
          .campaign_id,
      },
    })
    expect(checks.body.warns.find(({ code }) => code === 'people_in_other_campaign')).toMatchObject({
      message: expect.stringMatching(/^3 people are in “.+”, which is paused, and will wait/),
      fix: '/settings/contact-policy',
    })
    const [lead] = await leadsOf(campaign_id)
    const body = { campaign_lead_ids: [lead?.campaign_lead_id ?? ''] }
    await call(StopCampaignLeads, { as: owner, params: { campaign_id }, body })
    expect((await hours(31, 38)).map(([, addresses]) => addresses)).toEqual([[people[0]]])
    await db.campaign.delete({ where: { campaign_id } })
    const rest = (await hours(39, 46)).flatMap(([, addresses]) => addresses)
    expect(rest).toEqual([people[1], people[2]])
    expect(await campaignOf(other_id)).toMatchObject({ sent_count: 3 })
  })

  test('before a launch it is said who will be in another campaign by then, and of whom that is so now', async () => {
    const first = await begun({ min_interval_seconds: 3_600 }, 3)
    const { owner, dataset_id } = first
    expect(first.outbox).toHaveLength(1)
    await db.campaignLead.updateMany({
      where: { campaign_id: first.campaign_id, status: 'active' },
      data: { next_action_at: new Date(Date.now() + DAY * 60_000) },
    })
    // The other campaign would now start with the second person, and this one with the third.
    const { campaign_id } = await aCampaign(owner, { ...OPEN, dataset_id })
    const checks = await call(ReadLaunchChecks, { as: owner, params: { campaign_id } })
    const { name } = await campaignOf(first.campaign_id)
    const told = checks.body.warns.filter(({ code }) => code === 'people_in_other_campaign')
    expect(told.map(({ message }) => message)).toEqual([
      `1 person is in “${name}” and will wait until they finish it.`,
      '1 more person will be in another campaign before this one reaches them, and will wait until they finish it.',
    ])
  })

  test('its people go on in the millisecond after its last step for them', async () => {
    const { other_id } = await twice()
    await recipients(minutes(5))
    expect(await campaignOf(other_id)).toMatchObject({ next_slot_at: new Date(minutes(7 * DAY + 5)) })
    expect(await dispatchAt(minutes(DAY))).toMatchObject({ next_slot_at: justAfter(DAY) })
    expect(await recipients(justAfter(DAY))).toHaveLength(3)
  })

  type Twice = Awaited<ReturnType<typeof twice>>
  test.each<[string, (made: Twice) => Promise<unknown>, waiting: number]>([
    [
      'a stop',
      async ({ owner, campaign_id }) => {
        const ids = (await leadsOf(campaign_id)).map((lead) => lead.campaign_lead_id)
        await stopLeads(owner.workspace_id, campaign_id, ids, minutes(20))
      },
      3,
    ],
    ['its deletion', ({ campaign_id }) => db.campaign.delete({ where: { campaign_id } }), 3],
    // The person gets no more mails from any campaign; the other two still wait.
    ['a reply', (made) => made.in(replyTo(made.mail)), 0],
    ['a failure for each person', ({ campaign_id }) => endAll(campaign_id), 3],
    ['another policy', ({ owner }) => setPolicy(owner.workspace_id, { one_campaign_at_a_time: false }), 3],
    [
      'a reason not to wait',
      ({ other_id }) =>
        db.campaign.update({
          where: { campaign_id: other_id },
          data: { contact_policy_override: 'A recall' },
        }),
      3,
    ],
  ])(
    '%s in the other campaign wakes who waits at once, and two workers write to each once',
    async (_, end, woken) => {
      const made = await twice()
      await recipients(minutes(5))
      await end(made)
      const rounds = await Promise.all([dispatchAt(minutes(21)), dispatchAt(minutes(21))])
      const more = await recipients(minutes(22))
      const sent = [...rounds.flatMap(({ outbox }) => outbox.map(({ to }) => to.address)), ...more]
      expect(sent.toSorted()).toEqual(made.people.slice(0, woken).toSorted())
      expect(await db.contactWake.count()).toBe(0)
    },
  )

  test('an end that nobody dispatched after is due at once', async () => {
    const { campaign_id } = await twice()
    await recipients(minutes(5))
    const due = async () => (await readDueWork(pool())).find(({ bell }) => bell === 'dispatch')?.due ?? null
    const before = await due()
    await db.campaign.update({ where: { campaign_id }, data: { next_slot_at: null } })
    await db.campaign.updateMany({ data: { next_slot_at: new Date('2099-01-01') } })
    expect(await due()).toEqual(new Date('2099-01-01'))
    await endAll(campaign_id)
    expect((await due())?.getTime()).toBeLessThan(new Date('2099-01-01').getTime())
    expect(before).not.toBeNull()
  })

  test('a campaign with a reason does not wait', async () => {
    const { people } = await twice({}, { contact_policy_override: 'A recall that everybody must get' })
    expect(await recipients(minutes(5))).toEqual(people)
  })

  test('the explanation and the forecast say so', async () => {
    const { owner, campaign_id, other_id } = await twice()
    await recipients(minutes(5))
    expect(await explainCampaign(owner.workspace_id, other_id, minutes(10))).toMatchObject({
      code: 'person_busy',
    })
    const forecast = await wholeForecast(owner.workspace_id, other_id, minutes(10))
    expect(Math.min(...forecast.at)).toBeGreaterThanOrEqual(minutes(DAY).getTime())
    const draft = await aCampaign(owner, { ...OPEN, dataset_id: (await campaignOf(campaign_id)).dataset_id })
    const before = await wholeForecast(owner.workspace_id, draft.campaign_id, minutes(10))
    expect(Math.min(...before.at)).toBeGreaterThanOrEqual(minutes(DAY).getTime())
  })
})

test('days of rest count from the last step of the other campaign', async () => {
  const { people } = await twice({ one_campaign_at_a_time: false, rest_days: 3 })
  const sent = await hours(0, 4 * 24 + 8)
  expect(sent.slice(0, 2).map(([, addresses]) => addresses)).toEqual([people, people])
  const [[last = 0] = [], [next = 0] = []] = sent
  expect(last).toBe(24)
  expect(next).toBeGreaterThanOrEqual(24 + 72)
})

test('whoever rests keeps their place when the other campaign ends for them, and rests again once they are asked', async () => {
  const rules = { one_campaign_at_a_time: false, rest_days: 3, company_max_active: 9 }
  const { other_id, people } = await twice(rules)
  const due = async () => (await leadsOf(other_id)).map(({ next_action_at }) => next_action_at)
  expect(await recipients(minutes(5))).toEqual([])
  const rested = people.map(() => justAfter(3 * DAY))
  expect(await due()).toEqual(rested)
  expect(await recipients(minutes(DAY + 5))).toEqual(people)
  expect(await recipients(minutes(DAY + 10))).toEqual([])
  expect(await due()).toEqual(rested)
  expect(await recipients(minutes(3 * DAY + 1))).toEqual([])
  expect(await due()).toEqual(people.map(() => justAfter(4 * DAY + 5)))
})

test('of one company so many people at a time, the others when these are through', async () => {
  const first = await begun({}, 1)
  await setPolicy(first.owner.workspace_id, { company_max_active: 2 })
  const rows = [1, 2, 3, 4].map((place) => ({ email: `p${place}@acme.example` }))
  const { dataset_id } = await aDataset(first.owner, [...rows, { email: 'only@globex.example' }])
  const { campaign_id } = await launchedOver(first, dataset_id, {})
  expect(await recipients(minutes(5))).toEqual(['p1@acme.example', 'p2@acme.example', 'only@globex.example'])
  expect((await leadsOf(campaign_id))[2]).toMatchObject({ status: 'active', reason: 'company_busy' })
  const sent = await hours(1, 60)
  const firstOf = (address: string) => sent.find(([, addresses]) => addresses.includes(address))?.[0] ?? 0
  expect(firstOf('p3@acme.example')).toBeGreaterThan(firstOf('p1@acme.example'))
  expect(firstOf('p4@acme.example')).toBeGreaterThan(firstOf('p2@acme.example'))
  expect(await campaignOf(campaign_id)).toMatchObject({ status: 'completed', sent_count: 10 })
})

test('the policy is read and changed as one', async () => {
  const { owner } = await begun()
  const { body } = await call(ReadContactPolicy, { as: owner })
  expect(body).toMatchObject({ one_campaign_at_a_time: true, company_max_active: null, rest_days: 0 })
  const { version } = body
  const changed = await call(UpdateContactPolicy, { as: owner, body: { rest_days: 7, version } })
  expect(changed.body).toMatchObject({ one_campaign_at_a_time: true, rest_days: 7 })
  const refused = await call(UpdateContactPolicy, { as: owner, body: { company_max_active: 0 } })
  expect(refused.status).toBe(422)
})
