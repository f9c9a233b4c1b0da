import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { CreateCheckoutSession, CreatePortalSession, ReadSubscription } from '#lib/contracts/billing/billing'
import { EndParentPaying, LetParentPay, ReadPayer } from '#lib/contracts/billing/payer'
import { ReadAccount } from '#lib/contracts/workspaces/account'
import { LeaveParent, SetParent } from '#lib/contracts/workspaces/agency'
import { CreateApiKey, ListApiKeys } from '#lib/contracts/workspaces/api-keys'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import { CreateWorkspace } from '#lib/contracts/workspaces/workspaces'
import { db, pool } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'
import { signedEvent, startStripe } from '#tests/support/servers/stripe'
import { POST as stripeWebhook } from '../../../app/api/billing/stripe/route.ts'

const SECRET = 'whsec_of_the_test'
const stripe = await startStripe()
Object.assign(process.env, {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: SECRET,
  STRIPE_PRICES: '{"price_s":"starter","price_g":"growth"}',
  STRIPE_API_URL: stripe.url,
})
afterAll(() => stripe.close())

type Person = Awaited<ReturnType<typeof aUser>>
const ENDS = new Date('2027-01-01T00:00:00.000Z')
const there = (as: { user_id: string; workspace_id: string }) => ({
  as,
  headers: { 'x-workspace-id': as.workspace_id },
})
const about = (as: Person, { workspace_id }: { workspace_id: string }) => ({
  ...there(as),
  params: { workspace_id },
})
const outcome = ({ status, error }: { status: number; error: { detail?: unknown } }) => [status, error.detail]
const aKey = (as: Person) => call(CreateApiKey, { ...there(as), body: { name: 'K', scopes: ['read'] } })
const createKeys = async (as: Person, count: number) => {
  const made: string[] = []
  for (let i = 0; i < count; i++) made.push((await aKey(as)).body.key)
  return made
}
const works = async (key: string) => (await call(ReadCurrentUser, { token: key })).status === 200
const plan = async (as: Person) => {
  const { tier, tier_limit, active_keys } = (await call(ReadSubscription, there(as))).body
  return [tier, active_keys, tier_limit]
}

const WAITING = `SELECT DISTINCT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE NOT granted AND datname = current_database()`

/** Stripe reports what the parent pays for now. */
async function pays(as: Person, price: string | null) {
  await call(CreatePortalSession, there(as))
  const where = { workspace_id: as.workspace_id }
  const customer = (await db.workspace.findUniqueOrThrow({ where })).billing_customer_id ?? ''
  stripe.subscriptions.set(customer, price ? [{ price, status: 'active', ends: ENDS }] : [])
  const { payload, signature } = signedEvent('customer.subscription.updated', customer, SECRET, new Date())
  const headers = { 'stripe-signature': signature }
  const request = { method: 'POST', headers, body: payload }
  return (await stripeWebhook(new Request('http://opener.test/api/billing/stripe', request))).status
}

let parent: Person
let child: Person
const aChild = async (name: string): Promise<Person> => {
  const { body } = await call(CreateWorkspace, { ...there(parent), body: { name } })
  const made = { ...parent, workspace_id: body.workspace_id }
  await call(SetParent, { ...about(made, made), body: { parent_workspace_id: parent.workspace_id } })
  return made
}
const letPay = (as: Person, one: { workspace_id: string }) => call(LetParentPay, about(as, one))

beforeEach(async () => {
  parent = await aUser()
  child = await aChild('Client')
})

test('a child that its parent pays for has the parent’s tier everywhere, as it is by now', async () => {
  expect(await plan(child)).toEqual(['free', 0, 2])
  expect((await letPay(child, child)).body).toMatchObject({
    payer: { workspace_id: parent.workspace_id, owner: { email: parent.email } },
    by_itself: { tier: 'free', tier_limit: 2 },
  })
  expect(await pays(parent, 'price_g')).toBe(200)
  const [key = ''] = await createKeys(child, 1)
  expect(await plan(child)).toEqual(['growth', 1, 20])
  expect(await plan(parent)).toEqual(['growth', 1, 20])
  const asked = [
    await call(ReadCurrentUser, there(child)),
    await call(ReadCurrentUser, { token: key }),
    await call(ReadAccount, there(child)),
    await call(ReadSubscription, there(child)),
  ]
  expect(asked.map(({ body }) => body.tier)).toEqual(['growth', 'growth', 'growth', 'growth'])
  expect((await call(ListApiKeys, there(child))).body.tier_limit).toBe(20)
  // What the parent pays, and until when, is not shown to the child.
  expect(asked[3]?.body).toMatchObject({ payer: { name: parent.workspace_name }, status: null })
})

test('referral keys of all who share a plan count, and so do their keys', async () => {
  await db.workspace.update({ where: { workspace_id: child.workspace_id }, data: { extra_api_keys: 3 } })
  await createKeys(parent, 2)
  await createKeys(child, 1)
  const { body } = await call(ReadPayer, about(child, child))
  expect([body.payer, body.by_itself, body.by_parent]).toEqual([
    null,
    { tier: 'free', tier_limit: 5, active_keys: 1 },
    { tier: 'free', tier_limit: 5, active_keys: 3 },
  ])
  await letPay(parent, child)
  expect(await plan(parent)).toEqual(['free', 3, 5])
  expect((await call(ReadPayer, about(parent, parent))).body.pays_for).toEqual([
    { workspace_id: child.workspace_id, name: 'Client', active_keys: 1 },
  ])
})

test('of keys that are created at once, in the parent and its children, no more than the limit', async () => {
  const sibling = await aChild('Sibling')
  const apart = await aChild('Pays for itself')
  for (const one of [child, sibling]) await letPay(parent, one)
  await createKeys(child, 1)
  const gate = await pool().connect()
  try {
    // Holds all writes until each request has checked, or waits for the one that did.
    await gate.query('BEGIN; LOCK TABLE api_keys IN SHARE MODE')
    const asked = Promise.all([parent, child, sibling].map(aKey))
    // Within its transaction the gate would see only the connections of its first look.
    await expect.poll(async () => (await pool().query(WAITING)).rows).toHaveLength(3)
    await gate.query('COMMIT')
    expect((await asked).map(({ status }) => status).toSorted()).toEqual([201, 403, 403])
  } finally {
    gate.release()
  }
  expect(await plan(sibling)).toEqual(['free', 2, 2])
  expect((await aKey(apart)).status).toBe(201)
})

describe('keys keep working and no new one is created above the limit', () => {
  let keys: string[]
  beforeEach(async () => {
    await pays(parent, 'price_g')
    await letPay(parent, child)
    keys = [...(await createKeys(parent, 3)), ...(await createKeys(child, 3))]
  })
  afterAll(() => stripe.subscriptions.clear())

  test.each([
    ['after a downgrade', 'price_s', ['starter', 6, 5]],
    ['once the subscription of the parent ended', null, ['free', 6, 2]],
  ])('%s', async (_, price, expected) => {
    await pays(parent, price)
    expect([await plan(parent), await plan(child)]).toEqual([expected, expected])
    for (const one of [parent, child]) expect((await aKey(one)).status).toBe(403)
    expect(await Promise.all(keys.map(works))).toEqual(keys.map(() => true))
  })

  test('once the child pays for itself, of which it was told', async () => {
    const { body } = await call(ReadPayer, about(child, child))
    expect(body.by_itself).toEqual({ tier: 'free', tier_limit: 2, active_keys: 3 })
    expect((await call(EndParentPaying, about(parent, child))).status).toBe(204)
    expect([await plan(child), await plan(parent)]).toEqual([
      ['free', 3, 2],
      ['growth', 3, 20],
    ])
    expect([(await aKey(child)).status, (await aKey(parent)).status]).toEqual([403, 201])
    expect(await Promise.all(keys.map(works))).toEqual(keys.map(() => true))
    expect(outcome(await call(EndParentPaying, about(parent, child)))).toEqual([409, 'pays_itself'])
  })

  test('once the child left its parent, and coming back is no consent to pay', async () => {
    await call(LeaveParent, { ...about(child, child), query: {} })
    expect(await plan(child)).toEqual(['free', 3, 2])
    const body = { parent_workspace_id: parent.workspace_id }
    await call(SetParent, { ...about(child, child), body })
    expect(await plan(child)).toEqual(['free', 3, 2])
    expect(await Promise.all(keys.map(works))).toEqual(keys.map(() => true))
  })
})

test('the portal and the checkout of a child name whom to ask', async () => {
  await letPay(child, child)
  const said = `${parent.workspace_name} pays for this workspace. Ask its owner: ${parent.name} (${parent.email}).`
  const portal = await call(CreatePortalSession, there(child))
  expect([portal.status, portal.error]).toEqual([409, { detail: said }])
  const checkout = await call(CreateCheckoutSession, { ...there(child), body: { tier: 'growth' } })
  expect([checkout.status, checkout.error]).toEqual([409, { detail: 'billed_by_parent', message: said }])
  expect((await call(CreatePortalSession, there(parent))).status).toBe(200)
})

describe('a parent does not pay', () => {
  test('for a workspace without one, or with a subscription of its own that renews', async () => {
    expect(outcome(await letPay(parent, parent))).toEqual([409, 'has_no_parent'])
    await pays(child, 'price_s')
    expect(outcome(await letPay(child, child))).toEqual([409, 'own_subscription_runs'])
    const where = { workspace_id: child.workspace_id }
    await db.workspace.update({ where, data: { subscription_cancels: true } })
    expect((await letPay(child, child)).status).toBe(200)
    expect(await plan(child)).toEqual(['free', 0, 2])
  })

  test('because an owner of only one of both says so, or anybody else', async () => {
    const ofChild = await aMember(child, 'owner')
    const ofParent = await aMember(parent, 'owner')
    for (const one of [ofChild, ofParent])
      expect(outcome(await letPay({ ...parent, ...one }, child))).toEqual([403, 'role_insufficient'])
    expect(outcome(await letPay(await aUser(), child))).toEqual([404, 'workspace_not_found'])
    const admin = await aMember(child, 'admin')
    expect((await letPay({ ...parent, ...admin }, child)).status).toBe(403)
    expect((await call(ReadPayer, about({ ...parent, ...admin }, child))).status).toBe(200)
    await letPay(parent, child)
    expect((await call(EndParentPaying, about({ ...parent, ...ofChild }, child))).status).toBe(204)
  })
})
