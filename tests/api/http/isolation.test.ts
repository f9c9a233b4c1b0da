import { beforeAll, expect, test } from 'vitest'
import { CreateCampaign } from '#lib/contracts/campaigns/campaigns'
import { db } from '#lib/db/client'
import { seal } from '#lib/db/seal'
import { operations } from '#lib/operations/all'
import { reportPresence } from '#lib/services/inbox/thread/presence'
import { updatePreferences } from '#lib/services/telling/notification-preferences'
import { readReferral } from '#lib/services/workspaces/referrals'
import { createWorkspace } from '#lib/services/workspaces/workspaces'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, aThread, aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'
import { createDnsServer } from '#tests/support/servers/dns'
import { BODIES, bodyOf, FACTORIES, namesIn, paramsFor, type User } from '#tests/support/walk/one-of-each'
import { wholeDatabase } from '#tests/support/whole-database'

// Set before any module reads the environment: the sandbox's operations answer where there is one.
process.env.SANDBOX_SMTP_PORT = '1025'
// A DNS server without records, so that no lookup finds anything.
process.env.DNS_SERVERS = (await createDnsServer()).server
// The stranger calls every writing operation within seconds.
process.env.RATE_LIMIT_WRITE = '100000'

const contracts = operations.map(({ contract }) => contract)
const aboutOne = contracts.filter((contract) => contract.path.includes('{'))
const lists = contracts.filter(
  ({ method, path, scope, example }) => method === 'GET' && scope && !path.includes('{') && !example?.query,
)

let owner: User
let stranger: User
const owned: string[] = []
beforeAll(async () => {
  owner = await aUser({ tier: 'scale' })
  stranger = await aUser({ tier: 'scale' })
  owned.push(owner.workspace_id)
  BODIES.setParent = { parent_workspace_id: (await createWorkspace(owner.user_id, 'Agency')).workspace_id }
  BODIES.handOnWorkspace = { user_id: owner.user_id }
  const changed = {
    workspace_id: owner.workspace_id,
    at: new Date(),
    operation: 'updateAccount',
    by: 'person',
  } as const
  owned.push((await db.auditEvent.create({ data: changed })).audit_event_id)
  const came = {
    user_id: owner.user_id,
    at: new Date(),
    method: 'password',
    succeeded: false,
  } as const
  owned.push((await db.signIn.create({ data: came })).sign_in_id)
  for (const [name, factory] of Object.entries(FACTORIES)) {
    const value = await factory(owner, {})
    // An index within a list belongs to nobody.
    if (name !== 'position') owned.push(value)
  }
  const { campaign_id } = await aCampaign(owner)
  await FACTORIES.action_id?.(owner, { campaign_id })
  await db.campaign.update({ where: { campaign_id }, data: { launched_at: new Date() } })
  owned.push(campaign_id)
  const colleague = await aMember(owner, 'member')
  const { thread_id } = await aThread(owner)
  await reportPresence(colleague, { thread_id, state: 'open' }, new Date(Date.now() + 3_600_000))
  owned.push(thread_id)
  // Values for answers about the account itself, which contain no id of a row.
  await updatePreferences(owner, { personal_email: `${owner.workspace_id}@example.com` })
  const current_period_end = new Date('2031-01-01T01:02:03.456Z')
  await db.workspace.update({ where: { workspace_id: owner.workspace_id }, data: { current_period_end } })
  const read_at = new Date('2031-03-04T05:06:07.891Z')
  await db.sndsAccount.create({
    data: {
      workspace_id: owner.workspace_id,
      key: seal('K', owner.workspace_id),
      connected_at: read_at,
      next_read_at: read_at,
      read_at,
    },
  })
  const confirmed_at = new Date('2031-02-03T04:05:06.789Z')
  await db.authenticatorApp.create({
    data: { user_id: owner.user_id, secret: seal('K'), confirmed_at },
  })
  owned.push(
    confirmed_at.toISOString(),
    current_period_end.toISOString(),
    read_at.toISOString(),
    (await readReferral(owner)).referral_code,
  )
})

test('the walk covers the API', () => {
  expect(aboutOne.length).toBeGreaterThan(20)
  expect(lists.length).toBeGreaterThan(5)
})

test.each(lists)("$id shows nothing of another's", async (contract) => {
  const { status, body } = await call(contract, { as: stranger })
  expect(status).toBe(200)
  const shown = JSON.stringify(body)
  for (const id of owned) expect(shown).not.toContain(id)
})

/** The instance's configuration is the same for everybody. */
const ofInstance = ['readMailVendors']
/** Counts contain no ids of rows. */
const countsAlone = ['readSuppressionReasons', 'readProviderAnalytics']
const ownLists = lists.filter(({ id }) => !ofInstance.includes(id) && !countsAlone.includes(id))

test.each(ownLists)('$id shows the owner something', async (contract) => {
  const { body } = await call(contract, { as: owner })
  expect(owned.some((id) => JSON.stringify(body).includes(id))).toBe(true)
})

test.each(aboutOne)(
  "$id of another's rows is 404 as for an id that nobody has, and nothing changes",
  async (contract) => {
    const params = await paramsFor(contract, owner)
    const nobody = Object.fromEntries(namesIn(contract).map((name) => [name, crypto.randomUUID()]))
    const body = bodyOf(contract)
    const before = await wholeDatabase()
    const foreign = await call(contract, { as: stranger, params, body })
    expect([foreign.status, foreign.error]).toEqual([404, expect.anything()])
    const unknown = await call(contract, { as: stranger, params: nobody, body })
    expect([unknown.status, unknown.error]).toEqual([404, foreign.error])
    expect(await wholeDatabase()).toEqual(before)
    // The owner's own request must succeed: otherwise the stranger's could have been refused for another reason.
    const own = await call(contract, { as: owner, params, body })
    expect([200, 201, 202, 204, 409]).toContain(own.status)
  },
)

test.each(aboutOne.filter((contract) => namesIn(contract).length > 1))(
  "$id of another's row under a row of one's own is 404, and nothing changes",
  async (contract) => {
    const [foreign, own] = [await paramsFor(contract, owner), await paramsFor(contract, stranger)]
    const last = namesIn(contract).findLast((name) => name !== 'position') ?? ''
    const params = { ...own, [last]: foreign[last] ?? '' }
    const before = await wholeDatabase()
    const { status } = await call(contract, { as: stranger, params, body: bodyOf(contract) })
    expect(status).toBe(404)
    expect(await wholeDatabase()).toEqual(before)
  },
)

test.each(['dataset_id', 'template_id', 'sender_profile_id', 'mailbox_id'])(
  "a campaign that names another's %s is refused like one that names nothing, and is not made",
  async (field) => {
    const factory = FACTORIES[field === 'sender_profile_id' ? 'sender-profiles/id' : field]
    const mine = await aDataset(stranger)
    const naming = (id: string) => {
      const variants = [{ label: 'A', weight: 1, type: 'TEMPLATE', [field]: id }]
      const fields: Record<string, unknown> = {
        dataset_id: { dataset_id: id },
        mailbox_id: { alias_ids: [id] },
      }
      return {
        name: 'C',
        dataset_id: mine.dataset_id,
        ...(fields[field] ?? { steps_config: [{ variants }] }),
      }
    }
    const post = async (id = '') => {
      const { status, error } = await call(CreateCampaign, { as: stranger, body: naming(id) })
      return { status, error }
    }
    const before = await wholeDatabase()
    const foreign = await post(await factory?.(owner, {}))
    expect(foreign.status).toBe(422)
    expect(foreign).toEqual(await post(crypto.randomUUID()))
    expect((await wholeDatabase()).campaigns).toBe(before.campaigns)
  },
)
