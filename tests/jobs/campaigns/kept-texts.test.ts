import { afterEach, expect, test } from 'vitest'
import { AdoptTemplates, ListCampaignEdits, UndoCampaignEdit } from '#lib/contracts/campaigns/campaign-edits'
import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { PreviewStep } from '#lib/contracts/campaigns/step-previews'
import { DeleteTemplate, UpdateTemplate } from '#lib/contracts/messages/templates'
import { db } from '#lib/db/client'
import { activateCampaign, enrolLeads, failLaunch } from '#lib/services/launch/enrolment'
import { launchCampaign, pauseCampaign, resumeCampaign } from '#lib/services/launch/lifecycle'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { call } from '#tests/support/call'
import { aCampaign, aMailbox, aTemplate, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, FIRST, MONDAY, minutes } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const DAY = 24 * 60
const variant = (template_id: string, label = 'A') => ({ label, template_id })

/** A launched campaign whose first step uses a template, and the template with a text that was changed since. */
async function changedSince(second = false) {
  const owner = await aUser()
  await aMailbox(owner)
  const { template_id } = await aTemplate(owner, { subject: 'Old', body: 'Old words.' })
  const { campaign_id } = await aCampaign(owner, {
    sending_window_start: '00:00',
    sending_window_end: '00:00',
    min_interval_seconds: 0,
    steps_config: second
      ? [FIRST, { delay_days: 1, variants: [variant(template_id)] }]
      : [{ variants: [variant(template_id)] }],
  })
  await start(owner, campaign_id)
  const change = (content: object) =>
    call(UpdateTemplate, { as: owner, params: { template_id }, body: { content } })
  return { owner, campaign_id, template_id, change, params: { campaign_id } }
}

async function start(owner: { workspace_id: string; user_id: string }, campaign_id: string) {
  await launchCampaign(owner.workspace_id, campaign_id, null, MONDAY)
  await enrolLeads(campaign_id, MONDAY)
  await activateCampaign(campaign_id, MONDAY)
}

const previewOf = async (owner: { workspace_id: string; user_id: string }, campaign_id: string) =>
  (await call(PreviewStep, { as: owner, params: { campaign_id }, body: { step: 1, lead_index: 0 } })).body

test('a launched campaign sends the words it was launched with, whatever becomes of its template', async () => {
  const { owner, campaign_id, change } = await changedSince()
  const { body } = await change({ subject: 'New', body: 'New words.' })
  expect(body).toMatchObject({
    content: { subject: 'New', body: 'New words.' },
    older_in: [{ campaign_id, status: 'active' }],
  })
  expect(await previewOf(owner, campaign_id)).toMatchObject({ subject: 'Old' })
  const { outbox } = await dispatchAt(MONDAY)
  expect(outbox.map(({ subject }) => subject)).toEqual(['Old', 'Old', 'Old'])
  expect(outbox[0]?.text).toContain('Old words.')
})

test('a draft, and one that failed to start, follow their templates; so does a new launch', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const { template_id } = await aTemplate(owner, { subject: 'Old' })
  const { campaign_id } = await aCampaign(owner, { steps_config: [{ variants: [variant(template_id)] }] })
  const change = (subject: string) =>
    call(UpdateTemplate, { as: owner, params: { template_id }, body: { content: { subject } } })
  expect((await change('Second')).body.older_in).toEqual([])
  expect(await previewOf(owner, campaign_id)).toMatchObject({ subject: 'Second' })
  await launchCampaign(owner.workspace_id, campaign_id, null, MONDAY)
  expect((await change('Third')).body.older_in).toHaveLength(1)
  expect(await previewOf(owner, campaign_id)).toMatchObject({ subject: 'Second' })
  await failLaunch(campaign_id, 'Nothing was there.')
  expect(await previewOf(owner, campaign_id)).toMatchObject({ subject: 'Third' })
  await launchCampaign(owner.workspace_id, campaign_id, null, MONDAY)
  await change('Fourth')
  expect(await previewOf(owner, campaign_id)).toMatchObject({ subject: 'Third' })
})

test('on request the new words are taken over, and only whoever may send may ask', async () => {
  const { owner, campaign_id, template_id, change, params } = await changedSince()
  await change({ subject: 'New' })
  const key = await createApiKey(
    owner,
    { name: 'K', scopes: ['read', 'write'], expires_at: null },
    new Date(),
  )
  expect((await call(AdoptTemplates, { token: key.key, params })).status).toBe(403)

  const dry = await call(AdoptTemplates, { as: owner, params, query: { dry_run: 'true' } })
  expect(dry.body.changes).toEqual([
    {
      what: 'Step 1: Text of A',
      step: 1,
      before: 'Old\n\nOld words.',
      after: 'New\n\nOld words.',
      leads: 3,
    },
  ])
  expect(dry.body.forecast_after).toEqual(dry.body.forecast_before)
  expect(await previewOf(owner, campaign_id)).toMatchObject({ subject: 'Old' })

  const done = await call(AdoptTemplates, { as: owner, params, body: { template_ids: [template_id] } })
  expect(done.body).toMatchObject({ changes: dry.body.changes, edit_id: expect.any(String) })
  const again = await call(AdoptTemplates, { as: owner, params })
  expect(again.body).toMatchObject({ changes: [], edit_id: null })
  const { outbox } = await dispatchAt(MONDAY)
  expect(outbox.map(({ subject }) => subject)).toEqual(['New', 'New', 'New'])
})

test('words that could not be sent are not taken over, and foreign templates are named', async () => {
  const { owner, campaign_id, change, params } = await changedSince()
  await change({ body: 'Hello {{ nickname }}' })
  const refused = await call(AdoptTemplates, { as: owner, params })
  expect([refused.status, refused.error.detail]).toEqual([409, 'launch_blocked'])
  const other = await aTemplate(owner)
  const foreign = await call(AdoptTemplates, {
    as: owner,
    params,
    body: { template_ids: [other.template_id] },
  })
  expect([foreign.status, foreign.error.details[0].loc]).toEqual([422, ['body', 'template_ids', '0']])
  const draft = await aCampaign(owner, { steps_config: [FIRST] })
  const drafted = await call(AdoptTemplates, { as: owner, params: { campaign_id: draft.campaign_id } })
  expect([drafted.status, drafted.error.detail]).toEqual([409, 'campaign_not_editable'])
  const stranger = await call(AdoptTemplates, { as: await aUser(), params: { campaign_id } })
  expect(stranger.status).toBe(404)
})

test('what was taken over is taken back while nothing was sent by it, also while the campaign runs', async () => {
  const { owner, campaign_id, change, params } = await changedSince(true)
  await dispatchAt(MONDAY)
  await change({ subject: 'New' })
  const { body } = await call(AdoptTemplates, { as: owner, params })
  const edit_id = `${body.edit_id}`
  const { items } = (await call(ListCampaignEdits, { as: owner, params })).body
  expect(items).toMatchObject([{ edit_id, may_undo: true, why_not: null, undone_at: null }])
  const undone = await call(UndoCampaignEdit, { as: owner, params: { campaign_id, edit_id } })
  expect(undone.status).toBe(200)
  const { outbox } = await dispatchAt(minutes(DAY))
  expect(outbox.map(({ subject }) => subject)).toEqual(['Old', 'Old', 'Old'])
  const twice = await call(UndoCampaignEdit, { as: owner, params: { campaign_id, edit_id } })
  expect([twice.status, twice.error.detail]).toEqual([409, 'edit_undone'])
})

test('a template that a step names since an edit is held as it was then', async () => {
  const { owner, campaign_id, change, params } = await changedSince()
  const other = await aTemplate(owner, { subject: 'Other' })
  await pauseCampaign(owner.workspace_id, campaign_id, minutes(1))
  const { status } = await call(UpdateCampaign, {
    as: owner,
    params,
    body: { steps_config: [{ variants: [variant(other.template_id)] }] },
  })
  expect(status).toBe(200)
  await call(UpdateTemplate, {
    as: owner,
    params: { template_id: other.template_id },
    body: { content: { subject: 'Later' } },
  })
  expect((await change({ subject: 'New' })).body.older_in).toEqual([])
  const unused = await db.campaignText.findMany({ where: { campaign_id } })
  expect(unused.map((row) => row.template_id)).toEqual([other.template_id])
  const refused = await call(DeleteTemplate, { as: owner, params: { template_id: other.template_id } })
  expect(refused.status).toBe(409)
  await resumeCampaign(owner.workspace_id, campaign_id, minutes(2))
  const { outbox } = await dispatchAt(minutes(2))
  expect(outbox.map(({ subject }) => subject)).toEqual(['Other', 'Other', 'Other'])
})
