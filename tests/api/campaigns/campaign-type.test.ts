import { describe, expect, test } from 'vitest'
import { CreateCampaign, ReadCampaign, UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aDataset, aUser } from '#tests/support/scenes/factories'

const MAIL = { subject: 'Hello', message_template: 'A word?' }
const VISIT = { channel: 'social', action_type: 'visit_profile' }

async function created(body: Record<string, unknown>) {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 1)
  const said = await call(CreateCampaign, { as: owner, body: { name: 'A campaign', dataset_id, ...body } })
  return { owner, ...said }
}

describe('the type of a campaign decides which steps it may hold', () => {
  test.each([
    ['email', [MAIL], null],
    ['email', [MAIL, VISIT], 'steps_config.1'],
    [undefined, [VISIT], 'steps_config.0'],
    ['social', [VISIT], null],
    ['social', [VISIT, MAIL], 'steps_config.1'],
    ['mixed', [VISIT, MAIL], null],
  ])('%s with %j', async (type, steps_config, wrong) => {
    const { status, error } = await created({ ...(type ? { type } : {}), steps_config })
    expect(status).toBe(wrong === null ? 201 : 422)
    if (wrong === null) return
    const [problem] = error.details as { loc: string[]; msg: string }[]
    expect(problem?.loc.join('.')).toBe(`body.${wrong}.channel`)
    expect(problem?.msg).toContain(`step ${Number(wrong.at(-1)) + 1} `)
  })

  test('an edit is held to it, and may make it mixed with the step', async () => {
    const { owner, body: params } = await created({ steps_config: [MAIL] })
    const edit = (body: Record<string, unknown>) => call(UpdateCampaign, { as: owner, params, body })
    expect((await edit({ steps_config: [MAIL, VISIT] })).status).toBe(422)
    expect((await edit({ steps_config: [MAIL, VISIT], type: 'mixed' })).status).toBe(200)
    expect((await edit({ type: 'email' })).status).toBe(422)
  })

  test('one that held another step before keeps it', async () => {
    const { owner, body: params } = await created({ steps_config: [MAIL, VISIT], type: 'mixed' })
    await db.campaign.update({ where: { campaign_id: params.campaign_id }, data: { type: 'email' } })
    const edit = (body: Record<string, unknown>) => call(UpdateCampaign, { as: owner, params, body })
    expect((await edit({ name: 'Another' })).status).toBe(200)
    expect((await edit({ steps_config: [{ ...MAIL, delay_days: 1 }, VISIT] })).status).toBe(200)
    const added = await edit({
      steps_config: [{ ...MAIL, delay_days: 1 }, VISIT, { ...VISIT, delay_days: 2 }],
    })
    expect(added.status).toBe(422)
  })
})

test('an email step keeps its action_type as given', async () => {
  const step = { ...MAIL, channel: 'email', action_type: 'connection_request' }
  const { owner, status, body } = await created({ steps_config: [step] })
  expect(status).toBe(201)
  const read = await call(ReadCampaign, { as: owner, params: body })
  expect(read.body.steps_config).toMatchObject([{ channel: 'email', action_type: 'connection_request' }])
})

test('a variant without a label gets the next letter that is free', async () => {
  const variants = [{ label: 'B' }, {}, { label: null }, { label: 'A' }, {}]
  const { body } = await created({ steps_config: [{ ...MAIL, variants }] })
  expect(body.steps_config[0]?.variants.map(({ label }) => label)).toEqual(['B', 'C', 'D', 'A', 'E'])
})
