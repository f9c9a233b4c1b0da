import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { operations } from '#lib/operations/all'
import { issueToken } from '#lib/services/workspaces/tokens'
import { knock } from '#tests/support/door'
import { aDataset, aTemplate, aUser } from '#tests/support/scenes/factories'

// Set before any module reads the environment: this file alone writes more than a minute allows.
process.env.RATE_LIMIT_WRITE = '100000'
// The list of the sandbox exists only where there is one.
process.env.SANDBOX_SMTP_PORT = '1025'

let authorization = ''
const ids = { dataset_id: '', template_id: '' }
beforeAll(async () => {
  const owner = await aUser({ tier: 'scale' })
  authorization = `Bearer ${await issueToken(owner.user_id, new Date())}`
  ids.dataset_id = (await aDataset(owner)).dataset_id
  ids.template_id = (await aTemplate(owner)).template_id
})

const send = async (method: string, target: string, body?: unknown) => {
  const init = { headers: { authorization } }
  const raw = typeof body === 'string' ? body : JSON.stringify(body)
  return knock(method, target, body === undefined ? init : { ...init, body: raw })
}

const nested = (depth: number, open: string, close: string, inside = '1') =>
  `${open.repeat(depth)}${inside}${close.repeat(depth)}`

/** JSON values that replace a text, a number or a free-form value. */
const VALUES: [string, string][] = [
  ['NUL', '"a\\u0000b"'],
  ['a lone high surrogate', '"\\ud800"'],
  ['a lone low surrogate', '"x\\udc00y"'],
  ['infinity', '1e999'],
  ['minus infinity', '-1e999'],
  ['an integer beyond 2^53', '123456789012345678901234567890'],
  ['a tiny fraction', '0.0000000000001'],
  ['a negative', '-1'],
  ['a long text', `"${'x'.repeat(300_000)}"`],
  ['a deep list', nested(5_000, '[', ']')],
  ['a deep object', nested(5_000, '{"a":', '}')],
  ['the prototype', '{"__proto__": {"admin": true}}'],
  ['a constructor', '{"constructor": {"prototype": {"admin": true}}}'],
  ['a key with NUL', '{"a\\u0000": 1}'],
  ['null', 'null'],
  ['true', 'true'],
  ['a list of nulls', '[null, null]'],
  ['SQL', `"'; DROP TABLE users; --"`],
  ['right-to-left marks', '"\\u202e\\u2066abc"'],
  ['half a template', '"{{ x | }"'],
  ['a template that loops', '"{% for i in (1..1000000000) %}x{% endfor %}"'],
]

/** One place per kind of field; VALUE is replaced. */
const PLACES: [string, string, string, string][] = [
  ['a name', 'POST', '/templates/', '{"name": VALUE, "content": {"subject": "s", "body": "b"}}'],
  ['a body', 'POST', '/templates/', '{"name": "n", "content": {"subject": "s", "body": VALUE}}'],
  ['a content', 'POST', '/templates/', '{"name": "n", "content": VALUE}'],
  ['free-form data', 'POST', '/sender-profiles/', '{"profile_name": "p", "sender_data": {"x": VALUE}}'],
  ['all the data', 'POST', '/sender-profiles/', '{"profile_name": "p", "sender_data": VALUE}'],
  ['a flag', 'POST', '/sender-profiles/', '{"profile_name": "p", "sender_data": {}, "is_default": VALUE}'],
  ['scopes', 'POST', '/api-keys', '{"name": "k", "scopes": VALUE}'],
  ['an end', 'POST', '/api-keys', '{"name": "k", "expires_at": VALUE}'],
  ['a number', 'POST', '/campaigns/', '{"name": "c", "dataset_id": "DATASET", "daily_limit": VALUE}'],
  ['a zone', 'POST', '/campaigns/', '{"name": "c", "dataset_id": "DATASET", "timezone": VALUE}'],
  ['days', 'POST', '/campaigns/', '{"name": "c", "dataset_id": "DATASET", "send_days": VALUE}'],
  ['a prompt', 'POST', '/campaigns/', '{"name": "c", "dataset_id": "DATASET", "system_prompt": VALUE}'],
  ['steps', 'POST', '/campaigns/', '{"name": "c", "dataset_id": "DATASET", "steps_config": VALUE}'],
  [
    'a step',
    'POST',
    '/campaigns/',
    '{"name": "c", "dataset_id": "DATASET", "steps_config": [{"message_template": VALUE, "delay_days": 1}]}',
  ],
  ['an id', 'POST', '/campaigns/', '{"name": "c", "dataset_id": VALUE}'],
  ['a whole body', 'POST', '/campaigns/', 'VALUE'],
]

const cases = PLACES.flatMap(([place, method, target, body]) =>
  VALUES.map(([name, value]) => ({ place, method, target, name, body: body.replace('VALUE', () => value) })),
)

test.each(cases)('$name as $place is stored or refused, never a fault', async ({ method, target, body }) => {
  const response = await send(method, target, body.replace('DATASET', ids.dataset_id))
  expect([201, 403, 422]).toContain(response.status)
  if (response.status === 422) {
    const said = await response.json()
    expect(said).toMatchObject({ error: 'validation_error', message: 'Request validation failed' })
    for (const detail of said.details)
      expect(detail).toEqual({ loc: expect.any(Array), msg: expect.any(String), type: expect.any(String) })
  }
})

test('JSON nested as deep as allowed is kept, one level more is refused', async () => {
  const body = (depth: number) =>
    `{"profile_name": "p", "sender_data": {"x": ${nested(depth, '[', ']', '"]}"')}}}`
  expect((await send('POST', '/sender-profiles/', body(98))).status).toBe(201)
  const refused = await send('POST', '/sender-profiles/', body(99))
  expect(refused.status).toBe(422)
  expect((await refused.json()).details[0].type).toBe('json_too_deep')
})

test.each([
  '/campaigns/?page=1e999',
  '/campaigns/?page=99999999999999999999',
  '/campaigns/?page=-1',
  '/campaigns/?page=1.5',
  '/campaigns/?page_size=101',
  '/campaigns/?page_size=NaN',
  '/campaigns/?search=%00',
  '/campaigns/?status_filter=%00',
])('GET %s is 422', async (target) => {
  expect((await send('GET', target)).status).toBe(422)
})

test.each([
  '/templates/%00',
  "/templates/1'%20OR%20'1'='1",
  '/templates/..%2f..%2fapi-keys',
  '/templates/0190000000007000800000000000000',
  '/agent/conversations/%00',
  `/agent/conversations/${'x'.repeat(201)}`,
])('GET %s is 404: it is the id of nothing', async (target) => {
  expect((await send('GET', target)).status).toBe(404)
})

test.each(['%', '_', '\\', "'", '"', '%25', '%E2%80%AE', '*', '(', '[a-z]'])(
  'searching for %s finds nothing by accident',
  async (search) => {
    const response = await send('GET', `/campaigns/?search=${encodeURIComponent(search)}zzz`)
    expect([response.status, (await response.json()).total]).toEqual([200, 0])
  },
)

test('a search for a wildcard finds only names that hold it', async () => {
  for (const name of ['100% real', 'plain'])
    expect((await send('POST', '/campaigns/', { name, dataset_id: ids.dataset_id })).status).toBe(201)
  const found = await (await send('GET', '/campaigns/?search=%25')).json()
  expect(found.campaigns.map((campaign: { name: string }) => campaign.name)).toEqual(['100% real'])
})

test('what is not in the schema cannot be set', async () => {
  const target = `/templates/${ids.template_id}`
  const before = await (await send('GET', target)).json()
  const taken = { workspace_id: '01900000-0000-7000-8000-000000000000', created_at: '2000-01-01T00:00:00Z' }
  const after = await (await send('PATCH', target, { ...taken, template_id: taken.workspace_id })).json()
  // It counts as an edit, although it changes nothing.
  expect(after).toMatchObject({ ...before, updated_at: after.updated_at, version: before.version + 1 })
})

const paged = operations
  .map(({ contract }) => contract)
  .filter(
    ({ method, path, query }) =>
      method === 'GET' && !path.includes('{') && query instanceof z.ZodObject && 'page' in query.shape,
  )

test.each(paged.map(({ path }) => path))(
  'GET %s has an empty page however far it is asked for',
  async (path) => {
    for (const page of [1_000_001, Number.MAX_SAFE_INTEGER]) {
      const response = await send('GET', `${path}?page=${page}&page_size=100`)
      const body = await response.json()
      expect([response.status, body.page ?? page]).toEqual([200, page])
      expect(Object.values(body).filter(Array.isArray).flat()).toEqual([])
    }
  },
)

test('free-form data is kept as it is given, so a number that no JSON can give back is refused', async () => {
  const given = (x: string) =>
    send('POST', '/sender-profiles/', `{"profile_name": "p", "sender_data": {"deep": [{"x": ${x}}]}}`)
  expect((await given('1e308')).status).toBe(201)
  for (const x of ['1e999', '-1e999']) expect((await given(x)).status).toBe(422)
})

test('a number out of bounds is told of its bounds, and only what is none of its digits', async () => {
  const said = async (page_size: string) =>
    (await (await send('GET', `/campaigns/?page_size=${page_size}`)).json()).details[0].msg
  expect(await said('101')).toBe('Too big: expected number to be <=100')
  expect(await said('0')).toBe('Too small: expected number to be >=1')
  expect(await said('1e1')).toBe('must be a whole number in decimal digits')
})
