import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { AppError, ERRORS, type ErrorCode } from '#lib/errors'
import { errorResponse } from '#lib/http/envelope'
import { routes } from '#lib/http/route'
import { operations } from '#lib/operations/all'
import { operation } from '#lib/operations/operation'
import { issueToken } from '#lib/services/workspaces/tokens'
import { knock } from '#tests/support/door'
import { aTemplate, aUser } from '#tests/support/scenes/factories'

let authorization = ''
let template_id = ''
beforeAll(async () => {
  const owner = await aUser()
  authorization = `Bearer ${await issueToken(owner.user_id, new Date())}`
  template_id = (await aTemplate(owner)).template_id
})

const ask = (method: string, target: string, init: RequestInit = {}) =>
  knock(method, target, { ...init, headers: { authorization, ...init.headers } })

const nobody = '01900000-0000-7000-8000-000000000000'

test('the four shapes of an error', async () => {
  const flat = await ask('GET', `/sender-profiles/${nobody}`)
  expect(flat.status).toBe(404)
  expect(await flat.json()).toEqual({
    detail: 'sender_profile_not_found',
    message: 'Sender profile not found.',
  })
  const legacy = await ask('POST', `/campaigns/${nobody}/pause`)
  expect(legacy.status).toBe(404)
  expect(await legacy.json()).toEqual({ detail: 'Campaign not found.' })
  const details = [{ loc: ['query', 'page'], msg: expect.any(String), type: expect.any(String) }]
  const validation = await ask('GET', '/campaigns/?page=0&search=x')
  expect(validation.status).toBe(422)
  expect(await validation.json()).toEqual({
    error: 'validation_error',
    details,
    path: '/api/v1/campaigns/',
    message: 'Request validation failed',
  })
  const chat = contract({
    id: 'chat',
    method: 'GET',
    path: '/chat',
    tag: 'Meta',
    summary: 'A contract with the framework shape',
    query: z.object({ page: z.coerce.number().min(1) }),
    response: z.object({}),
    status: 200,
    errors: 'flat',
    validation: 'framework',
    scope: null,
  })
  const route = routes(operation(chat, async () => ({})))
  const framework = await route.GET(new Request('http://opener.test/chat?page=0'), {
    params: Promise.resolve({}),
  })
  expect(framework.status).toBe(422)
  expect(await framework.json()).toEqual({ detail: details })
})

test.each(Object.keys(ERRORS) as ErrorCode[])('%s has one status and one body per shape', async (code) => {
  const { status, message } = ERRORS[code]
  const error = new AppError(code)
  const flat = errorResponse(error, { errors: 'flat' }, '/')
  const legacy = errorResponse(error, { errors: 'legacy' }, '/')
  expect([flat.status, await flat.json()]).toEqual([status, { detail: code, message }])
  expect([legacy.status, await legacy.json()]).toEqual([status, { detail: message }])
})

test('a fault of ours says nothing of its cause', async () => {
  const response = errorResponse(new Error('SELECT secret FROM users'), { errors: 'flat' }, '/')
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({ detail: 'internal_error', message: ERRORS.internal_error.message })
})

/** Every path of the registry with an invented value for each parameter. */
const paths = [...new Set(operations.map(({ contract: { path } }) => path))]
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

test.each(paths)('a method that %s lacks is 405 with the methods it has', async (template) => {
  const has = operations
    .filter(({ contract: { path } }) => path === template)
    .map(({ contract: { method } }) => method)
  const target = template.replace(/\{\w+\}/g, nobody)
  for (const method of METHODS.filter((one) => !has.includes(one as (typeof has)[number]))) {
    const response = await ask(method, target)
    expect([method, response.status]).toEqual([method, 405])
    expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(has.toSorted())
    expect(await response.json()).toEqual({ detail: 'Method Not Allowed' })
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
  }
})

test.each(METHODS)('an unknown path is 404 in JSON for %s, credential or none', async (method) => {
  for (const target of ['/nothing', '/campaignsx/', `/templates/${nobody}/nothing`]) {
    for (const headers of [{ authorization }, undefined]) {
      const init: RequestInit = headers ? { headers } : {}
      const response = await knock(method, target, init)
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({ detail: 'Not Found' })
      expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
    }
  }
})

test('both slash forms reach the same operation', async () => {
  for (const target of ['/templates', '/templates/', '/auth/me', '/auth/me/'])
    expect((await ask('GET', target)).status).toBe(200)
})

test.each([
  ['no body', ''],
  ['half a body', '{"name": "x"'],
  ['a trailing comma', '{"name": "x",}'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a number', '1e999'],
  ['a form', 'name=x'],
  ['a lone byte', Uint8Array.of(0xff)],
  ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
  ['brackets without an end', '['.repeat(200_000)],
])('%s where JSON is required is 422 in the validation shape', async (_, body) => {
  const response = await ask('POST', '/templates/', { body: body as BodyInit })
  expect(response.status).toBe(422)
  const said = await response.json()
  expect(said).toMatchObject({ error: 'validation_error', path: '/api/v1/templates/' })
  expect(said.details[0].loc[0]).toBe('body')
})

test('JSON is read whatever the content type says', async () => {
  const body = JSON.stringify({ name: 'x', content: { subject: 's', body: 'b' } })
  for (const type of ['text/plain', 'application/json; charset=utf-8', 'application/x-www-form-urlencoded']) {
    const response = await ask('POST', '/templates/', { body, headers: { 'content-type': type } })
    expect(response.status).toBe(201)
  }
})

test('a body over 1 MiB is 400, told by its length or by its bytes', async () => {
  const body = JSON.stringify({ name: 'x'.repeat(1024 * 1024) })
  const told = await ask('POST', '/templates/', { body, headers: { 'content-length': `${body.length}` } })
  const stream = new Response(body).body
  const streamed = await ask('POST', '/templates/', { body: stream, duplex: 'half' } as RequestInit)
  for (const response of [told, streamed]) {
    expect(response.status).toBe(400)
    expect((await response.json()).message).toContain('1048576 bytes')
  }
})

test('a body that breaks off is 400', async () => {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"name": ')),
    pull: (controller) => controller.error(new Error('hung up')),
  })
  const response = await ask('POST', '/templates/', { body, duplex: 'half' } as RequestInit)
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ detail: 'bad_request', message: 'The body was cut off.' })
})

test('a request id is echoed where it is harmless and replaced where it is not', async () => {
  const idOf = async (given?: string) => {
    const headers: HeadersInit = given === undefined ? {} : { 'x-request-id': given }
    return (await ask('GET', `/templates/${template_id}`, { headers })).headers.get('x-request-id')
  }
  expect(await idOf('client-id_12345')).toBe('client-id_12345')
  for (const given of [undefined, 'short', 'x'.repeat(65), 'a b c d e f', '<script>alert</script>'])
    expect(await idOf(given)).toMatch(/^[0-9a-f-]{36}$/)
  expect(await idOf()).not.toBe(await idOf())
})

test('Idempotency-Key is ignored: two equal POSTs make two resources', async () => {
  const body = JSON.stringify({ name: 'Twice', content: { subject: 's', body: 'b' } })
  const post = async () =>
    (await ask('POST', '/templates/', { body, headers: { 'idempotency-key': 'same' } })).json()
  const [one, two] = [await post(), await post()]
  expect(one.template_id).not.toBe(two.template_id)
})

test('unknown fields are ignored, save in free-form objects, where they are kept', async () => {
  const body = JSON.stringify({
    profile_name: 'x',
    workspace_id: nobody,
    usage_count: 99,
    sender_data: { anything: [1, { goes: true }] },
  })
  const said = await (await ask('POST', '/sender-profiles/', { body })).json()
  expect(said).toMatchObject({ usage_count: 0, sender_data: { data: { anything: [1, { goes: true }] } } })
  expect(said.workspace_id).not.toBe(nobody)
})
