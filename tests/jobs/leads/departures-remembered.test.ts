import { afterEach, describe, expect, test } from 'vitest'
import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import { UpdateInboxThread } from '#lib/contracts/inbox/inbox'
import { AddCampaignLeads } from '#lib/contracts/leads/added-leads'
import { ListAuditEvents } from '#lib/contracts/workspaces/audit'
import { db } from '#lib/db/client'
import { forecastCampaign } from '#lib/services/forecast/forecasts'
import { branchRound } from '#lib/services/inbox/intent/branches'
import { followCorrection } from '#lib/services/inbox/intent/corrections'
import { releaseLead } from '#lib/services/leads/holds'
import { call } from '#tests/support/call'
import { awayNotice } from '#tests/support/scenes/arrivals'
import { begun, later, launchedOver, leadTo, logOf } from '#tests/support/scenes/begun'
import { aCampaign, aDataset } from '#tests/support/scenes/factories'
import { dispatchAt, FIRST, minutes, OPEN } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const REASON = 'She works next door now and asked us to write.'
const recipients = async (at: Date) => (await dispatchAt(at)).outbox.map(({ to }) => to.address)
const leadIn = (campaign_id: string, email: string) =>
  db.campaignLead.findFirstOrThrow({ where: { campaign_id, email } })
const askFor = (workspace_id: string, after_reply: 'everywhere' | 'campaign') =>
  db.workspace.update({ where: { workspace_id }, data: { after_reply } })
const wholeForecast = (workspace_id: string, campaign_id: string) =>
  forecastCampaign(workspace_id, campaign_id, { offset: 0, limit: 100 }, minutes(60))
const forecastOf = async (workspace_id: string, campaign_id: string) =>
  (await wholeForecast(workspace_id, campaign_id)).actions.map(({ lead_index }) => lead_index)

/** A campaign of one step has finished with both leads; an auto-reply of one says that she has left the company. */
async function left(fields: Record<string, unknown> = { steps_config: [FIRST] }) {
  const made = await begun(fields, 2)
  await made.in(awayNotice(made.mail, 'I have left the company.', later))
  return { ...made, address: made.mail.to.address, workspace_id: made.owner.workspace_id }
}

describe('a campaign launched after its person left', () => {
  test('passes them over, says so beforehand, and is forecast without them', async () => {
    const made = await left()
    expect(await leadTo(made.mail)).toMatchObject({ status: 'completed' })
    const draft = await aCampaign(made.owner, { ...OPEN, dataset_id: made.dataset_id })
    const { campaign_id } = draft
    const { lead_index } = await leadTo(made.mail)
    const checks = await call(ReadLaunchChecks, { as: made.owner, params: { campaign_id } })
    expect(checks.body.warns).toContainEqual({
      code: 'rows_has_left',
      message: '1 row for people who have left will be skipped.',
      step: null,
      fix: `/campaigns/${campaign_id}/settings`,
    })
    expect(await forecastOf(made.workspace_id, campaign_id)).not.toContain(lead_index)
    const next = await launchedOver(made, made.dataset_id, {})
    expect(await leadIn(next.campaign_id, made.address)).toMatchObject({
      status: 'skipped',
      reason: 'has_left',
      next_action_at: null,
    })
    expect(await recipients(minutes(61))).toHaveLength(1)
  })

  test('passes them over though the campaign that they answered is deleted, and a hold of them is lifted', async () => {
    const made = await left({})
    const lead = await leadTo(made.mail)
    const named = {
      workspaceId: made.workspace_id,
      campaignId: made.campaign_id,
      leadId: lead.campaign_lead_id,
    }
    expect(await releaseLead(named, minutes(40))).toEqual({ was_held: false })
    await db.campaign.delete({ where: { campaign_id: made.campaign_id } })
    const next = await launchedOver(made, made.dataset_id, {})
    expect(await leadIn(next.campaign_id, made.address)).toMatchObject({ reason: 'has_left' })
  })

  test('refuses them as added leads, with the reason', async () => {
    const made = await left()
    const next = await launchedOver(made, made.dataset_id, {})
    await db.campaignLead.deleteMany({ where: { campaign_id: next.campaign_id, email: made.address } })
    await db.datasetRow.deleteMany({ where: { dataset_id: made.dataset_id, email: made.address } })
    const added = await call(AddCampaignLeads, {
      as: made.owner,
      params: { campaign_id: next.campaign_id },
      body: { rows: [{ email: made.address }] },
    })
    expect(added.body).toMatchObject({ added: 0, skipped: [{ code: 'has_left' }] })
  })

  test('has them where the workspace ends nobody in other campaigns', async () => {
    const made = await left()
    await askFor(made.workspace_id, 'campaign')
    const next = await launchedOver(made, made.dataset_id, {})
    expect(await leadIn(next.campaign_id, made.address)).toMatchObject({ status: 'pending', reason: null })
    expect(await recipients(minutes(61))).toContain(made.address)
  })

  test('has them for a reason that is given and in the audit, and is forecast with them', async () => {
    const made = await left()
    const draft = await aCampaign(made.owner, { ...OPEN, dataset_id: made.dataset_id })
    const given = await call(UpdateCampaign, {
      as: made.owner,
      params: { campaign_id: draft.campaign_id },
      body: { contact_policy_override: REASON },
    })
    expect(given.status).toBe(200)
    const audit = await call(ListAuditEvents, { as: made.owner })
    expect(JSON.stringify(audit.body)).toContain(REASON)
    const { lead_index } = await leadTo(made.mail)
    expect(await forecastOf(made.workspace_id, draft.campaign_id)).toContain(lead_index)
    const next = await launchedOver(made, made.dataset_id, { contact_policy_override: REASON })
    expect(await leadIn(next.campaign_id, made.address)).toMatchObject({ status: 'pending', reason: null })
    expect(await recipients(minutes(61))).toContain(made.address)
  })
})

describe('what is remembered of who left', () => {
  test('is forgotten once somebody says that the answer meant something else', async () => {
    const made = await left()
    const thread = await db.thread.findFirstOrThrow({ where: { workspace_id: made.workspace_id } })
    const params = { thread_id: thread.thread_id }
    await call(UpdateInboxThread, { as: made.owner, params, body: { intent: 'referral' } })
    await followCorrection(made.workspace_id, thread.thread_id, later)
    const still = await launchedOver(made, made.dataset_id, {})
    expect(await leadIn(still.campaign_id, made.address)).toMatchObject({ reason: 'has_left' })
    await call(UpdateInboxThread, { as: made.owner, params, body: { intent: 'later' } })
    await followCorrection(made.workspace_id, thread.thread_id, later)
    const next = await launchedOver(made, made.dataset_id, {})
    expect(await leadIn(next.campaign_id, made.address)).toMatchObject({ status: 'pending' })
  })

  test('does not keep them from the campaign that a rule adds them to for it', async () => {
    const made = await begun({ steps_config: [FIRST] }, 2)
    const { workspace_id } = made.owner
    const { address } = made.mail.to
    const list = await aDataset(made.owner, [{ email: 'somebody@else.test' }])
    const into = await launchedOver(made, list.dataset_id, {})
    await db.intentRule.create({
      data: { workspace_id, intent: 'wrong_person', does: 'branch', branch_campaign_id: into.campaign_id },
    })
    await made.in(awayNotice(made.mail, 'I have left the company.', later))
    await branchRound(later)
    expect(await leadIn(into.campaign_id, address)).toMatchObject({ status: 'pending' })
    const { lead_index } = await leadIn(into.campaign_id, address)
    expect(await forecastOf(workspace_id, into.campaign_id)).toContain(lead_index)
    expect(await recipients(minutes(61))).toContain(address)
  })
})

describe('a claim', () => {
  test('ends whom a stricter policy no longer lets through, as the forecast says', async () => {
    const made = await left()
    await askFor(made.workspace_id, 'campaign')
    const { campaign_id } = await launchedOver(made, made.dataset_id, {})
    await askFor(made.workspace_id, 'everywhere')
    const lead = await leadIn(campaign_id, made.address)
    const { actions, warnings } = await wholeForecast(made.workspace_id, campaign_id)
    const forecast = actions.map(({ lead_index }) => lead_index)
    expect(forecast).not.toContain(lead.lead_index)
    expect(forecast).not.toHaveLength(0)
    expect(warnings).toContainEqual({
      code: 'people_left',
      message: '1 lead is left out because their person has left the company.',
    })
    expect(await recipients(minutes(61))).not.toContain(made.address)
    expect(await leadIn(campaign_id, made.address)).toMatchObject({ status: 'skipped', reason: 'has_left' })
    expect(await logOf(lead.campaign_lead_id)).toEqual(['has_left'])
  })

  test('writes to them for a reason that was given', async () => {
    const made = await left()
    await askFor(made.workspace_id, 'campaign')
    await launchedOver(made, made.dataset_id, { contact_policy_override: REASON })
    await askFor(made.workspace_id, 'everywhere')
    expect(await recipients(minutes(61))).toContain(made.address)
  })
})
