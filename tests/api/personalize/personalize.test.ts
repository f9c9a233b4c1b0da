import { expect, test } from 'vitest'
import {
  ApproveGeneration,
  EditGeneration,
  ListGenerations,
  RegenerateGeneration,
  RejectGeneration,
} from '#lib/contracts/personalize/generations'
import {
  ApprovePersonalizationRun,
  CancelPersonalizationRun,
  ListPersonalizationRuns,
  Personalize,
  PreviewPersonalization,
  ReadPersonalizationRun,
  RejectPersonalizationRun,
} from '#lib/contracts/personalize/personalize'
import { db } from '#lib/db/client'
import { AI_SEATS, seatOrRefusal } from '#lib/services/instance/seats'
import { personalizeRound } from '#lib/services/personalize/round'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, aPersonalizationRun, aTemplate, aUser } from '#tests/support/scenes/factories'

const NOBODYS = '00000000-0000-7000-8000-000000000001'

test('a run is queued, written by the offline writer, and listed', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 7)
  const { status, body } = await call(Personalize, { as: owner, body: { dataset_id, prompt: 'Be brief' } })
  expect([status, body.status, body.total]).toEqual([202, 'queued', 7])
  expect(await personalizeRound(body.run_id)).toEqual({ state: 'done', wake_at: null })
  const params = { run_id: body.run_id }
  const run = (await call(ReadPersonalizationRun, { as: owner, params })).body
  expect(run).toMatchObject({
    status: 'completed',
    model: 'Offline writer',
    generated_count: 7,
    flagged_count: 0,
    cost: 0,
    reviewed_at: null,
  })
  expect((await call(ListPersonalizationRuns, { as: owner })).body).toMatchObject({
    total: 1,
    items: [{ ...run }],
  })
  const page = (await call(ListGenerations, { as: owner, params, query: { offset: 2, limit: 3 } })).body
  expect(page).toMatchObject({ total_generations: 7, offset: 2, limit: 3, has_more: true })
  expect(page.generations.map(({ lead_index }) => lead_index)).toEqual([2, 3, 4])
  expect(page.generations[0]).toMatchObject({ status: 'generated', model: 'Offline writer' })
  expect(page.generations[0]?.body).toContain('Lead2')
  const last = (await call(ListGenerations, { as: owner, params, query: { offset: 4, limit: 3 } })).body
  expect(last.has_more).toBe(false)
  for (const offset of [10_000_001, Number.MAX_SAFE_INTEGER]) {
    const beyond = await call(ListGenerations, { as: owner, params, query: { offset } })
    expect(beyond.body).toMatchObject({ generations: [], total_generations: 7, offset, has_more: false })
  }
})

test('runs are queued however many questions are under way, and a preview waits its turn', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 1)
  const seats = Array.from({ length: AI_SEATS.of_holder }, () => seatOrRefusal(AI_SEATS, owner.workspace_id))
  const taken = await Promise.all(seats)
  const as = { as: owner, body: { dataset_id, prompt: 'Be brief' } }
  const runs = await Promise.all(Array.from({ length: 8 }, () => call(Personalize, as)))
  expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 202))
  expect((await call(PreviewPersonalization, as)).status).toBe(429)
  await Promise.all(taken.map((giveBack) => giveBack()))
})

test('what a request names must be there, and usable', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 2)
  const empty = await aDataset(owner, [])
  const broken = await aTemplate(owner, { body: 'Hi {{ shoe_size }}' })
  const { campaign_id } = await aCampaign(owner)
  const refused = async (body: object) => {
    const { status, error } = await call(Personalize, { as: owner, body })
    return [status, error.detail ?? error.error]
  }
  expect(await refused({ dataset_id: NOBODYS })).toEqual([404, 'dataset_not_found'])
  expect(await refused({ dataset_id: empty.dataset_id })).toEqual([409, 'dataset_empty'])
  expect(await refused({ dataset_id, lead_indexes: [99] })).toEqual([409, 'dataset_empty'])
  const none = await call(Personalize, { as: owner, body: { dataset_id, lead_indexes: [99] } })
  expect(none.error.message).toBe('None of these rows are in the dataset.')
  expect(await refused({ dataset_id, template_id: NOBODYS })).toEqual([404, 'template_not_found'])
  expect(await refused({ dataset_id, template_id: broken.template_id })).toEqual([422, 'template_invalid'])
  expect(await refused({ dataset_id, sender_profile_id: NOBODYS })).toEqual([404, 'sender_profile_not_found'])
  expect(await refused({ dataset_id, campaign_id: NOBODYS })).toEqual([404, 'campaign_not_found'])
  expect(await refused({ dataset_id, campaign_id })).toEqual([422, 'validation_error'])
  expect(await refused({ dataset_id, step: 0 })).toEqual([422, 'validation_error'])
  expect(await refused({})).toEqual([422, 'validation_error'])
})

test('a preview writes for at most five leads and stores nothing', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 9)
  const { template_id } = await aTemplate(owner)
  const body = { dataset_id, template_id, lead_indexes: [8, 0] }
  const { status, body: made } = await call(PreviewPersonalization, { as: owner, body })
  expect(status).toBe(200)
  expect(made.generations.map(({ lead_index }) => lead_index)).toEqual([0, 8])
  expect(made.generations[0]?.body).not.toBe(made.generations[1]?.body)
  expect(made.generations[0]).toMatchObject({
    generation_id: null,
    status: 'generated',
    subject: 'Hello Lead0',
  })
  expect((await call(ListPersonalizationRuns, { as: owner })).body.total).toBe(0)
  const six = await call(PreviewPersonalization, {
    as: owner,
    body: { dataset_id, lead_indexes: [0, 1, 2, 3, 4, 5] },
  })
  expect(six.status).toBe(422)
})

test('a run that nobody has, or somebody else, is not found', async () => {
  const [owner, other] = [await aUser(), await aUser()]
  const { run_id } = await aPersonalizationRun(other, { dataset_id: (await aDataset(other)).dataset_id })
  for (const id of [NOBODYS, run_id]) {
    const { status, error } = await call(ListGenerations, { as: owner, params: { run_id: id } })
    expect([status, error.detail]).toEqual([404, 'run_not_found'])
  }
})

test('one text is edited, approved, written anew and rejected', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 3)
  const { run_id } = await aPersonalizationRun(owner, { dataset_id })
  const one = await db.generation.findFirstOrThrow({ where: { run_id, lead_index: 1 } })
  const params = { generation_id: one.generation_id }
  const edited = await call(EditGeneration, {
    as: owner,
    params,
    body: { body: 'Hello Lead1, see 4711 things' },
  })
  expect(edited.body).toMatchObject({ subject: 'Text 1', model: null, approved_at: null })
  expect(edited.body.flags.map(({ code }) => code)).toEqual(['number_without_source'])
  expect((await call(ApproveGeneration, { as: owner, params })).body.approved_at).not.toBeNull()
  const again = await call(EditGeneration, { as: owner, params, body: { subject: 'Another' } })
  expect(again.body.approved_at).toBeNull()
  const anew = await call(RegenerateGeneration, { as: owner, params })
  expect(anew.body).toMatchObject({ model: 'Offline writer', edited_at: null, flags: [] })
  expect(anew.body.body).toContain('Company 1')
  expect((await call(RejectGeneration, { as: owner, params })).body.status).toBe('rejected')
  const refused = await call(ApproveGeneration, { as: owner, params })
  expect([refused.status, refused.error.detail]).toEqual([409, 'run_not_reviewable'])
  const run = await call(ReadPersonalizationRun, { as: owner, params: { run_id } })
  expect(run.body).toMatchObject({ generated_count: 2, rejected_count: 1, approved_count: 0 })
})

test('a run is approved without its flagged texts unless they are included, and can be rejected', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 3)
  const steps_config = [{ subject: 'Hi', message_template: 'Hi', ai_personalization_enabled: true }]
  const { campaign_id } = await aCampaign(owner, { dataset_id, steps_config })
  const { run_id } = await aPersonalizationRun(owner, { dataset_id, campaign_id, step: 1 })
  const flags = [{ code: 'pretence', message: 'Look' }]
  await db.generation.updateMany({ where: { run_id, lead_index: 0 }, data: { flags } })
  const params = { run_id }
  const approved = await call(ApprovePersonalizationRun, { as: owner, params })
  expect(approved.body).toMatchObject({ approved_count: 2, flagged_count: 1 })
  expect(approved.body.reviewed_at).not.toBeNull()
  expect((await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).reviewed_at).not.toBeNull()
  const all = await call(ApprovePersonalizationRun, { as: owner, params, body: { include_flagged: true } })
  expect(all.body.approved_count).toBe(3)
  const rejected = await call(RejectPersonalizationRun, { as: owner, params })
  expect(rejected.body).toMatchObject({ approved_count: 0, rejected_count: 3, reviewed_at: null })
})

test('a run that is under way can be cancelled, and not reviewed', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 3)
  const { body } = await call(Personalize, { as: owner, body: { dataset_id } })
  const params = { run_id: body.run_id }
  const early = await call(ApprovePersonalizationRun, { as: owner, params, body: {} })
  expect([early.status, early.error.detail]).toEqual([409, 'run_not_reviewable'])
  expect(early.error.message).toBe('A run can be reviewed once it has ended.')
  expect((await call(CancelPersonalizationRun, { as: owner, params })).body.status).toBe('cancelled')
  const twice = await call(CancelPersonalizationRun, { as: owner, params })
  expect([twice.status, twice.error.detail]).toEqual([409, 'invalid_state'])
})

test('of a run that was cancelled the texts that were finished are reviewed', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 2)
  const { run_id } = await aPersonalizationRun(owner, { dataset_id, count: 2 })
  await db.personalizationRun.update({ where: { run_id }, data: { status: 'cancelled' } })
  const { status, body } = await call(ApprovePersonalizationRun, { as: owner, params: { run_id }, body: {} })
  expect([status, body.status, body.approved_count]).toEqual([200, 'cancelled', 2])
})
