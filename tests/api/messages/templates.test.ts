import { expect, test } from 'vitest'
import {
  CreateTemplate,
  DeleteTemplate,
  ListTemplates,
  ReadTemplate,
  UpdateTemplate,
} from '#lib/contracts/messages/templates'
import { templateUses } from '#lib/services/messages/references'
import { call } from '#tests/support/call'
import { aCampaign, aTemplate, aUser } from '#tests/support/scenes/factories'

const content = { subject: 'Hello {{ first_name }}', body: 'Welcome.' }

test('201 answers the template as it was given', async () => {
  const owner = await aUser()
  const { status, body } = await call(CreateTemplate, { as: owner, body: { name: 'Intro', content } })
  expect(status).toBe(201)
  expect(body).toMatchObject({ workspace_id: owner.workspace_id, name: 'Intro', content })
  expect((await call(ReadTemplate, { as: owner, params: { template_id: body.template_id } })).body).toEqual(
    body,
  )
})

test('422 names line and column of broken Liquid, and nothing is kept', async () => {
  const owner = await aUser()
  const broken = { subject: 'Hi', body: 'one\n{{ first_name | }' }
  const { status, error } = await call(CreateTemplate, {
    as: owner,
    body: { name: 'Broken', content: broken },
  })
  expect(status).toBe(422)
  expect(error).toMatchObject({
    error: 'validation_error',
    message: 'Request validation failed',
    path: '/api/v1/templates/',
  })
  expect(error.details[0]).toMatchObject({ loc: ['body', 'content', 'body'], type: 'template_invalid' })
  expect(error.details[0].msg).toMatch(/^line 2, column \d+: /)
  expect((await call(ListTemplates, { as: owner })).body.total).toBe(0)
})

test('PATCH changes only what is given', async () => {
  const owner = await aUser()
  const before = await aTemplate(owner)
  const params = { template_id: before.template_id }
  const { body } = await call(UpdateTemplate, { as: owner, params, body: { content: { subject: 'New' } } })
  expect(body.content).toEqual({ subject: 'New', body: before.content.body })
  expect(body.name).toBe(before.name)
})

test('newest first, and a page past the end is empty with the true total', async () => {
  const owner = await aUser()
  const first = await aTemplate(owner)
  const second = await aTemplate(owner)
  const listed = await call(ListTemplates, { as: owner })
  expect(listed.body.templates.map((template) => template.template_id)).toEqual([
    second.template_id,
    first.template_id,
  ])
  const beyond = await call(ListTemplates, { as: owner, query: { page: 9 } })
  expect(beyond.body).toEqual({ templates: [], total: 2 })
})

test('204 deletes, then 404', async () => {
  const owner = await aUser()
  const params = { template_id: (await aTemplate(owner)).template_id }
  expect((await call(DeleteTemplate, { as: owner, params })).status).toBe(204)
  expect((await call(ReadTemplate, { as: owner, params })).error).toEqual({
    detail: 'template_not_found',
    message: 'Template not found.',
  })
})

test('the uses of a template count each campaign of its owner once', async () => {
  const owner = await aUser()
  const [used, unused] = [await aTemplate(owner), await aTemplate(owner)]
  const variants = [
    { label: 'A', weight: 50, template_id: used.template_id },
    { label: 'B', weight: 50, template_id: used.template_id },
  ]
  await aCampaign(owner, { steps_config: [{ variants }, { delay_days: 2, variants }] })
  await aCampaign(owner, { steps_config: [{ variants }] })
  const ids = [used.template_id, unused.template_id]
  expect(await templateUses(owner.workspace_id, ids)).toEqual(new Map([[used.template_id, 2]]))
  expect(await templateUses((await aUser()).workspace_id, ids)).toEqual(new Map())
})
