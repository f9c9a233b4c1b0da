import { afterEach, describe, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { activateCampaign, enrolLeads, failLaunch, launchStillPossible } from '#lib/services/launch/enrolment'
import { launchCampaign, resumeCampaign, startDueCampaigns } from '#lib/services/launch/lifecycle'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'
import { campaignOf, dispatchAt, FIRST, launched, MONDAY, minutes } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const ALWAYS_OPEN = { sending_window_start: '00:00', sending_window_end: '00:00', min_interval_seconds: 0 }

async function scheduled(fields: Record<string, unknown> = {}) {
  const owner = await aUser()
  await aMailbox(owner)
  const campaign = await aCampaign(owner, {
    ...ALWAYS_OPEN,
    steps_config: [{ ...FIRST, ai_personalization_enabled: true }],
    ...fields,
  })
  await launchCampaign(owner.workspace_id, campaign.campaign_id, minutes(60), MONDAY)
  return { owner, campaign_id: campaign.campaign_id }
}

/** The work of the background function on a launching campaign. */
async function carryOut(campaign_id: string, at: Date) {
  expect(await launchStillPossible(campaign_id)).toBe(true)
  await enrolLeads(campaign_id, at)
  return activateCampaign(campaign_id, at)
}

describe('a scheduled start', () => {
  test.each([
    ['launch_default', { status: 'launching', paused_reason: null }],
    ['hold', { status: 'paused', paused_from: 'scheduled', paused_reason: 'personalization_review_pending' }],
    ['cancel', { status: 'draft', launch_error: expect.stringContaining('reviewed') }],
  ])('without review, policy %s', async (unreviewed_launch_policy, becomes) => {
    const { campaign_id } = await scheduled({ unreviewed_launch_policy })
    await startDueCampaigns(minutes(59))
    expect((await campaignOf(campaign_id)).status).toBe('scheduled')
    await startDueCampaigns(minutes(60))
    expect(await campaignOf(campaign_id)).toMatchObject(becomes)
    expect(await db.campaignLead.count({ where: { campaign_id } })).toBe(0)
  })

  test.each(['hold', 'cancel'])('starts under policy %s once it is reviewed', async (policy) => {
    const { campaign_id } = await scheduled({ unreviewed_launch_policy: policy })
    await db.campaign.update({ where: { campaign_id }, data: { reviewed_at: MONDAY } })
    await startDueCampaigns(minutes(60))
    expect((await campaignOf(campaign_id)).status).toBe('launching')
  })

  test.each(['hold', 'cancel'])('starts under policy %s where no step is written by AI', async (policy) => {
    const { campaign_id } = await scheduled({ unreviewed_launch_policy: policy, steps_config: [FIRST] })
    await startDueCampaigns(minutes(60))
    expect((await campaignOf(campaign_id)).status).toBe('launching')
  })

  test('held, it starts when it is resumed', async () => {
    const { owner, campaign_id } = await scheduled({ unreviewed_launch_policy: 'hold' })
    await startDueCampaigns(minutes(60))
    await resumeCampaign(owner.workspace_id, campaign_id, minutes(90))
    expect(await campaignOf(campaign_id)).toMatchObject({ status: 'launching', paused_from: null })
    expect(await carryOut(campaign_id, minutes(91))).toBe(true)
    // The owner approved the launch, not the unapproved texts: each lead waits for its own text.
    expect((await dispatchAt(minutes(91))).offered).toBe(0)
    const held = await db.campaignLead.count({ where: { campaign_id, last_event: 'held' } })
    expect(held).toBe(3)
  })

  test('cancelled, it may be launched again', async () => {
    const { owner, campaign_id } = await scheduled({ unreviewed_launch_policy: 'cancel' })
    await startDueCampaigns(minutes(60))
    await launchCampaign(owner.workspace_id, campaign_id, minutes(120), minutes(61))
    expect(await campaignOf(campaign_id)).toMatchObject({ status: 'scheduled', launch_error: null })
  })

  test('two sweeps at once start it once', async () => {
    const { campaign_id } = await scheduled()
    const sweeps = await Promise.all([startDueCampaigns(minutes(60)), startDueCampaigns(minutes(60))])
    expect(sweeps.reduce((sum, sweep) => sum + sweep.started, 0)).toBe(1)
    expect((await campaignOf(campaign_id)).launch_job_id).toBeTruthy()
  })
})

describe('a failed launch', () => {
  test('sends nothing, keeps what was enrolled, and is launched again without doubling', async () => {
    const owner = await aUser()
    await aMailbox(owner)
    const { dataset_id } = await aDataset(owner, 3)
    const { campaign_id } = await aCampaign(owner, { ...ALWAYS_OPEN, dataset_id, steps_config: [FIRST] })
    await launchCampaign(owner.workspace_id, campaign_id, null, MONDAY)
    await enrolLeads(campaign_id, MONDAY)
    await failLaunch(campaign_id, 'the database went away', MONDAY)
    expect(await campaignOf(campaign_id)).toMatchObject({
      status: 'failed',
      launch_error: 'the database went away',
      total_leads: 3,
    })
    expect((await dispatchAt(MONDAY)).offered).toBe(0)
    // Half of the rows were added only after the first try had ended.
    await db.datasetRow.createMany({
      data: [3, 4].map((lead_index) => ({
        dataset_id,
        lead_index,
        workspace_id: owner.workspace_id,
        email: `late-${lead_index}-${campaign_id}@example.com`,
        data: { first_name: 'Late', company: 'L' },
      })),
    })
    await launchCampaign(owner.workspace_id, campaign_id, null, minutes(1))
    await carryOut(campaign_id, minutes(1))
    expect(await campaignOf(campaign_id)).toMatchObject({
      status: 'active',
      total_leads: 5,
      launch_error: null,
    })
    const { outbox } = await dispatchAt(minutes(1))
    expect(outbox).toHaveLength(5)
    expect(new Set(outbox.map((mail) => mail.to.address)).size).toBe(5)
    expect(await campaignOf(campaign_id)).toMatchObject({ status: 'completed', sent_count: 5 })
  })

  test('two enrolments at once enrol each row once', async () => {
    const owner = await aUser()
    await aMailbox(owner)
    const { dataset_id } = await aDataset(owner, 500)
    const { campaign_id } = await aCampaign(owner, { dataset_id, steps_config: [FIRST] })
    await launchCampaign(owner.workspace_id, campaign_id, null, MONDAY)
    const both = await Promise.all([enrolLeads(campaign_id, MONDAY), enrolLeads(campaign_id, MONDAY)])
    expect(both.reduce((sum, each) => sum + each.enrolled, 0)).toBe(500)
    expect(await campaignOf(campaign_id)).toMatchObject({ total_leads: 500, processed_leads: 0 })
  })

  test('what ran is not failed by a late report, and is not enrolled again', async () => {
    const { campaign_id } = await launched({}, 2)
    await failLaunch(campaign_id, 'late', minutes(1))
    expect(await campaignOf(campaign_id)).toMatchObject({ status: 'active', launch_error: null })
    expect(await enrolLeads(campaign_id, minutes(1))).toEqual({ enrolled: 0 })
  })
})

test('a dataset of more than one batch is enrolled whole', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const { dataset_id } = await aDataset(owner, 0)
  await pool().query(
    `INSERT INTO dataset_rows (dataset_id, lead_index, workspace_id, email, data)
     SELECT $1, n, $2, 'lead' || n || '@example.com', '{"first_name": "A", "company": "B"}'
     FROM generate_series(0, 24999) n`,
    [dataset_id, owner.workspace_id],
  )
  await db.dataset.update({
    where: { dataset_id },
    data: { row_count: 25_000, columns: ['first_name', 'company'].map((key) => ({ name: key, key })) },
  })
  const { campaign_id } = await aCampaign(owner, { dataset_id, steps_config: [FIRST] })
  await launchCampaign(owner.workspace_id, campaign_id, null, MONDAY)
  expect(await enrolLeads(campaign_id, MONDAY)).toEqual({ enrolled: 25_000 })
  expect(await campaignOf(campaign_id)).toMatchObject({ total_leads: 25_000, processed_leads: 0 })
})
