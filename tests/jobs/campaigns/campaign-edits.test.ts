import { afterEach, expect, test } from 'vitest'
import { ListCampaignEdits, UndoCampaignEdit } from '#lib/contracts/campaigns/campaign-edits'
import { ListCampaigns, ReadCampaign, UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { EditPreview } from '#lib/contracts/campaigns/edit-preview'
import { ReadTemplate } from '#lib/contracts/messages/templates'
import { db } from '#lib/db/client'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { updateCampaign } from '#lib/services/changes/update'
import { pauseCampaign, resumeCampaign } from '#lib/services/launch/lifecycle'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { call } from '#tests/support/call'
import { aCampaign, aMailbox, aTemplate, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launched, leadsOf, MONDAY, minutes } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const DAY = 24 * 60

/** A paused campaign whose first step was sent to all three leads. */
async function paused() {
  const made = await launched()
  await dispatchAt(MONDAY)
  await pauseCampaign(made.owner.workspace_id, made.campaign_id, minutes(1))
  const { steps_config } = await getCampaign(made.owner.workspace_id, made.campaign_id)
  const params = { campaign_id: made.campaign_id }
  const dry = (body: object) =>
    call(UpdateCampaign, { as: made.owner, params, query: { dry_run: 'true' }, body })
  const edit = (fields: Parameters<typeof updateCampaign>[2], at = minutes(2)) =>
    updateCampaign(made.owner.workspace_id, made.campaign_id, fields, at)
  const undo = (edit_id: string | null) =>
    call(UndoCampaignEdit, { as: made.owner, params: { ...params, edit_id: `${edit_id}` } })
  return { ...made, steps_config, params, dry, edit, undo }
}

const waitLonger = (steps: Awaited<ReturnType<typeof paused>>['steps_config'], delay_days: number) =>
  steps.map((step) => (step.step === 2 ? { ...step, delay_days } : step))

test('a dry run says who gets what and when, before and after, and changes nothing', async () => {
  const { owner, campaign_id, steps_config, dry, params } = await paused()
  const before = await leadsOf(campaign_id)
  const { status, body } = await dry({
    steps_config: waitLonger(steps_config, 9),
    daily_limit: 7,
    name: 'Other',
  })
  expect(status).toBe(200)
  const { changes, forecast_before, forecast_after } = EditPreview.parse(body)
  expect(changes).toEqual([
    { what: 'Name', step: null, before: expect.any(String), after: 'Other', leads: 0 },
    { what: 'Daily limit', step: null, before: '1000', after: '7', leads: 3 },
    { what: 'Step 2: Waits', step: 2, before: '1 day', after: '9 days', leads: 3 },
  ])
  expect([forecast_before.total_actions, forecast_after.total_actions]).toEqual([3, 3])
  expect(await leadsOf(campaign_id)).toEqual(before)
  const now = await call(ReadCampaign, { as: owner, params })
  expect(now.body).toMatchObject({ daily_limit: 1000, steps_config })
  expect(await db.campaignEdit.count({ where: { campaign_id } })).toBe(0)
  expect(await db.auditEvent.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
})

test('the forecast of a dry run is the one that the edit then has', async () => {
  const { dry, edit, steps_config } = await paused()
  const fields = { steps_config: [...waitLonger(steps_config, 400 - 40)], sending_window_start: '10:00:00' }
  const planned = EditPreview.parse((await dry(fields)).body).forecast_after
  await edit(fields)
  const real = EditPreview.parse((await dry({ name: 'Same' })).body).forecast_before
  expect({ ...real, starts_at: '' }).toEqual({ ...planned, starts_at: '' })
})

test('steps that come, go and move are told as that', async () => {
  const { dry, steps_config } = await paused()
  const [first, second] = steps_config
  const third = { ...second, step: 3, message_template: 'A third.' }
  const added = EditPreview.parse((await dry({ steps_config: [first, second, third] })).body).changes
  expect(added.map(({ what, before, after }) => [what, before, after])).toEqual([
    ['Step 3, Email, is new: Waits', null, '1 day'],
    ['Step 3, Email, is new: Happens', null, 'Always'],
    ['Step 3, Email, is new: Text', null, 'A third.'],
  ])
  const gone = EditPreview.parse((await dry({ steps_config: [first] })).body)
  expect(gone.changes.map(({ what, after, leads }) => [what, after, leads])).toEqual([
    ['Step 2, Email, is removed', null, 3],
  ])
  expect(gone.forecast_after.total_actions).toBe(0)
})

test('a dry run is refused where the edit would be, and a draft has one too', async () => {
  const { owner, dry, params, campaign_id, steps_config } = await paused()
  const reached = await dry({ steps_config: steps_config.map((step) => ({ ...step, subject: 'X' })) })
  expect([reached.status, reached.error.detail]).toEqual([409, 'campaign_not_editable'])
  await resumeCampaign(owner.workspace_id, campaign_id, minutes(3))
  expect((await dry({ daily_limit: 7 })).status).toBe(409)
  const draft = await aCampaign(owner)
  const { body } = await call(UpdateCampaign, {
    as: owner,
    params: { campaign_id: draft.campaign_id },
    query: { dry_run: 'true' },
    body: { daily_limit: 7 },
  })
  expect(body).toMatchObject({ changes: [{ what: 'Daily limit', before: '50', after: '7', leads: 3 }] })
  const wrong = await call(UpdateCampaign, { as: owner, params, query: { dry_run: 'yes' }, body: {} })
  expect([wrong.status, wrong.error.details[0].loc]).toEqual([422, ['query', 'dry_run']])
})

test('a query parameter that an operation does not know is refused and named; the documented ones ignore it', async () => {
  const { owner, params } = await paused()
  const misspelt = await call(UpdateCampaign, {
    as: owner,
    params,
    query: { dryrun: 'true' },
    body: { daily_limit: 7 },
  })
  expect(misspelt.status).toBe(422)
  expect(misspelt.error.details).toEqual([
    { loc: ['query', 'dryrun'], msg: expect.any(String), type: 'unrecognized_keys' },
  ])
  expect((await call(ReadCampaign, { as: owner, params })).body.daily_limit).toBe(1000)
  const { template_id } = await aTemplate(owner)
  const none = await call(ReadTemplate, { as: owner, params: { template_id }, query: { a: 1, b: 2 } })
  expect(none.error.details.map(({ loc }: { loc: string[] }) => loc[1])).toEqual(['a', 'b'])
  expect((await call(ListCampaigns, { as: owner, query: { utm_source: 'x', page: 1 } })).status).toBe(200)
})

test('an edit is undone with the leads that it moved, while nothing was sent by it', async () => {
  const { owner, campaign_id, steps_config, edit, undo, params } = await paused()
  const before = await leadsOf(campaign_id)
  const other = await aMailbox(owner)
  const { edit_id } = await edit({ steps_config: steps_config.slice(0, 1), alias_ids: [other.mailbox_id] })
  expect((await leadsOf(campaign_id)).map(({ status }) => status)).toEqual(Array(3).fill('completed'))

  const done = await undo(edit_id)
  expect(done.body).toMatchObject({ steps_config, alias_ids: null, edit_id: expect.any(String) })
  expect(await leadsOf(campaign_id)).toEqual(before)
  const { items, total } = (await call(ListCampaignEdits, { as: owner, params })).body
  expect(total).toBe(2)
  expect(items[1]).toMatchObject({ edit_id, may_undo: false, undone_at: expect.any(String) })

  await resumeCampaign(owner.workspace_id, campaign_id, minutes(60))
  const { outbox } = await dispatchAt(minutes(DAY))
  expect(outbox).toHaveLength(3)
})

test('once something was sent by it, an edit stays; one of another step can still go', async () => {
  const { owner, campaign_id, steps_config, edit, undo } = await paused()
  const [first, second] = steps_config
  if (!first || !second) throw new Error('there are two steps')
  const third = { ...second, step: 3, delay_days: 5 }
  const early = await edit({ steps_config: [first, { ...second, message_template: 'Changed.' }] })
  const late = await edit(
    { steps_config: [first, { ...second, message_template: 'Changed.' }, third] },
    minutes(3),
  )
  const overtaken = await undo(early.edit_id)
  expect([overtaken.status, overtaken.error.detail]).toEqual([409, 'edit_overtaken'])

  await resumeCampaign(owner.workspace_id, campaign_id, minutes(60))
  const running = await undo(late.edit_id)
  expect([running.status, running.error.detail]).toEqual([409, 'campaign_not_editable'])
  await dispatchAt(minutes(DAY))
  await pauseCampaign(owner.workspace_id, campaign_id, minutes(DAY + 1))
  expect((await undo(late.edit_id)).status).toBe(200)
  const sent = await undo(early.edit_id)
  expect([sent.status, sent.error.detail]).toEqual([409, 'edit_sent'])
})

test('a lead that something moved since stays where it is', async () => {
  const { campaign_id, edit, undo, steps_config } = await paused()
  const { edit_id } = await edit({ steps_config: waitLonger(steps_config, 9) })
  const [lead] = await leadsOf(campaign_id)
  await db.campaignLead.update({
    where: { campaign_lead_id: `${lead?.campaign_lead_id}` },
    data: { status: 'replied', next_step: null, next_action_at: null, last_event: 'replied' },
  })
  expect((await undo(edit_id)).status).toBe(200)
  expect((await leadsOf(campaign_id)).map(({ status }) => status)).toEqual(['replied', 'active', 'active'])
})

test('only whoever may send changes what a launched campaign sends; of others an edit is not there', async () => {
  const { owner, campaign_id, edit, params } = await paused()
  const { key } = await createApiKey(
    owner,
    { name: 'K', scopes: ['read', 'write'], expires_at: null },
    new Date(),
  )
  const refused = await call(UpdateCampaign, { token: key, params, body: { daily_limit: 7 } })
  expect([refused.status, refused.error.detail]).toEqual([403, 'forbidden'])
  const draft = await aCampaign(owner)
  const free = await call(UpdateCampaign, {
    token: key,
    params: { campaign_id: draft.campaign_id },
    body: { daily_limit: 7 },
  })
  expect([free.status, free.body.edit_id]).toEqual([200, null])
  const { edit_id } = await edit({ daily_limit: 7 })
  const foreign = { campaign_id, edit_id: `${edit_id}` }
  expect((await call(UndoCampaignEdit, { as: await aUser(), params: foreign })).status).toBe(404)
  const none = await call(UndoCampaignEdit, {
    as: owner,
    params: { campaign_id, edit_id: crypto.randomUUID() },
  })
  expect([none.status, none.error.detail]).toEqual([404, 'edit_not_found'])
})
