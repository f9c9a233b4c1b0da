import { afterEach, expect, test } from 'vitest'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import { UpdateContactPolicy } from '#lib/contracts/workspaces/contact-policy'
import { db, pool } from '#lib/db/client'
import { explainCampaign } from '#lib/services/forecast/explanations'
import { wholeForecast } from '#lib/services/forecast/forecasts'
import { leadTimeline } from '#lib/services/forecast/lead-timelines'
import { call } from '#tests/support/call'
import { replyTo } from '#tests/support/scenes/arrivals'
import { begun, campaignOf, later, launchedOver, logOf } from '#tests/support/scenes/begun'
import { aCampaign, aDataset } from '#tests/support/scenes/factories'
import { dispatchAt, minutes, OPEN } from '#tests/support/scenes/launched'

const DAY = 24 * 60
const DAYS = 3
/** Three days of 24 hours after the reply. */
const UNTIL = new Date(later.getTime() + DAYS * DAY * 60_000)

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const recipients = async (at: Date) => (await dispatchAt(at)).outbox.map(({ to }) => to.address)
const leadIn = (campaign_id: string, email: string) =>
  db.campaignLead.findFirstOrThrow({ where: { campaign_id, email } })

/** Two colleagues and somebody at another company got their first mail; Ana, a colleague of the two, has replied. */
async function answered(days = DAYS, fields: object = {}) {
  const first = await begun({}, 1)
  const { owner } = first
  await db.workspace.update({
    where: { workspace_id: owner.workspace_id },
    data: { colleague_reply_days: days },
  })
  const rows: { [field: string]: string; email: string }[] = [
    { email: 'ana@acme.example', first_name: 'Ana', last_name: 'Roth' },
    { email: 'ben@acme.example' },
    { email: 'cy@globex.example' },
  ]
  const { dataset_id } = await aDataset(owner, rows)
  const made = await launchedOver(first, dataset_id, fields)
  const { outbox } = await dispatchAt(minutes(5))
  const mail = outbox.find(({ to }) => to.address === 'ana@acme.example')
  if (!mail) throw new Error('nothing left to Ana')
  const reply = () => first.in(replyTo(mail))
  return { ...made, dataset_id, reply, elsewhere: first.mail.to.address }
}

test('a reply makes everybody else of the company wait, in whichever campaign and at whichever step', async () => {
  const made = await answered()
  const { owner, campaign_id, reply } = made
  const { dataset_id } = await aDataset(owner, [
    { email: 'dee@acme.example' },
    { email: 'eva@initech.example' },
  ])
  const other = await launchedOver(made, dataset_id, {})
  await reply()
  expect((await recipients(minutes(DAY + 10))).toSorted()).toEqual(
    ['cy@globex.example', 'eva@initech.example', made.elsewhere].toSorted(),
  )
  const ben = await leadIn(campaign_id, 'ben@acme.example')
  expect(ben).toMatchObject({ status: 'active', reason: 'colleague_replied', next_action_at: UNTIL })
  expect(await leadIn(other.campaign_id, 'dee@acme.example')).toMatchObject({ next_action_at: UNTIL })
  expect(
    (await recipients(new Date(UNTIL.getTime() - 1))).filter((to) => to.endsWith('@acme.example')),
  ).toEqual([])
  expect((await recipients(UNTIL)).toSorted()).toEqual(['ben@acme.example', 'dee@acme.example'])
  expect(await leadIn(campaign_id, 'ben@acme.example')).toMatchObject({ reason: null, current_step: 2 })
  expect(await logOf(ben.campaign_lead_id)).toEqual(['put_off'])
})

test('the lead says for whom it waits and until when, and so does why its campaign does not send', async () => {
  const { owner, campaign_id, reply } = await answered()
  await reply()
  await recipients(minutes(DAY + 10))
  const { campaign_lead_id } = await leadIn(campaign_id, 'ben@acme.example')
  const { events } = await leadTimeline(owner.workspace_id, campaign_id, campaign_lead_id, minutes(DAY + 11))
  expect(events.find(({ kind }) => kind === 'put_off')).toMatchObject({
    reason: 'Ana Roth replied, so nobody else at the company is contacted for now.',
    detail: { until: UNTIL.toISOString(), colleague: 'Ana Roth' },
  })
  expect(events.at(-1)).toMatchObject({ kind: 'planned', at: UNTIL })
  expect(await explainCampaign(owner.workspace_id, campaign_id, minutes(DAY + 11))).toMatchObject({
    code: 'colleague_replied',
    until: UNTIL,
    params: { people: 1, colleague: 'Ana Roth' },
  })
})

test('what is forecast then is what happens: of a campaign under way, and of a draft', async () => {
  const { owner, campaign_id, reply } = await answered()
  await reply()
  const planned = await wholeForecast(owner.workspace_id, campaign_id, later)
  expect([...planned.at].toSorted()).toEqual([minutes(DAY + 5).getTime(), UNTIL.getTime()])
  const rows = [{ email: 'new@acme.example' }, { email: 'ben@acme.example' }, { email: 'new@fresh.example' }]
  const draft = await aCampaign(owner, { ...OPEN, dataset_id: (await aDataset(owner, rows)).dataset_id })
  const before = await wholeForecast(owner.workspace_id, draft.campaign_id, later)
  const firstOf = (lead: number) => before.at[before.lead_index.indexOf(lead)] ?? 0
  expect(firstOf(0)).toBe(UNTIL.getTime())
  expect(firstOf(1)).toBeGreaterThanOrEqual(UNTIL.getTime())
  expect(firstOf(2)).toBe(later.getTime())
  await db.company.updateMany({ data: { replied_at: new Date() }, where: { domain: 'acme.example' } })
  const params = { campaign_id: draft.campaign_id }
  const { body } = await call(ReadLaunchChecks, { as: owner, params })
  expect(body.warns.find(({ code }) => code === 'colleagues_replied')).toMatchObject({
    message: expect.stringMatching(
      /^2 people are at a company where somebody replied, and will wait until \w{3} \d+ \w+ \d{4}, \d\d:\d\d \(UTC\) at the latest\.$/,
    ),
    fix: '/settings/contact-policy',
  })
})

test('nobody waits where the workspace does not want it, nor in a campaign with a reason', async () => {
  const off = await answered(0)
  await off.reply()
  expect(await recipients(minutes(DAY + 10))).toContain('ben@acme.example')
  await db.campaign.deleteMany()
  const free = await answered(DAYS, { contact_policy_override: 'A recall that everybody must get' })
  await free.reply()
  const planned = await wholeForecast(free.owner.workspace_id, free.campaign_id, later)
  expect([...planned.at]).toEqual([minutes(DAY + 5).getTime(), minutes(DAY + 5).getTime()])
  expect(await recipients(minutes(DAY + 10))).toContain('ben@acme.example')
})

test('whoever waits goes on at once when the policy is taken back', async () => {
  const { owner, campaign_id, reply } = await answered()
  await reply()
  await recipients(minutes(DAY + 10))
  const changed = await call(UpdateContactPolicy, { as: owner, body: { colleague_reply_days: 0 } })
  expect(changed.body).toMatchObject({ colleague_reply_days: 0 })
  expect(await recipients(minutes(DAY + 20))).toEqual(['ben@acme.example'])
  expect(await campaignOf(campaign_id)).toMatchObject({ status: 'completed' })
})

test('a reply waits for a claim that is about to write to a colleague in another campaign', async () => {
  const made = await answered()
  const { dataset_id } = await aDataset(made.owner, [{ email: 'dee@acme.example' }])
  const other = await launchedOver(made, dataset_id, {})
  const client = await pool().connect()
  try {
    await client.query('BEGIN')
    await client.query('SELECT 1 FROM campaigns WHERE campaign_id = $1 FOR NO KEY UPDATE', [
      other.campaign_id,
    ])
    const replied = made.reply().then(() => 'done')
    const waiting = async () => {
      const sql = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
      for (;;) if ((await pool().query(sql)).rows.length > 0) return 'waiting'
    }
    expect(await Promise.race([replied, waiting()])).toBe('waiting')
    await client.query('COMMIT')
    await replied
  } finally {
    client.release()
  }
  expect(await leadIn(made.campaign_id, 'ana@acme.example')).toMatchObject({ status: 'replied' })
})
