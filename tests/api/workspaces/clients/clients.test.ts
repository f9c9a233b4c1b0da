import { beforeAll, describe, expect, test } from 'vitest'
import { ReadCampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import { ListCampaigns } from '#lib/contracts/campaigns/campaigns'
import { ListResults } from '#lib/contracts/campaigns/results'
import type { Contract } from '#lib/contracts/contract'
import { ListInboxThreads, ReadInboxMessages, ReadInboxThread } from '#lib/contracts/inbox/inbox'
import { CreateApiKey } from '#lib/contracts/workspaces/api-keys'
import { ReadClientCampaigns, SetClientCampaigns } from '#lib/contracts/workspaces/client-campaigns'
import { AcceptInvitation, CreateInvitation } from '#lib/contracts/workspaces/invitations'
import { RemoveMember, UpdateMember } from '#lib/contracts/workspaces/members'
import { roleRefusal } from '#lib/contracts/workspaces/roles'
import { db } from '#lib/db/client'
import { operations } from '#lib/operations/all'
import { call } from '#tests/support/call'
import { mcpClient } from '#tests/support/mcp'
import { aCampaign, aMailbox, aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

Object.assign(process.env, { RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000' })

type Person = { workspace_id: string; user_id: string }
const WORD = 'zebrafish'

async function aLaunched(owner: Awaited<ReturnType<typeof aUser>>, name: string) {
  const { campaign_id } = await aCampaign(owner, { name })
  await db.campaign.update({ where: { campaign_id }, data: { launched_at: new Date(), status: 'active' } })
  const { mailbox_id } = await aMailbox(owner)
  const latest = { last_message_at: new Date(), last_direction: 'in', last_kind: 'reply', preview: WORD }
  const { thread_id } = await db.thread.create({
    data: {
      workspace_id: owner.workspace_id,
      campaign_id,
      mailbox_id,
      counterpart_address: `${crypto.randomUUID()}@leads.example`,
      subject: WORD,
      ...latest,
    },
  })
  return { campaign_id, thread_id, mailbox_id }
}

let owner: Awaited<ReturnType<typeof aUser>>
let client: Person
let given: Awaited<ReturnType<typeof aLaunched>>
let other: typeof given
const one = (person: Person) => ({ workspace_id: owner.workspace_id, user_id: person.user_id })
const give = (person: Person, campaign_ids: string[]) =>
  call(SetClientCampaigns, { as: owner, params: one(person), body: { campaign_ids } })

beforeAll(async () => {
  owner = await aUser({ tier: 'scale' })
  client = await aMember(owner, 'client')
  given = await aLaunched(owner, 'Given')
  other = await aLaunched(owner, 'Other secret')
  await give(client, [given.campaign_id])
})

describe('a client', () => {
  test.each([ReadCampaignAnalytics, ReadInboxThread, ReadInboxMessages] as Contract[])(
    '$id: reads the given campaign; any other is 404 as an id that nobody has',
    async (contract) => {
      const ask = (params: Record<string, string>) => call(contract, { as: client, params })
      expect((await ask(given)).status).toBe(200)
      const [foreign, nobody] = await Promise.all([
        ask(other),
        ask({ campaign_id: crypto.randomUUID(), thread_id: crypto.randomUUID() }),
      ])
      expect([foreign.status, foreign.error]).toEqual([404, nobody.error])
    },
  )

  test('lists and their totals hold the given campaign only, whatever is searched for', async () => {
    const results = (await call(ListResults, { as: client })).body
    expect([results.total, results.items.map(({ name }) => name)]).toEqual([1, ['Given']])
    const asked: Record<string, string>[] = [
      {},
      { folder: 'all' },
      { folder: 'all', search: WORD },
      { folder: 'all', mailbox_id: other.mailbox_id },
      { folder: 'all', campaign_id: other.campaign_id },
    ]
    for (const query of asked) {
      const { status, text, body } = await call(ListInboxThreads, { as: client, query })
      expect(status).toBe(200)
      expect(text).not.toContain(other.thread_id)
      expect(body.total).toBe('mailbox_id' in query || 'campaign_id' in query ? 0 : 1)
    }
    expect(
      (await call(ListInboxThreads, { as: owner, query: { folder: 'all', search: WORD } })).body.total,
    ).toBe(2)
  })

  test('sees nothing of another campaign in any answer without a path', async () => {
    const readable = operations
      .map(({ contract }) => contract as Contract)
      .filter(
        ({ method, path, scope, file, stream }) =>
          method === 'GET' && scope && !path.includes('{') && !file && !stream,
      )
      .filter((contract) => roleRefusal('client', contract) === null)
    expect(readable.length).toBeGreaterThan(5)
    for (const contract of readable) {
      const { text } = await call(contract, { as: client })
      for (const secret of [...Object.values(other), 'Other secret'])
        expect([contract.id, text.includes(secret)]).toEqual([contract.id, false])
    }
  })

  test('sees neither who of the team has a conversation nor that there are notes on it', async () => {
    const { thread_id } = given
    await db.thread.update({ where: { thread_id }, data: { assignee_id: owner.user_id, note_count: 3 } })
    const one = (await call(ReadInboxThread, { as: client, params: { thread_id } })).body
    const query = { folder: 'all', assignee: crypto.randomUUID(), owner: crypto.randomUUID() }
    const { items } = (await call(ListInboxThreads, { as: client, query })).body
    for (const thread of [one, ...items])
      expect(thread).toMatchObject({
        thread_id,
        assignee_id: null,
        assignee_name: null,
        owner_name: null,
        note_count: 0,
      })
    expect(items).toHaveLength(1)
  })

  test('is not told why an answer would be refused', async () => {
    const { counterpart_address } = await db.thread.findUniqueOrThrow({
      where: { thread_id: given.thread_id },
    })
    await db.suppression.create({
      data: { workspace_id: owner.workspace_id, value: counterpart_address, reason: 'manual' },
    })
    const { body } = await call(ReadInboxThread, { as: client, params: { thread_id: given.thread_id } })
    expect([body.may_answer, body.why_not]).toEqual([false, 'Clients can only read the inbox.'])
  })

  test('has the same walls with a key that they made before, and in the tools of an agent', async () => {
    const admin = await aMember(owner, 'admin')
    const { key: token } = (await call(CreateApiKey, { as: admin, body: { name: 'K', scopes: ['read'] } }))
      .body
    await db.member.updateMany({ where: one(admin), data: { role: 'client' } })
    expect((await call(ListResults, { token })).body.total).toBe(0)
    expect((await call(ListCampaigns, { token })).status).toBe(403)
    expect((await call(ReadInboxThread, { token, params: { thread_id: given.thread_id } })).status).toBe(404)
    const { client: agent } = await mcpClient(token)
    const names = (await agent.listTools()).tools.map(({ name }) => name)
    expect(names).toContain('listResults')
    expect(names).not.toContain('listCampaigns')
    const answer = await agent.callTool({
      name: 'readCampaignAnalytics',
      arguments: { campaign_id: given.campaign_id },
    })
    expect(JSON.stringify(answer)).toContain('not found')
  })
})

test('campaigns of an invitation are the client’s once they accept', async () => {
  const guest = await aUser()
  const invited = { email: guest.email, role: 'client', campaign_ids: [given.campaign_id] }
  const here = { workspace_id: owner.workspace_id }
  const made = await call(CreateInvitation, { as: owner, params: here, body: invited })
  expect(made.body.campaign_ids).toEqual([given.campaign_id])
  const token = made.body.url.split('/').at(-1) ?? ''
  await call(AcceptInvitation, { as: guest, body: { token } })
  const list = await call(ReadClientCampaigns, { as: owner, params: one(guest) })
  expect(list.body.campaign_ids).toEqual([given.campaign_id])
})

test('what is not the workspace’s cannot be given, nor anything to other roles', async () => {
  const elsewhere = await aCampaign(await aUser())
  const here = { workspace_id: owner.workspace_id }
  const refused = await give(client, [given.campaign_id, elsewhere.campaign_id])
  expect([refused.status, refused.error.detail]).toEqual([404, 'campaign_not_found'])
  const viewer = await aMember(owner, 'viewer')
  const wrong = await give(viewer, [given.campaign_id])
  expect([wrong.status, wrong.error.detail]).toEqual([409, 'not_a_client'])
  const body = { email: 'v@example.com', role: 'viewer', campaign_ids: [given.campaign_id] }
  expect((await call(CreateInvitation, { as: owner, params: here, body })).error.detail).toBe('not_a_client')
  const foreign = { ...body, role: 'client', campaign_ids: [elsewhere.campaign_id] }
  const stolen = await call(CreateInvitation, { as: owner, params: here, body: foreign })
  expect(stolen.error.detail).toBe('campaign_not_found')
  expect((await call(ReadClientCampaigns, { as: owner, params: one(client) })).body.campaign_ids).toEqual([
    given.campaign_id,
  ])
})

test('what was given goes with the campaign, with another role and with the membership', async () => {
  const person = await aMember(owner, 'client')
  const count = () => db.campaignClient.count({ where: one(person) })
  const gone = await aLaunched(owner, 'Gone')
  await give(person, [gone.campaign_id, given.campaign_id])
  await db.campaign.delete({ where: { campaign_id: gone.campaign_id } })
  expect(await count()).toBe(1)
  const role = (to: string) => call(UpdateMember, { as: owner, params: one(person), body: { role: to } })
  await role('viewer')
  await role('client')
  expect(await count()).toBe(0)
  await give(person, [given.campaign_id])
  await call(RemoveMember, { as: owner, params: one(person) })
  expect(await count()).toBe(0)
})
