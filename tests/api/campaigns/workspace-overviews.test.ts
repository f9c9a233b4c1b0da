import { expect, test } from 'vitest'
import { ListWorkspaceOverviews } from '#lib/contracts/workspaces/overview'
import { db } from '#lib/db/client'
import type { ROLES } from '#lib/domain/workspaces/roles'
import { listWorkspaceOverviews } from '#lib/services/campaigns/reports/workspace-overviews'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { call } from '#tests/support/call'
import {
  aCampaign,
  aMailbox,
  anAccount,
  anEnrolledLead,
  aThread,
  aUser,
} from '#tests/support/scenes/factories'

type User = Awaited<ReturnType<typeof aUser>>

const NOW = new Date('2026-03-04T12:00:00Z')
const ago = (days: number) => new Date(NOW.getTime() - days * 86_400_000)
const everything = { page: 1, page_size: 100, search: undefined }
const list = (as: User, query = {}) =>
  listWorkspaceOverviews({ ...as, credential: 'jwt' }, { ...everything, ...query }, NOW)
const join = (owner: User, { user_id }: User, role: (typeof ROLES)[number]) =>
  db.member.create({ data: { workspace_id: owner.workspace_id, user_id, role } })

/** An action for a lead of the campaign that many days ago, perhaps with a reply a moment later. */
async function anOffer(
  owner: User,
  days: number,
  {
    campaign_id,
    lead_index = 0,
    replied = false,
  }: {
    campaign_id: string
    lead_index?: number
    replied?: boolean
  },
) {
  const { campaign_lead_id } = await anEnrolledLead(owner, { campaign_id, lead_index })
  await db.action.create({
    data: {
      campaign_id,
      campaign_lead_id,
      workspace_id: owner.workspace_id,
      step: 1,
      channel: 'email',
      action_type: 'email',
      status: 'sent',
      performed_at: ago(days),
    },
  })
  const ended = {
    status: 'replied',
    next_step: null,
    next_action_at: null,
    next_action_type: null,
    last_event: 'replied',
    last_event_at: ago(days),
  } as const
  if (replied) await db.campaignLead.update({ where: { campaign_lead_id }, data: ended })
}

test('figures of 7 and 30 days, each workspace by itself', async () => {
  const [owner, other] = [await aUser(), await aUser()]
  await join(other, owner, 'viewer')
  const { campaign_id } = await aCampaign(owner)
  await anOffer(owner, 1, { campaign_id, lead_index: 0, replied: true })
  await anOffer(owner, 6, { campaign_id, lead_index: 1 })
  await anOffer(owner, 8, { campaign_id, lead_index: 2, replied: true })
  await anOffer(owner, 31, { campaign_id, lead_index: 3, replied: true })
  const { items, total } = await list(owner)
  expect(total).toBe(2)
  const none = { sent: 0, contacted: 0, replied: 0, reply_rate: null }
  expect(items.find(({ workspace_id }) => workspace_id === owner.workspace_id)).toMatchObject({
    role: 'owner',
    last_7_days: { sent: 2, contacted: 2, replied: 1, reply_rate: 0.5 },
    last_30_days: { sent: 3, contacted: 3, replied: 2, reply_rate: 2 / 3 },
  })
  expect(items.find(({ workspace_id }) => workspace_id === other.workspace_id)).toMatchObject({
    role: 'viewer',
    last_7_days: none,
    last_30_days: none,
  })
})

test('what was stopped comes first, then what waits for an answer, then the rest by name', async () => {
  const [person, stopped, answering] = [await aUser(), await aUser(), await aUser()]
  await join(stopped, person, 'member')
  await join(answering, person, 'admin')
  for (const paused_reason of [null, 'bounce_rate', 'user'] as const) {
    const { campaign_id } = await aCampaign(stopped)
    const status = paused_reason ? 'paused' : 'failed'
    const paused_from = paused_reason && 'active'
    await db.campaign.update({ where: { campaign_id }, data: { status, paused_reason, paused_from } })
  }
  const { mailbox_id } = await aMailbox(stopped)
  await db.mailbox.update({ where: { mailbox_id }, data: { inbox_error: 'refused' } })
  const { account_id } = await anAccount(stopped)
  await db.connectedAccount.update({ where: { account_id }, data: { status: 'disconnected' } })
  const waiting = { last_direction: 'in', last_kind: 'reply', status: 'open' } as const
  for (const snoozed_until of [null, ago(1), ago(-1)]) {
    const { thread_id } = await aThread(answering)
    await db.thread.update({ where: { thread_id }, data: { ...waiting, snoozed_until } })
  }
  // A conversation with an unsubscribe request waits for no reply.
  const { thread_id } = await aThread(answering)
  await db.thread.update({ where: { thread_id }, data: { counterpart_address: 'stop@example.test' } })
  const { workspace_id } = answering
  await db.suppression.create({ data: { workspace_id, value: 'stop@example.test', reason: 'unsubscribe' } })
  const { items } = await list(person)
  expect(items.map(({ workspace_id }) => workspace_id)).toEqual([
    stopped.workspace_id,
    answering.workspace_id,
    person.workspace_id,
  ])
  expect(items.map((item) => item.waiting)).toMatchObject([
    {
      failed_launches: 1,
      paused: [{ reason: 'bounce_rate', campaigns: 1 }],
      mailboxes: 1,
      accounts: 1,
      unanswered_threads: 0,
    },
    { failed_launches: 0, paused: [], unanswered_threads: 2 },
    { failed_launches: 0, paused: [], unanswered_threads: 0 },
  ])
})

test('a client gets the figures of the campaigns that they were given, and nothing of what waits', async () => {
  const [owner, client] = [await aUser(), await aUser()]
  await join(owner, client, 'client')
  const given = await aCampaign(owner)
  const hidden = await aCampaign(owner)
  const { campaign_id: failed } = await aCampaign(owner)
  await db.campaign.update({ where: { campaign_id: failed }, data: { status: 'failed' } })
  await anOffer(owner, 1, { ...given, replied: true })
  await anOffer(owner, 1, { ...hidden, replied: true })
  const { workspace_id } = owner
  await db.campaignClient.create({
    data: { workspace_id, user_id: client.user_id, campaign_id: given.campaign_id },
  })
  const { items } = await list(client)
  expect(items.find((item) => item.workspace_id === workspace_id)).toMatchObject({
    role: 'client',
    last_7_days: { sent: 1, contacted: 1, replied: 1, reply_rate: 1 },
    waiting: null,
  })
})

test('a key gets its own workspace, and nobody one that they do not belong to', async () => {
  const [owner, person] = [await aUser(), await aUser()]
  await join(owner, person, 'admin')
  await aUser()
  const both = await call(ListWorkspaceOverviews, { as: person })
  expect(both.body.items.map(({ workspace_id }) => workspace_id).toSorted()).toEqual(
    [owner.workspace_id, person.workspace_id].toSorted(),
  )
  const { key } = await createApiKey(person, { name: 'K', scopes: ['read'], expires_at: null }, new Date())
  const own = await call(ListWorkspaceOverviews, { token: key })
  expect(own.body.items.map(({ workspace_id }) => workspace_id)).toEqual([person.workspace_id])
  expect(own.body.total).toBe(1)
})

test('searched by a part of the name, whatever its signs, and paged', async () => {
  const [owner, person] = [await aUser(), await aUser()]
  await join(owner, person, 'viewer')
  const { workspace_id } = owner
  await db.workspace.update({ where: { workspace_id }, data: { name: 'Acme 100%_Ltd' } })
  for (const search of ['acme', '100%_', 'LTD'])
    expect((await list(person, { search })).items.map((item) => item.name)).toEqual(['Acme 100%_Ltd'])
  expect(await list(person, { search: '%' })).toMatchObject({ total: 1 })
  expect(await list(person, { search: 'nowhere' })).toMatchObject({ items: [], total: 0 })
  const pages = [await list(person, { page_size: 1 }), await list(person, { page_size: 1, page: 2 })]
  expect(pages.map(({ total, items }) => [total, items.length])).toEqual([
    [2, 1],
    [2, 1],
  ])
  expect(await list(person, { page_size: 1, page: 3 })).toMatchObject({ items: [], total: 2 })
})

test('children stand below their parent, where the worst of them would, for whoever is in both', async () => {
  const [person, clientA, clientB, alone] = [await aUser(), await aUser(), await aUser(), await aUser()]
  const named = [
    [person, 'Agency'],
    [clientA, 'Zeta'],
    [clientB, 'Beta'],
    [alone, 'Alone'],
  ] as const
  for (const [{ workspace_id }, name] of named)
    await db.workspace.update({ where: { workspace_id }, data: { name } })
  for (const other of [clientA, clientB, alone]) await join(other, person, 'admin')
  const parent_workspace_id = person.workspace_id
  for (const { workspace_id } of [clientA, clientB])
    await db.workspace.update({ where: { workspace_id }, data: { parent_workspace_id } })
  const fail = async (owner: User) => {
    const { campaign_id } = await aCampaign(owner)
    await db.campaign.update({ where: { campaign_id }, data: { status: 'failed' } })
  }
  const order = async (as: User) => (await list(as)).items.map(({ name }) => name)
  expect(await order(person)).toEqual(['Agency', 'Beta', 'Zeta', 'Alone'])
  await fail(alone)
  expect(await order(person)).toEqual(['Alone', 'Agency', 'Beta', 'Zeta'])
  for (let count = 0; count < 2; count += 1) await fail(clientA)
  expect(await order(person)).toEqual(['Agency', 'Zeta', 'Beta', 'Alone'])
  const parents = async (as: User) => (await list(as)).items.map((item) => item.parent_workspace_id)
  expect(await parents(person)).toEqual([null, parent_workspace_id, parent_workspace_id, null])
  expect(await parents(clientA)).toEqual([null])
})
