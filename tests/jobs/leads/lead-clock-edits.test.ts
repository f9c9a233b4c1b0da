import { expect, test } from 'vitest'
import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { EnrichmentOptions } from '#lib/contracts/enrichment/dataset-sessions'
import { AddCampaignLeads } from '#lib/contracts/leads/added-leads'
import type { EnrichmentProvider } from '#lib/providers/enrichment/port'
import { undoCampaignEdit } from '#lib/services/changes/undo'
import { updateCampaign } from '#lib/services/changes/update'
import { runRound } from '#lib/services/enrichment/round'
import { startSession } from '#lib/services/enrichment/sessions'
import { undoDatasetSession } from '#lib/services/enrichment/undo'
import { forecastEdited } from '#lib/services/forecast/forecasts'
import { pauseCampaign, resumeCampaign } from '#lib/services/launch/lifecycle'
import { addCampaignLeads } from '#lib/services/leads/rows/add-leads'
import { editDatasetRow } from '#lib/services/leads/rows/edit-row'
import { clocks, launchedByClocks, MONDAY, planned, playOut } from '#tests/support/scenes/launched'
import { NO_FINDER } from '#tests/support/scenes/pipeline'

const ADA = { first_name: 'Ada', timezone: 'America/New_York' }
const BEN = { first_name: 'Ben', timezone: '' }
const edit = (body: Record<string, unknown>) => UpdateCampaign.body.parse(body)

test('a campaign that is paused may take up the clocks of its leads and give them up, and that can be undone', async () => {
  const { owner, campaign_id } = await launchedByClocks({ schedule_timezone: 'campaign' }, [ADA, BEN])
  const { workspace_id } = owner
  const [theirs, none] = [
    { Ada: ['America/New_York', 'timezone'], Ben: ['Europe/Berlin', null] },
    { Ada: [null, null], Ben: [null, null] },
  ]
  expect(await clocks(campaign_id)).toEqual(none)
  await pauseCampaign(workspace_id, campaign_id, MONDAY)
  const before = await planned(workspace_id, campaign_id)
  const { actions } = await forecastEdited(
    workspace_id,
    campaign_id,
    { schedule_timezone: 'lead' },
    { offset: 0, limit: 10 },
    MONDAY,
  )
  const { edit_id } = await updateCampaign(
    workspace_id,
    campaign_id,
    edit({ schedule_timezone: 'lead' }),
    MONDAY,
  )
  expect(await clocks(campaign_id)).toEqual(theirs)
  const after = await planned(workspace_id, campaign_id)
  expect(after).toEqual(['Ben 1 2026-03-02T10:00', 'Ada 1 2026-03-02T14:00'])
  expect(actions.map(({ at }) => new Date(at).toISOString().slice(0, 16))).toEqual(
    after.map((one) => one.slice(-16)),
  )

  await undoCampaignEdit(workspace_id, campaign_id, edit_id ?? '', MONDAY)
  expect(await clocks(campaign_id)).toEqual(none)
  expect(await planned(workspace_id, campaign_id)).toEqual(before)

  await updateCampaign(workspace_id, campaign_id, edit({ schedule_timezone: 'lead' }), MONDAY)
  await updateCampaign(workspace_id, campaign_id, edit({ timezone: 'Asia/Tokyo' }), MONDAY)
  expect(await clocks(campaign_id)).toEqual({ ...theirs, Ben: ['Asia/Tokyo', null] })
  await resumeCampaign(workspace_id, campaign_id, MONDAY)
  expect(await playOut(campaign_id)).toEqual(['Ada 1 2026-03-02T14:00', 'Ben 1 2026-03-03T00:00'])
})

test('whoever edits where somebody is moves them to that clock, at once', async () => {
  const { owner, dataset_id, campaign_id } = await launchedByClocks({}, [ADA, BEN])
  const key = { dataset_id, workspace_id: owner.workspace_id, lead_index: 0 }
  await editDatasetRow(key, { data: { timezone: 'Europe/London' }, version: null }, MONDAY)
  expect(await clocks(campaign_id)).toMatchObject({ Ada: ['Europe/London', 'timezone'] })
  await editDatasetRow(key, { data: { timezone: 'on the road' }, version: null }, MONDAY)
  expect(await clocks(campaign_id)).toMatchObject({ Ada: ['Europe/Berlin', null] })
  const expected = ['Ada 1 2026-03-02T10:00', 'Ben 1 2026-03-02T10:00']
  expect(await planned(owner.workspace_id, campaign_id)).toEqual(expected)
  expect(await playOut(campaign_id)).toEqual(expected)
})

test('a session that finds out where somebody is moves them there, and its undo moves back who is not written to any more', async () => {
  const { owner, dataset_id, campaign_id } = await launchedByClocks({}, [
    { ...BEN, city: 'Tokyo' },
    { ...ADA, first_name: 'Eve' },
  ])
  const { workspace_id } = owner
  expect(await clocks(campaign_id)).toMatchObject({ Ben: ['Europe/Berlin', null] })
  const whereabouts: EnrichmentProvider = {
    name: 'whereabouts',
    description: 'Where people are',
    is_sandbox: true,
    fields: ['country'],
    price_micros: 0,
    lookup: async () => ({
      outcome: 'found',
      fields: { country: 'Japan' },
      cost_micros: 0,
      source: 'test',
    }),
  }
  const { session_id } = await startSession(workspace_id, dataset_id, {
    work: 'enrichment',
    pipeline_type: 'enrichment',
    options: EnrichmentOptions.parse({ providers: ['whereabouts'], rules: ['names'], max_cost: 100 }),
  })
  const tools = { clock: () => MONDAY, providers: [whereabouts], finder: NO_FINDER, verifiers: [] }
  expect(await runRound(session_id, new Date(MONDAY.getTime() + 60_000), tools)).toEqual({ done: true })
  expect(await clocks(campaign_id)).toEqual({
    Ben: ['Asia/Tokyo', 'city'],
    Eve: ['America/New_York', 'timezone'],
  })
  const expected = ['Eve 1 2026-03-02T14:00', 'Ben 1 2026-03-03T00:00']
  expect(await planned(workspace_id, campaign_id)).toEqual(expected)
  expect(await playOut(campaign_id)).toEqual(expected)

  await undoDatasetSession(workspace_id, dataset_id, session_id, MONDAY)
  expect(await clocks(campaign_id)).toEqual({
    Ben: ['Europe/Berlin', null],
    Eve: ['America/New_York', 'timezone'],
  })
})

test('leads that come later have their clocks as those of the launch', async () => {
  const { owner, campaign_id } = await launchedByClocks({}, [ADA])
  const body = AddCampaignLeads.body.parse({
    rows: [
      { email: 'cy@example.com', first_name: 'Cy', company: 'Acme', timezone: 'Asia/Tokyo' },
      { email: 'dee@example.com', first_name: 'Dee', company: 'Acme' },
    ],
  })
  await addCampaignLeads(owner.workspace_id, campaign_id, body, MONDAY)
  expect(await clocks(campaign_id)).toEqual({
    Ada: ['America/New_York', 'timezone'],
    Cy: ['Asia/Tokyo', 'timezone'],
    Dee: ['Europe/Berlin', null],
  })
  const expected = ['Dee 1 2026-03-02T10:00', 'Ada 1 2026-03-02T14:00', 'Cy 1 2026-03-03T00:00']
  expect(await planned(owner.workspace_id, campaign_id)).toEqual(expected)
  expect(await playOut(campaign_id)).toEqual(expected)
})
