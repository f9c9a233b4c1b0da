import { expect, test } from 'vitest'
import { Personalize } from '#lib/contracts/personalize'
import { db } from '#lib/db/client'
import { pauseCampaign, resumeCampaign } from '#lib/services/campaign-life'
import { leadTimeline } from '#lib/services/lead-timelines'
import { approveGeneration, approveRun, rejectGeneration } from '#lib/services/personalize/review'
import { editGeneration } from '#lib/services/personalize/rows'
import { startRun } from '#lib/services/personalize/runs'
import { workRun } from '#lib/services/personalize/work'
import { fakeWriter, honest } from '#tests/support/fake-writer'
import { dispatchAt as dispatchAll, FIRST, launched, MONDAY, minutes, SECOND } from '#tests/support/launched'

const AI = { ...FIRST, ai_personalization_enabled: true }

/** A launched campaign whose first step is an AI's, with a run over its leads that is written and not reviewed. */
async function written(fields: Record<string, unknown> = {}) {
  const made = await launched({ steps_config: [AI, SECOND], unreviewed_launch_policy: 'hold', ...fields })
  const { writer } = fakeWriter(honest)
  const body = Personalize.body.parse({ dataset_id: made.dataset_id, campaign_id: made.campaign_id })
  const { run_id } = await startRun(made.owner.user_id, body, writer)
  await workRun(run_id, { writer, clock: () => MONDAY, until: minutes(600), concurrency: 4 })
  const rows = await db.generation.findMany({ where: { run_id }, orderBy: { lead_index: 'asc' } })
  return { ...made, run_id, rows: rows.map(({ generation_id }) => generation_id) }
}

const leadsOf = (campaign_id: string) =>
  db.campaignLead.findMany({ where: { campaign_id }, orderBy: { lead_index: 'asc' } })

/** What left for these leads; other tests' campaigns are due as well. */
async function sentAt(at: Date, campaign_id: string) {
  const leads = new Set((await leadsOf(campaign_id)).map(({ email }) => email))
  const { outbox } = await dispatchAll(at)
  return outbox.filter(({ to }) => leads.has(to.address))
}

test('nothing leaves before it is approved, and then the very words', async () => {
  const { owner, campaign_id, rows } = await written()
  expect(await sentAt(MONDAY, campaign_id)).toEqual([])
  const held = await leadsOf(campaign_id)
  expect(held.map(({ last_event, next_action_at }) => [last_event, next_action_at])).toEqual(
    held.map(() => ['held', null]),
  )
  expect(held[0]?.reason).toContain('approved')
  const { events } = await leadTimeline(
    owner.user_id,
    campaign_id,
    held[0]?.campaign_lead_id ?? '',
    minutes(1),
  )
  expect(events.find(({ kind }) => kind === 'held')?.reason).toContain('approved')

  await approveGeneration(owner.user_id, rows[1] ?? '', minutes(5))
  const outbox = await sentAt(minutes(5), campaign_id)
  expect(outbox).toHaveLength(1)
  expect(outbox[0]?.subject).toBe('For Company 1')
  expect(outbox[0]?.text).toContain('Hi Lead1,\n\nA word about Company 1.')
  expect(await sentAt(minutes(6), campaign_id)).toEqual([])
})

test('a reviewed run lets every lead go, each once, and the follow-up threads', async () => {
  const { owner, campaign_id, run_id } = await written()
  await dispatchAll(MONDAY)
  await approveRun(owner.user_id, run_id, false, minutes(1))
  const outbox = await sentAt(minutes(2), campaign_id)
  expect(outbox.map(({ subject }) => subject).toSorted()).toEqual([
    'For Company 0',
    'For Company 1',
    'For Company 2',
  ])
  expect((await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).reviewed_at).toEqual(minutes(1))
  const next = await sentAt(minutes(24 * 60 + 3), campaign_id)
  expect(next.map(({ subject }) => subject).toSorted()).toEqual([
    'Re: For Company 0',
    'Re: For Company 1',
    'Re: For Company 2',
  ])
})

test('data that changed after the approval: held, whatever the policy', async () => {
  const { owner, campaign_id, dataset_id, run_id } = await written({
    unreviewed_launch_policy: 'launch_default',
  })
  await approveRun(owner.user_id, run_id, false, MONDAY)
  await db.datasetRow.update({
    where: { dataset_id_lead_index: { dataset_id, lead_index: 1 } },
    data: { data: { first_name: 'Lead1', company: 'Another Company' } },
  })
  expect(await sentAt(minutes(1), campaign_id)).toHaveLength(2)
  const lead = (await leadsOf(campaign_id))[1]
  expect(lead).toMatchObject({ last_event: 'held', status: 'active' })
  expect(lead?.reason).toContain('changed')
})

test('an edit takes the approval back; the edited words leave once they are approved', async () => {
  const { owner, campaign_id, rows, run_id } = await written()
  await approveRun(owner.user_id, run_id, false, MONDAY)
  await editGeneration(owner.user_id, rows[0] ?? '', { body: 'Hi Lead0, my own words.' }, MONDAY)
  expect(await sentAt(minutes(1), campaign_id)).toHaveLength(2)
  await approveGeneration(owner.user_id, rows[0] ?? '', minutes(2))
  const [mail] = await sentAt(minutes(3), campaign_id)
  expect(mail?.text.split('\n')[0]).toBe('Hi Lead0, my own words.')
})

test('launch_default sends the step’s own text to whoever has no approved one', async () => {
  const { owner, campaign_id, rows } = await written({ unreviewed_launch_policy: 'launch_default' })
  await approveGeneration(owner.user_id, rows[0] ?? '', MONDAY)
  await rejectGeneration(owner.user_id, rows[1] ?? '')
  const outbox = await sentAt(minutes(1), campaign_id)
  expect(outbox.map(({ subject }) => subject).toSorted()).toEqual([
    'For Company 0',
    'Hello Lead1',
    'Hello Lead2',
  ])
})

test('a held lead is looked at again when the campaign is resumed under another policy', async () => {
  const { owner, campaign_id } = await written()
  await dispatchAll(MONDAY)
  await pauseCampaign(owner.user_id, campaign_id, minutes(1))
  await db.campaign.update({ where: { campaign_id }, data: { unreviewed_launch_policy: 'launch_default' } })
  await resumeCampaign(owner.user_id, campaign_id, minutes(2))
  expect(await sentAt(minutes(2), campaign_id)).toHaveLength(3)
})

test('a held follow-up keeps the others going, and the campaign does not end without it', async () => {
  const { owner, campaign_id, run_id } = await written({
    steps_config: [FIRST, { ...SECOND, ai_personalization_enabled: true }],
  })
  expect(await sentAt(MONDAY, campaign_id)).toHaveLength(3)
  const day = 24 * 60 + 1
  expect(await sentAt(minutes(day), campaign_id)).toEqual([])
  expect((await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).status).toBe('draining')
  await approveRun(owner.user_id, run_id, true, minutes(day + 1))
  const outbox = await sentAt(minutes(day + 2), campaign_id)
  expect(outbox.map(({ subject }) => subject).toSorted()).toEqual([
    'Re: Hello Lead0',
    'Re: Hello Lead1',
    'Re: Hello Lead2',
  ])
})

test('of variants only the AI ones wait', async () => {
  const variants = [
    { label: 'A', type: 'TEMPLATE', weight: 50 },
    { label: 'B', type: 'AI', weight: 50 },
  ]
  const { campaign_id } = await launched(
    {
      steps_config: [{ ...FIRST, variants }],
      unreviewed_launch_policy: 'hold',
    },
    40,
  )
  const outbox = await sentAt(MONDAY, campaign_id)
  const leads = await leadsOf(campaign_id)
  const held = leads.filter(({ last_event }) => last_event === 'held')
  expect(held.length).toBeGreaterThan(0)
  expect(outbox.length).toBeGreaterThan(0)
  expect(outbox.length + held.length).toBe(40)
})
