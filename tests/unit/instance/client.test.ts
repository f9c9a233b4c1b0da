import { afterEach, expect, expectTypeOf, test } from 'vitest'
import { createClient } from '#lib/client/client'
import { ApiError } from '#lib/client/error'
import { allItems } from '#lib/client/pages'
import { waitFor } from '#lib/client/retry'
import type { Client } from '#lib/client/types'
import { contracts } from '#lib/contracts/all'
import type { OwnedCampaign } from '#lib/contracts/campaigns/campaign'
import { scriptedServer } from '#tests/support/servers/scripted-server'

type Replies = Parameters<typeof scriptedServer>[0]
const ID = '01900000-0000-7000-8000-000000000000'
const template = { name: 'T', content: { subject: 's', body: 'b' } }

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** A client of a scripted server; waits take no time and are recorded. */
async function scene(replies: Replies, random = 0.5) {
  const { url, heard, close } = await scriptedServer(replies)
  open.push(close)
  const waits: number[] = []
  const wait = async (ms: number, signal: AbortSignal | undefined) => {
    signal?.throwIfAborted()
    waits.push(ms)
  }
  const client = createClient({ base_url: `${url}/`, token: 'opn_live_x', random: () => random, wait })
  return { client, heard, waits, url }
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it was refused'),
    (error: ApiError) => error,
  )

test('it has one method per operation', async () => {
  const { client } = await scene([])
  expect(Object.keys(client).toSorted()).toEqual(contracts.map(({ id }) => id).toSorted())
  for (const method of Object.values(client)) expect(method).toBeTypeOf('function')
})

test('its types are the contracts’ own', () => {
  expectTypeOf<Client['readCampaign']>().returns.resolves.toEqualTypeOf<OwnedCampaign>()
  expectTypeOf<Client['exportCampaignLeads']>().returns.resolves.toEqualTypeOf<Blob>()
  expectTypeOf<Client['deleteTemplate']>().returns.resolves.toEqualTypeOf<null>()
  expectTypeOf<Client['listCampaigns']>().toBeCallableWith({ query: { page: 1, status_filter: 'draft' } })
  expectTypeOf<Client['createTemplate']>().parameter(0).toHaveProperty('body').toExtend<{ name: string }>()
  expectTypeOf<Client['readCampaign']>().parameter(0).not.toBeNullable()
})

test('path, query and body travel as the contract says', async () => {
  const { client, heard } = await scene([{ body: { ok: true } }])
  await client.readCampaign({ params: { campaign_id: ID } })
  await client.listCampaigns({ query: { page: 2, search: 'a&b=c', status_filter: undefined } })
  await client.forecastCampaign({ params: { campaign_id: ID }, query: { starts_at: new Date(0) } })
  await client.createTemplate({ body: template })
  await client.readTemplate({ params: { template_id: 'a/b?c' } })
  expect(heard.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `GET /api/v1/campaigns/${ID}`,
    'GET /api/v1/campaigns/?page=2&search=a%26b%3Dc',
    `GET /api/v1/campaigns/${ID}/forecast?starts_at=1970-01-01T00%3A00%3A00.000Z`,
    'POST /api/v1/templates/',
    'GET /api/v1/templates/a%2Fb%3Fc',
  ])
  expect(heard.map(({ headers }) => headers.authorization)).toEqual(heard.map(() => 'Bearer opn_live_x'))
  expect([heard[3]?.headers['content-type'], JSON.parse(heard[3]?.body ?? '')]).toEqual([
    'application/json',
    template,
  ])
})

test('a body that may be absent need not be given', async () => {
  const { client, heard } = await scene([{ status: 202, body: {} }])
  await client.launchCampaign({ params: { campaign_id: ID } })
  expect([heard[0]?.body, heard[0]?.headers['content-type']]).toEqual(['', undefined])
})

test('files go out in a form with their names, and come back as a Blob', async () => {
  const { client, heard } = await scene([
    { status: 202, body: {} },
    { body: 'email,name\n', headers: { 'content-type': 'text/csv; charset=utf-8' } },
  ])
  const file = new File(['email\na@example.com'], 'leads.csv')
  await client.importSpreadsheet({ body: { file, dataset_name: 'Leads', sheet: undefined } })
  expect(heard[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  expect(heard[0]?.body).toMatch(/name="file"; filename="leads\.csv"[\s\S]*a@example\.com/)
  expect(heard[0]?.body).toContain('name="dataset_name"')
  expect(heard[0]?.body).not.toContain('name="sheet"')
  const exported = await client.exportCampaignLeads({ params: { campaign_id: ID } })
  expect([exported instanceof Blob, await exported.text()]).toEqual([true, 'email,name\n'])
})

test('what has no body answers null', async () => {
  const { client } = await scene([{ status: 204 }])
  expect(await client.deleteTemplate({ params: { template_id: ID } })).toBeNull()
})

const problem = { loc: ['query', 'page'], msg: 'Too small', type: 'too_small' }
const REFUSALS = [
  {
    name: 'flat',
    status: 404,
    body: { detail: 'template_not_found', message: 'Template not found.' },
    expected: { code: 'template_not_found', message: 'Template not found.', details: [] },
  },
  {
    name: 'legacy',
    status: 409,
    body: { detail: 'Only a paused campaign can be resumed.' },
    expected: { code: null, message: 'Only a paused campaign can be resumed.', details: [] },
  },
  {
    name: 'validation',
    status: 422,
    body: {
      error: 'validation_error',
      details: [problem],
      path: '/api/v1/x',
      message: 'Request validation failed',
    },
    expected: { code: 'validation_error', message: 'query.page: Too small', details: [problem] },
  },
  {
    name: 'the framework’s',
    status: 422,
    body: { detail: [problem] },
    expected: { code: 'validation_error', message: 'query.page: Too small', details: [problem] },
  },
  {
    name: 'a proxy’s page',
    status: 403,
    body: '<html>Forbidden</html>',
    expected: { code: null, message: 'The answer was 403.', details: [] },
  },
  {
    name: 'nothing',
    status: 401,
    body: '',
    expected: { code: null, message: 'The answer was 401.', details: [] },
  },
]

test.each(REFUSALS)('a refusal in the shape “$name” is one error', async ({ status, body, expected }) => {
  const { client, waits, heard } = await scene([{ status, body, headers: { 'x-request-id': 'request-1' } }])
  const error = await refusal(client.listTemplates({ query: { page: 0 } }))
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status, request_id: 'request-1', ...expected })
  expect([heard.length, waits]).toEqual([1, []])
})

test('429 waits what Retry-After says, as often as it is said, and is no attempt', async () => {
  const limited = (headers: Record<string, string>) => ({ status: 429, headers, body: {} })
  const { client, waits, heard } = await scene([
    limited({ 'retry-after': '3' }),
    limited({ date: 'Sat, 21 Nov 2026 05:00:00 GMT', 'retry-after': 'Sat, 21 Nov 2026 05:00:07 GMT' }),
    limited({}),
    ...Array.from({ length: 6 }, () => limited({ 'retry-after': '1' })),
    { status: 201, body: { template_id: ID } },
  ])
  expect(await client.createTemplate({ body: template })).toEqual({ template_id: ID })
  expect(waits).toEqual([3_000, 7_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000])
  expect(heard.map(({ body }) => JSON.parse(body))).toEqual(heard.map(() => template))
})

test.each([500, 502, 503, 504])(
  '%i is asked five times, each time later, and then is the error',
  async (status) => {
    const { client, waits, heard } = await scene([
      { status, body: { detail: 'internal_error', message: 'm' } },
    ])
    expect(await refusal(client.listTemplates())).toMatchObject({ status, code: 'internal_error' })
    expect([heard.length, waits]).toEqual([5, [375, 750, 1_500, 3_000]])
  },
)

test.each([
  [0, 250],
  [0.999, 500],
])('the jitter of %d waits within half of the step', async (random, most) => {
  const { client, waits } = await scene([{ status: 503, body: {} }, { body: {} }], random)
  await client.listTemplates()
  expect(waits[0]).toBeGreaterThanOrEqual(250)
  expect(waits[0]).toBeLessThanOrEqual(most)
})

test('a passing 5xx is not noticed, and reads that travel by POST are reads', async () => {
  const { client, heard } = await scene([
    { status: 502, body: 'bad gateway' },
    { body: { total_actions: 0 } },
  ])
  expect(await client.forecastDraft({ body: { leads_count: 1 } })).toEqual({ total_actions: 0 })
  expect(heard).toHaveLength(2)
})

test('a change that a 5xx left in doubt is not repeated blindly', async () => {
  const { client, heard, waits } = await scene([{ status: 504, body: {} }])
  expect(await refusal(client.createTemplate({ body: template }))).toMatchObject({ status: 504 })
  expect([heard.length, waits]).toEqual([1, []])
})

test('with a way to look, a failed change is looked for before each repetition', async () => {
  const made = {
    ...template,
    template_id: ID,
    user_id: ID,
    workspace_id: ID,
    is_shared: false,
    inherited_from: null,
    version: 1,
    created_at: '',
    updated_at: '',
  }
  const { client, heard } = await scene([{ status: 504, body: {} }])
  const answers = [null, null, made]
  const found = await client.createTemplate({ body: template, find: async () => answers.shift() })
  expect([found, heard.length]).toEqual([made, 3])
  const never = await scene([{ status: 504, body: {} }])
  await refusal(never.client.createTemplate({ body: template, find: async () => null }))
  expect(never.heard).toHaveLength(5)
})

test.each([400, 401, 403, 404, 409, 422])('%i is final', async (status) => {
  const { client, heard } = await scene([{ status, body: { detail: 'x' } }])
  await refusal(client.listTemplates())
  expect(heard).toHaveLength(1)
})

test('a connection that breaks is not retried', async () => {
  const { client, heard, waits } = await scene([{ hangUp: true }])
  await expect(client.listTemplates()).rejects.toThrow(TypeError)
  expect([heard.length, waits]).toEqual([1, []])
})

test('a signal ends a request that hangs', async () => {
  const { client } = await scene([{ never: true }])
  const stop = new AbortController()
  const asked = client.listTemplates({ signal: stop.signal })
  stop.abort(new Error('enough'))
  await expect(asked).rejects.toThrow('enough')
})

test('a signal ends the waiting between two tries', async () => {
  const { url, heard } = await scene([{ status: 429, headers: { 'retry-after': '3600' }, body: {} }])
  const stop = new AbortController()
  const wait = (ms: number, signal: AbortSignal | undefined) => {
    queueMicrotask(() => stop.abort(new Error('enough')))
    return waitFor(ms, signal)
  }
  const asked = createClient({ base_url: url, token: 't', wait }).listTemplates({ signal: stop.signal })
  await expect(asked).rejects.toThrow('enough')
  expect(heard).toHaveLength(1)
})

test('a token that is made anew is asked for before each try', async () => {
  const { url, heard } = await scene([{ status: 503, body: {} }, { body: {} }])
  let count = 0
  const token = async () => `token-${++count}`
  await createClient({ base_url: url, token, wait: async () => undefined }).listTemplates()
  expect(heard.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
})

test('all items of a list come page by page, and a list that shrinks meanwhile ends', async () => {
  const page = (...items: number[]) => ({ body: { items, total: 5 } })
  const whole = await scene([page(1, 2), page(3, 4), page(5)])
  expect(await allItems((query) => whole.client.listSuppressions({ query }))).toEqual([1, 2, 3, 4, 5])
  expect(whole.heard.map(({ url }) => url.split('?')[1])).toEqual(
    [1, 2, 3].map((number) => `page=${number}&page_size=100`),
  )
  const shrunk = await scene([page(1, 2), page()])
  expect(await allItems((query) => shrunk.client.listSuppressions({ query }))).toEqual([1, 2])
})
