import { afterEach, expect, test } from 'vitest'
import { ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { ReadLeadTimeline } from '#lib/contracts/leads/lead-timelines'
import { db, pool } from '#lib/db/client'
import { updateCampaign } from '#lib/services/changes/update'
import { leadTimeline } from '#lib/services/forecast/lead-timelines'
import { pauseCampaign, resumeCampaign } from '#lib/services/launch/lifecycle'
import { suppress } from '#lib/services/leads/endings'
import { call } from '#tests/support/call'
import { ACCEPTED, memoryMail } from '#tests/support/doubles/memory-mail'
import { aUser } from '#tests/support/scenes/factories'
import { refuseSignIn } from '#tests/support/scenes/failing'
import { dispatchAt, FIRST, launched, MONDAY, minutes, SECOND, WATCHED } from '#tests/support/scenes/launched'
import { launchedSocial, profile, VISIT } from '#tests/support/scenes/launched-social'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const DAY = 24 * 60

async function oneLead(fields: Record<string, unknown> = {}) {
  const made = await launched(fields, 1)
  const lead = await db.campaignLead.findFirstOrThrow({ where: { campaign_id: made.campaign_id } })
  const read = async (at: Date) =>
    (await leadTimeline(made.owner.workspace_id, made.campaign_id, lead.campaign_lead_id, at)).events
  const told = async (at: Date) => (await read(at)).map(({ kind, step }) => (step ? `${kind} ${step}` : kind))
  return { ...made, lead, read, told }
}

test('before its turn a lead reads when each step is planned, and afterwards when it went', async () => {
  const { read, told } = await oneLead()
  expect(await told(MONDAY)).toEqual(['enrolled', 'launched', 'planned 1', 'planned 2'])
  await dispatchAt(MONDAY)
  const events = await read(minutes(5))
  expect(events.map(({ kind, at }) => [kind, at])).toEqual([
    ['enrolled', MONDAY],
    ['launched', MONDAY],
    ['sent', MONDAY],
    ['planned', minutes(DAY)],
  ])
  expect(events[2]).toMatchObject({
    step: 1,
    channel: 'email',
    reason: null,
    detail: { subject: 'Hello Lead0', attempts: 1 },
  })
  await dispatchAt(minutes(DAY))
  expect(await told(minutes(DAY + 1))).toEqual(['enrolled', 'launched', 'sent 1', 'sent 2', 'completed'])
})

test('each refusal keeps its own words although the ledger has one row', async () => {
  const { read, told } = await oneLead({ steps_config: [FIRST] })
  const answers = ['450 busy', '451 come later']
  const mail = memoryMail(() => {
    const response = answers.shift()
    return response
      ? {
          outcome: 'refused_for_now',
          stage: 'rcpt',
          code: 450,
          enhanced: null,
          response,
          blames: 'recipient',
        }
      : ACCEPTED
  })
  for (const at of [0, 5]) await dispatchAt(minutes(at), mail)
  expect(await told(minutes(6))).toEqual(['enrolled', 'launched', 'retry 1', 'retry 1', 'planned 1'])
  await dispatchAt(minutes(20), mail)
  const events = await read(minutes(21))
  expect(events.map(({ kind, reason }) => [kind, reason])).toEqual([
    ['enrolled', null],
    ['launched', null],
    ['retry', '450 busy'],
    ['retry', '451 come later'],
    ['sent', null],
    ['completed', null],
  ])
  expect(events[2]).toMatchObject({ at: MONDAY, detail: { again_at: minutes(5).toISOString() } })
})

test('pauses, edits and resumes in between are told, and not those after the end', async () => {
  const { owner, campaign_id, told, read } = await oneLead()
  await pauseCampaign(owner.workspace_id, campaign_id, minutes(1))
  expect((await read(minutes(2))).at(-1)).toMatchObject({
    kind: 'planned',
    reason: 'If you resume the campaign now.',
  })
  await updateCampaign(owner.workspace_id, campaign_id, { daily_limit: 7 }, minutes(2))
  await resumeCampaign(owner.workspace_id, campaign_id, minutes(3))
  await dispatchAt(minutes(3))
  await dispatchAt(minutes(DAY + 3))
  const { events } = { events: await read(minutes(DAY + 4)) }
  expect(events.map(({ kind }) => kind)).toEqual([
    'enrolled',
    'launched',
    'paused',
    'edited',
    'resumed',
    'sent',
    'sent',
    'completed',
  ])
  expect(events[2]?.reason).toBe('user')
  expect(events[3]?.detail).toMatchObject({ changed: ['daily_limit'] })
  const kinds = await told(minutes(DAY + 4))
  await db.campaignEvent.create({
    data: { campaign_id, workspace_id: owner.workspace_id, kind: 'paused', at: minutes(3 * DAY) },
  })
  expect(await told(minutes(4 * DAY))).toEqual(kinds)
})

test('a skipped step names its condition, an uncertain one what is known', async () => {
  const { read } = await oneLead({ steps_config: [WATCHED, { ...SECOND, condition: 'opened' }] })
  await dispatchAt(
    MONDAY,
    memoryMail(() => ({ outcome: 'unknown', error: 'connection lost' })),
  )
  await dispatchAt(minutes(DAY))
  const events = await read(minutes(DAY + 1))
  expect(events.map(({ kind, step, reason }) => [kind, step, reason])).toEqual([
    ['enrolled', null, null],
    ['launched', null, null],
    ['uncertain', 1, 'connection lost'],
    ['skipped', 2, 'The condition “opened” was not met.'],
    ['completed', null, null],
  ])
})

const reached = async (rows: Parameters<typeof launchedSocial>[1], steps_config: object[]) => {
  const made = await launchedSocial({ type: 'mixed', steps_config }, rows)
  const { campaign_lead_id } = await db.campaignLead.findFirstOrThrow({
    where: { campaign_id: made.campaign_id },
  })
  return async (at: Date) => {
    const { events } = await leadTimeline(made.owner.workspace_id, made.campaign_id, campaign_lead_id, at)
    return events
      .filter(({ step }) => step !== null)
      .map((event) => [`${event.kind} ${event.step}`, event.at.toISOString(), event.reason])
  }
}
const at = (days: number) => minutes(days * DAY).toISOString()

test('a step that does not reach the lead is told beforehand as one that will be skipped, and why', async () => {
  const row = { email: `new-${crypto.randomUUID()}@example.com`, first_name: 'New', company: 'Acme' }
  const read = await reached([row], [FIRST, { ...VISIT, delay_days: 1 }, SECOND, { ...VISIT, delay_days: 2 }])
  const why = 'The row has no profile.'
  expect(await read(MONDAY)).toEqual([
    ['planned 1', at(0), null],
    ['will_be_skipped 2', at(1), why],
    ['planned 3', at(2), null],
    ['will_be_skipped 4', at(4), why],
  ])
  await dispatchAt(MONDAY)
  expect(await read(minutes(5))).toEqual([
    ['sent 1', at(0), null],
    ['will_be_skipped 2', at(1), why],
    ['planned 3', at(2), null],
    ['will_be_skipped 4', at(4), why],
  ])
  for (const day of [1, 2, 4]) await dispatchAt(minutes(day * DAY))
  expect(await read(minutes(5 * DAY))).toEqual([
    ['sent 1', at(0), null],
    ['skipped 2', at(1), why],
    ['sent 3', at(2), null],
    ['skipped 4', at(4), why],
  ])
})

test('a first step that does not reach the lead is told before the one that does', async () => {
  const row = { ...profile('bea'), email: null }
  const read = await reached([row], [FIRST, { ...VISIT, delay_days: 1 }])
  expect(await read(MONDAY)).toEqual([
    ['will_be_skipped 1', at(0), 'The lead has no address.'],
    ['planned 2', at(1), null],
  ])
})

test('an end from outside is told with its reason, and an outage of its sender between two steps is not its own', async () => {
  const { owner, lead, mailbox, read } = await oneLead()
  await dispatchAt(MONDAY)
  await refuseSignIn(owner.workspace_id, mailbox.mailbox_id, minutes(1))
  const entry = {
    workspace_id: owner.workspace_id,
    values: [lead.email ?? ''],
    reason: 'unsubscribe',
    status: 'unsubscribed' as const,
  }
  await suppress(pool(), entry, minutes(2))
  expect((await read(minutes(3))).map(({ kind, reason }) => [kind, reason]).slice(2)).toEqual([
    ['sent', null],
    ['unsubscribed', 'unsubscribe'],
  ])
})

test('the API answers the owner, and 404 to others and for leads of other campaigns', async () => {
  const { owner, campaign_id, lead } = await oneLead()
  const other = await oneLead()
  const params = { campaign_id, campaign_lead_id: lead.campaign_lead_id }
  const { status, body } = await call(ReadLeadTimeline, { as: owner, params })
  expect(status).toBe(200)
  expect(body.events[0]).toEqual({
    at: MONDAY.toISOString(),
    kind: 'enrolled',
    step: null,
    channel: null,
    reason: null,
    detail: { lead_index: 0, email: lead.email },
  })
  expect((await call(ListCampaignLeads, { as: owner, params })).body.items[0]?.campaign_lead_id).toBe(
    lead.campaign_lead_id,
  )
  expect((await call(ReadLeadTimeline, { as: await aUser(), params })).status).toBe(404)
  const strange = await call(ReadLeadTimeline, {
    as: owner,
    params: { ...params, campaign_lead_id: other.lead.campaign_lead_id },
  })
  expect([strange.status, strange.error.detail]).toEqual([404, 'lead_not_found'])
})
