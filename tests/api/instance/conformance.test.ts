import { beforeAll, describe, expect, test } from 'vitest'
import type { Contract, Scope } from '#lib/contracts/contract'
import { CreateApiKey } from '#lib/contracts/workspaces/api-keys'
import { db } from '#lib/db/client'
import { operations } from '#lib/operations/all'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { issueToken } from '#lib/services/workspaces/tokens'
import { account } from '#tests/support/conformance/account'
import { asking, type Endpoint } from '#tests/support/conformance/endpoint'
import { outreach } from '#tests/support/conformance/outreach'
import { faultsOf } from '#tests/support/conformance/shape'
import { social } from '#tests/support/conformance/social'
import { aCampaign, aUser } from '#tests/support/scenes/factories'

// Set before any module reads the environment: this file sends more requests than a minute allows.
for (const kind of ['READ', 'WRITE', 'AI']) process.env[`RATE_LIMIT_${kind}`] = '100000'
process.env.SANDBOX_SMTP_PORT = '1'

const NOBODY = '01900000-0000-7000-8000-000000000000'
/** The interface document, with its numbering. Tests of an endpoint that is not built yet are skipped until it is. */
const TABLE: Record<number, Endpoint> = { ...outreach, ...social, ...account }
const contracts: Contract[] = operations.map(({ contract }) => contract)
const named = Object.entries(TABLE).map(([number, row]) => ({ number: Number(number), row, ...row }))
const contractOf = (row: Endpoint) =>
  contracts.find(({ method, path }) => method === row.method && path === row.path)
const built = named.flatMap((one) => {
  const contract = contractOf(one.row)
  return contract ? [{ ...one, contract }] : []
})

/** Numbers of endpoints that may still be missing; an endpoint that was built once must not be added. */
const NOT_BUILT_YET: number[] = []

test('the table has every endpoint of the interface document, and what was built is there', () => {
  expect(named.map(({ number }) => number)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1))
  const missing = named.filter(({ row }) => !contractOf(row)).map(({ number }) => number)
  expect(missing.filter((number) => !NOT_BUILT_YET.includes(number))).toEqual([])
})

test('a documented path is not served under another spelling', () => {
  const bare = (path: string) => path.replace(/\{\w+\}/g, '{}').replace(/\/$/, '')
  const wrong = named.filter(
    ({ row }) =>
      !contractOf(row) &&
      contracts.some(({ method, path }) => method === row.method && bare(path) === bare(row.path)),
  )
  expect(wrong.map(({ path }) => path)).toEqual([])
})

test('what the document does not list refuses in the flat shape', () => {
  // The document gives no payload for the first two; for a launch, `detail` lists every blocking problem.
  const legacy = ['createCampaign', 'verifyCredential', 'launchCampaign']
  const ours = contracts.filter((contract) => !built.some((one) => one.contract === contract))
  const wrong = ours.filter(({ id, errors }) => errors !== (legacy.includes(id) ? 'legacy' : 'flat'))
  expect(wrong.map(({ id }) => id)).toEqual([])
})

const REFUSALS = {
  flat: (code: unknown) => ({ detail: code, message: expect.any(String) }),
  legacy: () => ({ detail: expect.any(String) }),
}
const PROBLEM = { loc: expect.any(Array), msg: expect.any(String), type: expect.any(String) }

const filled = (path: string, params: Record<string, string>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? NOBODY)
const otherForm = (path: string) => (path.endsWith('/') ? path.slice(0, -1) : `${path}/`)

describe.each(built)('$number $method $path', ({ contract, row }) => {
  const {
    method,
    path,
    status,
    errors,
    answer,
    valid = {},
    holds = {},
    granted = [],
    refused = [],
    others = [],
  } = row
  let owner: { workspace_id: string; user_id: string }
  let ask = asking(null)
  let target = path
  let wellSaid: unknown
  beforeAll(async () => {
    owner = await aUser({ tier: 'scale' })
    ask = asking(await issueToken(owner.user_id, new Date()))
    const params = (await row.arrange?.(owner, ask)) ?? {}
    target = filled(path, params)
    const first = await ask(method, target, valid)
    wellSaid = first.headers.get('content-type')?.startsWith('application/json') ? await first.json() : null
  })

  /** The validation error of this endpoint, in every detail. */
  const expectInvalid = async (response: Response, loc?: string[], path = `/api/v1${target}`) => {
    expect(response.status).toBe(422)
    const said = await response.json()
    const details = row.validation === 'framework' ? said.detail : said.details
    const message = 'Request validation failed'
    const whole = { error: 'validation_error', details, path, message }
    expect(said).toEqual(row.validation === 'framework' ? { detail: details } : whole)
    expect(details).toEqual(details.map(() => PROBLEM))
    if (loc) expect(details.map((problem: typeof PROBLEM) => problem.loc)).toContainEqual(loc)
  }

  test('answers with every field in its form, and its defaults', () => {
    expect(faultsOf(wellSaid, answer)).toEqual([])
    expect(wellSaid ?? {}).toMatchObject(holds)
  })

  test('answers alike with and without a slash at its end', async () => {
    for (const form of [target, otherForm(target)]) {
      const response = await ask(method, form, valid)
      expect(response.status).toBe(status)
      expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
      for (const name of ['limit', 'remaining', 'reset'])
        expect(response.headers.get(`ratelimit-${name}`)).toMatch(/^\d+$/)
    }
  })

  if (granted.length > 0)
    test('grants what is at the limits', async () => {
      for (const sent of granted) {
        const response = await ask(method, target, sent)
        expect([sent, response.status]).toEqual([sent, status])
        if (answer !== 'any') expect(faultsOf(await response.json(), answer)).toEqual([])
      }
    })

  if (refused.length > 0)
    test('refuses what is beyond them, and says where', async () => {
      for (const { loc, ...sent } of refused) await expectInvalid(await ask(method, target, sent), loc)
    })

  if (contract.body)
    test('refuses a body that is no JSON or no form', async () => {
      await expectInvalid(await ask(method, target, { body: ['no', 'object'] }))
    })

  test('is 401 for whoever cannot be told, whatever else is wrong', async () => {
    const key = await createApiKey(owner, { name: 'R', scopes: ['read'], expires_at: null }, new Date())
    await db.apiKey.update({ where: { id: key.id }, data: { revoked_at: new Date() } })
    for (const token of [null, 'nonsense', 'opn_live_nonsense', 'e30.e30.e30', key.key]) {
      const response = await asking(token)(method, target, { query: { page: 0 }, body: 'wrong too' })
      expect([token, response.status]).toEqual([token, 401])
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
      expect(await response.json()).toEqual(REFUSALS[errors]('unauthenticated'))
    }
  })

  test('takes a key that was made without scopes of its own', async () => {
    const named = CreateApiKey.body.parse({ name: 'Client' })
    const { key } = await createApiKey(owner, named, new Date())
    const response = await asking(key)(method, target, valid)
    expect(response.status).toBe(status)
  })

  test('is 403 for a key without its scope, before the body is looked at', async () => {
    const lacking = (['read', 'write', 'send', 'admin'] as Scope[]).filter(
      (scope) => scope !== contract.scope,
    )
    const key = await createApiKey(owner, { name: 'L', scopes: lacking, expires_at: null }, new Date())
    const response = await asking(key.key)(method, target, { query: { page: 0 }, body: 'wrong too' })
    expect(response.status).toBe(403)
    expect(await response.json()).toEqual(REFUSALS[errors]('forbidden'))
  })

  test('is 405 for a method it does not have', async () => {
    const has = contracts.filter((one) => one.path === path).map((one) => one.method)
    const response = await ask('PUT', target)
    expect([response.status, await response.json()]).toEqual([405, { detail: 'Method Not Allowed' }])
    expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(has.toSorted())
  })

  test('names its own methods to whoever asks with OPTIONS', async () => {
    const has = contracts.filter((one) => one.path === path).map((one) => one.method)
    for (const form of [target, otherForm(target)]) {
      const response = await asking(null)('OPTIONS', form)
      expect([response.status, await response.text()]).toEqual([204, ''])
      expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(has.toSorted())
    }
  })

  if (path.includes('{'))
    test('calls an id that is no UUID what the document makes of it', async () => {
      for (const word of ['nope', '1', '%20', 'x'.repeat(300), '%00', '0190000000007000800000000000000']) {
        const odd = path.replace(/\{\w+\}/, word)
        const response = await ask(method, odd, valid)
        if (row.id_is_uuid) await expectInvalid(response, ['path', 'campaign_id'], `/api/v1${odd}`)
        else {
          expect([word, response.status]).toEqual([word, 404])
          expect(await response.json()).toEqual(REFUSALS[errors](expect.stringMatching(/_not_found$/)))
        }
      }
    })

  if (path.includes('{'))
    test('is 404 for an id that nobody has', async () => {
      const response = await ask(method, filled(path, {}), valid)
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual(REFUSALS[errors](expect.stringMatching(/_not_found$/)))
    })

  if (others.length > 0)
    test('refuses as it documents', async () => {
      for (const { sent, status, body } of others) {
        const response = await ask(method, target, sent)
        expect([response.status, await response.json()]).toEqual([status, body])
      }
    })
})

test.each(['draft', 'completed', 'failed'] as const)(
  '13: the pause of a %s campaign is 409',
  async (status) => {
    const owner = await aUser()
    const { campaign_id } = await aCampaign(owner)
    await db.campaign.update({ where: { campaign_id }, data: { status } })
    const ask = asking(await issueToken(owner.user_id, new Date()))
    const response = await ask('POST', `/campaigns/${campaign_id}/pause`)
    expect([response.status, await response.json()]).toEqual([409, REFUSALS.legacy()])
  },
)
