import { expect, test } from 'vitest'
import { Personalize } from '#lib/contracts/personalize/personalize'
import { db, pool } from '#lib/db/client'
import { DbNull } from '#lib/db/json'
import { textCells } from '#lib/domain/personalize/material'
import { sealText } from '#lib/domain/personalize/review'
import { explainCampaign } from '#lib/services/forecast/explanations'
import { wholeForecast } from '#lib/services/forecast/forecasts'
import { leadTimeline } from '#lib/services/forecast/lead-timelines'
import { launchChecks } from '#lib/services/launch/advice'
import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import { launchCampaign, pauseCampaign, resumeCampaign } from '#lib/services/launch/lifecycle'
import { approveGeneration, approveRun, rejectGeneration } from '#lib/services/personalize/review'
import { editGeneration, listGenerations } from '#lib/services/personalize/rows'
import { startRun } from '#lib/services/personalize/runs'
import { workRun } from '#lib/services/personalize/work'
import { fakeWriter, honest } from '#tests/support/doubles/fake-writer'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'
import {
  dispatchAt as dispatchAll,
  FIRST,
  launched,
  leadsOf,
  MONDAY,
  minutes,
  OPEN,
  SECOND,
} from '#tests/support/scenes/launched'

const AI = { ...FIRST, ai_personalization_enabled: true }

/** A launched campaign with an AI step first, and a finished run over its leads that nobody has reviewed. */
async function written(fields: Record<string, unknown> = {}) {
  const made = await launched({ steps_config: [AI, SECOND], unreviewed_launch_policy: 'hold', ...fields })
  const { writer } = fakeWriter(honest)
  const body = Personalize.body.parse({ dataset_id: made.dataset_id, campaign_id: made.campaign_id })
  const { run_id } = await startRun(made.owner.workspace_id, body, MONDAY, writer)
  await workRun(run_id, { writer, clock: () => MONDAY, until: minutes(600), concurrency: 4 })
  const rows = await db.generation.findMany({ where: { run_id }, orderBy: { lead_index: 'asc' } })
  return { ...made, run_id, rows: rows.map(({ generation_id }) => generation_id) }
}

/** What was sent to the leads of this campaign; other tests' campaigns are due as well. */
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
  expect(held[0]?.reason_detail).toContain('approved')
  const { events } = await leadTimeline(
    owner.workspace_id,
    campaign_id,
    held[0]?.campaign_lead_id ?? '',
    minutes(1),
  )
  expect(events.find(({ kind }) => kind === 'held')?.reason).toContain('approved')

  await approveGeneration(owner.workspace_id, rows[1] ?? '', minutes(5))
  const outbox = await sentAt(minutes(5), campaign_id)
  expect(outbox).toHaveLength(1)
  expect(outbox[0]?.subject).toBe('For Company 1')
  expect(outbox[0]?.text).toContain('Hi Lead1,\n\nA word about Company 1.')
  expect(await sentAt(minutes(6), campaign_id)).toEqual([])
})

test('a reviewed run lets every lead go, each once, and the follow-up threads', async () => {
  const { owner, campaign_id, run_id } = await written()
  await dispatchAll(MONDAY)
  await approveRun(owner.workspace_id, run_id, false, minutes(1))
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
  await approveRun(owner.workspace_id, run_id, false, MONDAY)
  await db.datasetRow.update({
    where: { dataset_id_lead_index: { dataset_id, lead_index: 1 } },
    data: { data: { first_name: 'Lead1', company: 'Another Company' } },
  })
  expect(await sentAt(minutes(1), campaign_id)).toHaveLength(2)
  const lead = (await leadsOf(campaign_id))[1]
  expect(lead).toMatchObject({ last_event: 'held', status: 'active', reason: 'held' })
  expect(lead?.reason_detail).toContain('changed')
})

/** A draft with a single AI step, and an approved text for each lead. */
async function approvedDraft(fields: Record<string, unknown> = {}) {
  const owner = await aUser()
  await aMailbox(owner)
  const { dataset_id } = await aDataset(owner, 3)
  const { campaign_id } = await aCampaign(owner, {
    ...OPEN,
    dataset_id,
    steps_config: [AI],
    unreviewed_launch_policy: 'hold',
    ...fields,
  })
  const { writer } = fakeWriter(honest)
  const { run_id } = await startRun(
    owner.workspace_id,
    Personalize.body.parse({ dataset_id, campaign_id }),
    MONDAY,
    writer,
  )
  await workRun(run_id, { writer, clock: () => MONDAY, until: minutes(600), concurrency: 4 })
  await approveRun(owner.workspace_id, run_id, true, MONDAY)
  return { owner, dataset_id, campaign_id, run_id }
}

const setCells = async (dataset_id: string, lead_index: number, cells: Record<string, string>) => {
  const where = { dataset_id_lead_index: { dataset_id, lead_index } }
  const { data } = await db.datasetRow.findUniqueOrThrow({ where })
  await db.datasetRow.update({ where, data: { data: { ...(data as object), ...cells } } })
}

async function launch(owner: { workspace_id: string; user_id: string }, campaign_id: string) {
  await launchCampaign(owner.workspace_id, campaign_id, null, MONDAY)
  await enrolLeads(campaign_id, MONDAY)
  await activateCampaign(campaign_id, MONDAY)
}

test('cells that an approved text was not made from may be added and change, and it leaves', async () => {
  const { owner, dataset_id, campaign_id, run_id } = await approvedDraft()
  for (const lead of [0, 1, 2])
    await setCells(dataset_id, lead, { industry: 'Rail', notes: `Nothing ${lead}` })
  await setCells(dataset_id, 0, { notes: 'Something else' })
  const checks = await launchChecks(owner.workspace_id, campaign_id, MONDAY)
  expect(checks.warns.map(({ code }) => code)).not.toContain('texts_held')
  expect(checks.plan.total_actions).toBe(3)
  await launch(owner, campaign_id)
  expect(await sentAt(minutes(1), campaign_id)).toHaveLength(3)
  expect(
    (await listGenerations(owner.workspace_id, run_id, { offset: 0, limit: 9 })).generations,
  ).toMatchObject(Array(3).fill({ changed_cells: [] }))
})

test('a text approved before only its cells were sealed is held to those too', async () => {
  const { owner, dataset_id, campaign_id, run_id } = await approvedDraft()
  for (const row of await db.generation.findMany({ where: { run_id } }))
    await db.generation.update({
      where: { generation_id: row.generation_id },
      data: {
        approved_cells: DbNull,
        seal: sealText(row, textCells(row.lead_snapshot as Record<string, unknown>)),
      },
    })
  await setCells(dataset_id, 0, { industry: 'Rail' })
  await setCells(dataset_id, 1, { company: 'Another Company' })
  await launch(owner, campaign_id)
  expect(await sentAt(minutes(1), campaign_id)).toHaveLength(2)
  expect((await leadsOf(campaign_id))[1]).toMatchObject({ last_event: 'held' })
})

test('what a changed cell holds is counted before the launch, left out of the forecast, and explained', async () => {
  const { owner, dataset_id, campaign_id, run_id } = await approvedDraft({
    unreviewed_launch_policy: 'launch_default',
  })
  await setCells(dataset_id, 1, { company: 'Another Company' })
  const checks = await launchChecks(owner.workspace_id, campaign_id, MONDAY)
  expect(checks.warns.find(({ code }) => code === 'texts_held')).toMatchObject({
    message: expect.stringMatching(/Step 1 holds 1 lead: 1 with a text approved before its data changed/),
    step: 1,
    fix: `/personalize/${run_id}`,
  })
  expect(checks.plan.total_actions).toBe(2)
  const planned = await wholeForecast(owner.workspace_id, campaign_id, MONDAY)
  expect([...planned.lead_index]).toEqual([0, 2])
  expect(planned.warnings).toMatchObject([{ code: 'texts_held' }])

  await launch(owner, campaign_id)
  expect((await wholeForecast(owner.workspace_id, campaign_id, MONDAY)).total_actions).toBe(2)
  expect(await sentAt(minutes(1), campaign_id)).toHaveLength(2)
  expect(await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).toMatchObject({ status: 'active' })
  expect(await explainCampaign(owner.workspace_id, campaign_id, minutes(2))).toMatchObject({
    code: 'texts_held',
    until: null,
    params: { held: 1 },
    message: expect.stringContaining('Review the texts'),
  })
  const later = await wholeForecast(owner.workspace_id, campaign_id, minutes(2))
  expect([later.total_actions, later.warnings.map(({ code }) => code)]).toEqual([0, ['texts_held']])

  const { generations } = await listGenerations(owner.workspace_id, run_id, { offset: 0, limit: 9 })
  expect(generations.map(({ changed_cells }) => changed_cells)).toEqual([[], ['company'], []])
  const again = await approveGeneration(owner.workspace_id, generations[1]?.generation_id ?? '', minutes(3))
  expect(again.changed_cells).toEqual([])
  expect(await sentAt(minutes(4), campaign_id)).toHaveLength(1)
  expect(await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).toMatchObject({
    status: 'completed',
  })
})

test('leads that nobody wrote for are held one by one of many, and only their own step', async () => {
  const { owner, campaign_id } = await written({
    steps_config: [FIRST, { ...SECOND, ai_personalization_enabled: true }],
  })
  const planned = await wholeForecast(owner.workspace_id, campaign_id, MONDAY)
  expect([...planned.step]).toEqual([1, 1, 1])
  expect(planned.warnings.find(({ code }) => code === 'texts_held')?.message).toContain('3 leads wait')
  expect(planned.warnings.map(({ code }) => code)).not.toContain('leads_left_over')
})

test('an edit takes the approval back; the edited words leave once they are approved', async () => {
  const { owner, campaign_id, rows, run_id } = await written()
  await approveRun(owner.workspace_id, run_id, false, MONDAY)
  await editGeneration(owner.workspace_id, rows[0] ?? '', { body: 'Hi Lead0, my own words.' }, MONDAY)
  expect(await sentAt(minutes(1), campaign_id)).toHaveLength(2)
  await approveGeneration(owner.workspace_id, rows[0] ?? '', minutes(2))
  const [mail] = await sentAt(minutes(3), campaign_id)
  expect(mail?.text.split('\n')[0]).toBe('Hi Lead0, my own words.')
})

test('launch_default sends the step’s own text to whoever has no approved one', async () => {
  const { owner, campaign_id, rows } = await written({ unreviewed_launch_policy: 'launch_default' })
  await approveGeneration(owner.workspace_id, rows[0] ?? '', MONDAY)
  await rejectGeneration(owner.workspace_id, rows[1] ?? '')
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
  await pauseCampaign(owner.workspace_id, campaign_id, minutes(1))
  await db.campaign.update({ where: { campaign_id }, data: { unreviewed_launch_policy: 'launch_default' } })
  await resumeCampaign(owner.workspace_id, campaign_id, minutes(2))
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
  await approveRun(owner.workspace_id, run_id, true, minutes(day + 1))
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

test('a text is not approved where its lead cannot be let go', async () => {
  const { owner, campaign_id, run_id, rows } = await written()
  await dispatchAll(MONDAY)
  await pool().query(
    `CREATE FUNCTION keep_held() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'kept'; END $$;
     CREATE TRIGGER keep_held BEFORE UPDATE ON campaign_leads FOR EACH ROW
       WHEN (NEW.campaign_id = '${campaign_id}' AND NEW.last_event = 'released') EXECUTE FUNCTION keep_held()`,
  )
  try {
    await expect(approveGeneration(owner.workspace_id, rows[0] ?? '', minutes(1))).rejects.toThrow('kept')
    await expect(approveRun(owner.workspace_id, run_id, false, minutes(1))).rejects.toThrow('kept')
    expect(await db.generation.count({ where: { run_id, approved_at: { not: null } } })).toBe(0)
  } finally {
    await pool().query('DROP TRIGGER keep_held ON campaign_leads; DROP FUNCTION keep_held')
  }
  await approveRun(owner.workspace_id, run_id, false, minutes(2))
  expect(await sentAt(minutes(2), campaign_id)).toHaveLength(3)
})
