import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { issueToken } from '#lib/services/workspaces/tokens'
import { knock } from '#tests/support/door'
import { documented, faults } from '#tests/support/files/document'
import { requestTo, type Wire } from '#tests/support/fuzz/request'
import type { Pool } from '#tests/support/fuzz/values'
import {
  aCampaign,
  aDataset,
  aMailbox,
  anEnrolledLead,
  aTemplate,
  aThread,
  aUser,
} from '#tests/support/scenes/factories'
import { anAccount } from '#tests/support/scenes/social'

// Set before any module reads the environment: this file sends more requests than a minute allows.
for (const kind of ['READ', 'WRITE', 'AI']) process.env[`RATE_LIMIT_${kind}`] = '100000000'
process.env.SANDBOX_SMTP_PORT = '1'

/** FUZZ_SEED repeats a run or starts another; FUZZ_RUNS sets its length. */
const seed = Number(process.env.FUZZ_SEED ?? 20_260_728)
const numRuns = Number(process.env.FUZZ_RUNS ?? 20)

let authorization = ''
const pool: Pool = {}
const granted = new Set<string>()
beforeAll(async () => {
  const owner = await aUser({ tier: 'scale' })
  authorization = `Bearer ${await issueToken(owner.user_id, new Date())}`
  const steps_config = [{ subject: 'Hello', message_template: 'Hi {{ first_name }}' }]
  const { campaign_id, dataset_id } = await aCampaign(owner, { steps_config })
  const { campaign_lead_id } = await anEnrolledLead(owner, { campaign_id })
  await aDataset(owner)
  const { template_id } = await aTemplate(owner)
  const { mailbox_id } = await aMailbox(owner)
  const { account_id } = await anAccount(owner)
  const { thread_id } = await aThread(owner)
  Object.assign(pool, { campaign_id, dataset_id, campaign_lead_id, template_id, mailbox_id })
  Object.assign(pool, { account_id, thread_id })
})

/** Collects ids from answers, so that operations of every resource get ids of existing rows. */
function learn(path: string, body: unknown): void {
  if (typeof body !== 'object' || body === null) return
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'object') learn(path, value)
    else if (name === 'id') pool[`${path.split('/')[3]}/id`] ??= String(value)
    else if (/_id$/.test(name) && typeof value === 'string' && !/^(user|message|provider)_id$/.test(name))
      pool[name] ??= value
  }
}

function streamOf({ body, how }: Wire): BodyInit | null {
  if (!body || how === 'whole') return body
  let at = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (how === 'endless') return controller.enqueue(new Uint8Array(256 * 1024).fill(0x20))
      if (how === 'broken' && at >= body.length / 2) return controller.error(new Error('hung up'))
      if (at >= body.length) return controller.close()
      // A turn of the event loop between any two pieces: small bodies arrive byte by byte.
      await new Promise((resolve) => setImmediate(resolve))
      const size = Math.max(1, Math.ceil(body.length / 200))
      controller.enqueue(body.subarray(at, at + size))
      at += size
    },
  })
}

async function ask(method: string, wire: Wire) {
  const body = streamOf(wire)
  return knock(method.toUpperCase(), wire.target, {
    headers: { ...wire.headers, authorization },
    ...(body ? { body, duplex: 'half' } : {}),
  } as RequestInit)
}

/** Operations that create rows come first, those that delete them last. */
const ORDER = ['post', 'get', 'put', 'patch', 'delete']
const inOrder = documented.toSorted((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method))

test.each(inOrder)('whatever is sent to $operation.operationId, it answers as documented', async (one) => {
  const { path, method, operation } = one
  const property = fc.asyncProperty(requestTo(path, operation, pool), async (wire) => {
    const response = await ask(method, wire)
    expect(response.status).not.toBe(500)
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
    expect(response.headers.has('x-injected')).toBe(false)
    const type = response.headers.get('content-type')?.split(';')[0]
    const text = await response.text()
    if (response.status === 204) {
      granted.add(operation.operationId)
      expect(text).toBe('')
      return
    }
    const body = type === 'application/json' ? JSON.parse(text) : text
    expect(faults(path, method, response.status, body, type)).toBeNull()
    if (!response.ok) return
    granted.add(operation.operationId)
    learn(path, body)
  })
  await fc.assert(property, { seed, numRuns })
})

test('most operations were granted something, so that more than the door was seen', () => {
  expect(granted.size).toBeGreaterThan(documented.length / 2)
})
