import { expect, test } from 'vitest'
import {
  CreateSenderProfile,
  DeleteSenderProfile,
  ListSenderProfiles,
  ReadSenderProfile,
  UpdateSenderProfile,
} from '#lib/contracts/messages/sender-profiles'
import { Personalize } from '#lib/contracts/personalize/personalize'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aCampaign, aUser } from '#tests/support/scenes/factories'

type User = { workspace_id: string; user_id: string }

const sender_data = { name: 'Ada', title: 'Engineer', links: { site: 'https://example.com' }, years: 3 }

const create = (as: User, fields: Record<string, unknown> = {}) =>
  call(CreateSenderProfile, { as, body: { profile_name: 'Ada', sender_data, ...fields } })

test('201 answers what was given, its free fields under `data`, and every default', async () => {
  const owner = await aUser()
  const { status, body } = await create(owner)
  expect(status).toBe(201)
  expect(body).toEqual({
    user_id: owner.user_id,
    workspace_id: owner.workspace_id,
    profile_name: 'Ada',
    sender_data: { data: sender_data },
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    description: null,
    created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    updated_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    usage_count: 0,
    is_default: false,
    version: 1,
  })
  expect(Date.parse(body.updated_at ?? '')).toBeGreaterThanOrEqual(Date.parse(body.created_at ?? ''))
  const read = await call(ReadSenderProfile, { as: owner, params: { id: body.id ?? '' } })
  expect(read.body).toEqual(body)
})

test.each([
  ['profile_name', { profile_name: '' }],
  ['profile_name', { profile_name: 'x'.repeat(101) }],
  ['profile_name', { profile_name: undefined }],
  ['profile_name', { profile_name: 7 }],
  ['sender_data', { sender_data: undefined }],
  ['sender_data', { sender_data: null }],
  ['sender_data', { sender_data: ['a'] }],
  ['sender_data', { sender_data: 'Ada' }],
  ['description', { description: 'x'.repeat(501) }],
  ['description', { description: '  ' }],
  ['is_default', { is_default: 'yes' }],
])('422 names %s for %j, and nothing is kept', async (field, wrong) => {
  const owner = await aUser()
  const { status, error } = await create(owner, wrong)
  expect(status).toBe(422)
  expect(error).toMatchObject({
    error: 'validation_error',
    message: 'Request validation failed',
    path: '/api/v1/sender-profiles/',
  })
  expect(error.details[0]).toMatchObject({
    loc: ['body', field],
    msg: expect.any(String),
    type: expect.any(String),
  })
  expect(await db.senderProfile.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
})

test.each([
  ['the shortest name', { profile_name: 'x' }],
  ['the longest name', { profile_name: 'x'.repeat(100) }],
  ['the longest description', { description: 'x'.repeat(500) }],
  ['no description', { description: null }],
  ['no fields at all', { sender_data: {} }],
  ['text that only looks like an escape', { sender_data: { path: 'C:\\ud83d\\u0000' } }],
])('201 with %s', async (_, fields) => {
  const { status, body } = await create(await aUser(), fields)
  expect(status).toBe(201)
  if ('sender_data' in fields) expect(body.sender_data.data).toEqual(fields.sender_data)
})

test('free fields come back in the order they were given, whatever they are called', async () => {
  const owner = await aUser()
  const given =
    '{"zeta":1,"alpha":{"b":[{"y":1,"a":2}],"a":null},"__proto__":{"toString":"x"},"constructor":"c"}'
  const body = `{"profile_name":"Ada","sender_data":${given}}`
  const made = await call(CreateSenderProfile, { as: owner, body })
  expect(made.status).toBe(201)
  const params = { id: made.body.id ?? '' }
  const read = await call(ReadSenderProfile, { as: owner, params })
  for (const one of [made, read]) expect(JSON.stringify(one.body.sender_data.data)).toBe(given)
  const changed = await call(UpdateSenderProfile, {
    as: owner,
    params,
    body: '{"sender_data":{"__proto__":null,"b":1,"a":2}}',
  })
  expect(JSON.stringify(changed.body.sender_data.data)).toBe('{"__proto__":null,"b":1,"a":2}')
})

test('free fields that are whole numbers stay in their place, at every depth', async () => {
  const owner = await aUser()
  const given =
    '{"b":"x","10":"ten","2":{"9":1,"a":[{"7":"\\"7\\":","5":0}],"1":3},"-1":"minus","01":"one","a":"y"}'
  const made = await call(CreateSenderProfile, {
    as: owner,
    body: `{"profile_name":"Ada","sender_data":${given}}`,
  })
  expect(made.status).toBe(201)
  expect(made.text).toContain(`"sender_data":{"data":${given}}`)
  const params = { id: made.body.id ?? '' }
  const changed = await call(UpdateSenderProfile, {
    as: owner,
    params,
    body: '{"sender_data":{"9":1,"b":{"__proto__":2,"3":"x"},"1":0},"version":1}',
  })
  expect(changed.text).toContain('"data":{"9":1,"b":{"__proto__":2,"3":"x"},"1":0}')
  const stale = await call(UpdateSenderProfile, {
    as: owner,
    params,
    body: { version: 1, profile_name: 'B' },
  })
  for (const { text } of [await call(ListSenderProfiles, { as: owner }), stale])
    expect(text).toContain('"data":{"9":1,"b":{"__proto__":2,"3":"x"},"1":0}')
  expect(stale.status).toBe(409)
})

test('usage counts campaigns beyond their draft, and personalization runs', async () => {
  const owner = await aUser()
  const id = (await create(owner)).body.id ?? ''
  const other = (await create(owner)).body.id ?? ''
  const variant = { label: 'A', weight: 1, type: 'TEMPLATE', sender_profile_id: id }
  const steps_config = [1, 2].map(() => ({ message_template: 'Hi', variants: [variant] }))
  const usage = async () => (await call(ReadSenderProfile, { as: owner, params: { id } })).body.usage_count

  const { campaign_id, dataset_id } = await aCampaign(owner, { steps_config })
  expect(await usage()).toBe(0)
  for (const status of ['active', 'completed'] as const) {
    await db.campaign.update({ where: { campaign_id }, data: { status } })
    expect(await usage()).toBe(1)
  }
  await call(Personalize, { as: owner, body: { dataset_id, prompt: 'Hi', sender_profile_id: id } })
  expect(await usage()).toBe(2)
  const { body } = await call(ListSenderProfiles, { as: owner })
  expect(body.sender_profiles.map((one) => [one.id, one.usage_count])).toEqual([
    [other, 0],
    [id, 2],
  ])
})

test('only one profile is the default, also when two become it at once', async () => {
  const owner = await aUser()
  await create(owner, { is_default: true })
  const both = await Promise.all([1, 2].map(() => create(owner, { is_default: true })))
  expect(both.map(({ status }) => status)).toEqual([201, 201])
  expect(
    await db.senderProfile.count({ where: { workspace_id: owner.workspace_id, is_default: true } }),
  ).toBe(1)
  const last = await create(owner)
  const params = { id: last.body.id ?? '' }
  await call(UpdateSenderProfile, { as: owner, params, body: { is_default: true } })
  const { body } = await call(ListSenderProfiles, { as: owner })
  expect(body.sender_profiles.map((profile) => profile.is_default)).toEqual([true, false, false, false])
})

test('PATCH changes only what is given', async () => {
  const owner = await aUser()
  const { body } = await create(owner, { description: 'Before' })
  const params = { id: body.id ?? '' }
  const changed = await call(UpdateSenderProfile, {
    as: owner,
    params,
    body: { sender_data: { name: 'Eve' } },
  })
  expect(changed.body).toEqual({
    ...body,
    sender_data: { data: { name: 'Eve' } },
    version: 2,
    updated_at: changed.body.updated_at,
  })
  const cleared = await call(UpdateSenderProfile, { as: owner, params, body: { description: null } })
  expect(cleared.body).toMatchObject({ description: null, profile_name: 'Ada' })
})

test('newest first in pages with their total; a page past the end is empty', async () => {
  const owner = await aUser()
  const made = []
  for (let count = 0; count < 3; count += 1) made.unshift((await create(owner)).body.id)
  const first = await call(ListSenderProfiles, { as: owner, query: { page_size: 2 } })
  expect(first.body.sender_profiles.map(({ id }) => id)).toEqual(made.slice(0, 2))
  expect(first.body).toMatchObject({ total: 3, page: 1, page_size: 2 })
  // The interface accepts any page number.
  for (const page of [9, 1_000_001, Number.MAX_SAFE_INTEGER]) {
    const beyond = await call(ListSenderProfiles, { as: owner, query: { page, page_size: 2 } })
    expect(beyond.body).toEqual({ sender_profiles: [], total: 3, page, page_size: 2 })
  }
})

test('a profile is deleted unless a campaign that may send names it', async () => {
  const owner = await aUser()
  const id = (await create(owner)).body.id ?? ''
  const variants = [{ label: 'A', weight: 1, type: 'TEMPLATE', sender_profile_id: id }]
  const campaign = await aCampaign(owner, { steps_config: [{ message_template: 'Hi', variants }] })
  await db.campaign.update({ where: { campaign_id: campaign.campaign_id }, data: { status: 'active' } })
  const refused = await call(DeleteSenderProfile, { as: owner, params: { id } })
  expect([refused.status, refused.error.detail]).toEqual([409, 'sender_profile_in_use'])
  await db.campaign.update({ where: { campaign_id: campaign.campaign_id }, data: { status: 'completed' } })
  expect((await call(DeleteSenderProfile, { as: owner, params: { id } })).status).toBe(204)
  expect((await call(ReadSenderProfile, { as: owner, params: { id } })).error).toEqual({
    detail: 'sender_profile_not_found',
    message: 'Sender profile not found.',
  })
})
