import { expect, test } from 'vitest'
import { CreateCampaign, UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import { LaunchCampaign, ResumeCampaign } from '#lib/contracts/campaigns/lifecycle'
import { SendTest } from '#lib/contracts/campaigns/step-previews'
import { ReplyInInbox } from '#lib/contracts/inbox/inbox-answers'
import {
  GiveAccount,
  GiveMailbox,
  ListAccountMembers,
  ListMailboxMembers,
  TakeAccount,
  TakeMailbox,
} from '#lib/contracts/senders/sender-members'
import { ListMembers, RemoveMember } from '#lib/contracts/workspaces/members'
import { db } from '#lib/db/client'
import { givenAccounts } from '#lib/services/instance/given-senders'
import { call } from '#tests/support/call'
import { aDataset, aMailbox, anAccount, aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

const steps_config = [{ subject: 'Hi', message_template: 'Hi' }]

/** A workspace with a mailbox, and a member with a draft that uses it. */
async function together() {
  const owner = await aUser({ tier: 'scale' })
  const member = await aMember(owner, 'member')
  const { mailbox_id, address } = await aMailbox(owner)
  const { dataset_id } = await aDataset(owner)
  const fields = { name: 'C', dataset_id, steps_config }
  const { campaign_id } = (
    await call(CreateCampaign, { as: member, body: { ...fields, alias_ids: [mailbox_id] } })
  ).body
  const params = { mailbox_id, user_id: member.user_id }
  return {
    owner,
    member,
    mailbox_id,
    address,
    fields,
    campaign_id,
    launch: () => call(LaunchCampaign, { as: member, params: { campaign_id }, body: {} }),
    give: () => call(GiveMailbox, { as: owner, params }),
    take: () => call(TakeMailbox, { as: owner, params }),
  }
}

test('a launch from a mailbox that was not given is refused, naming it, until it is given', async () => {
  const { member, mailbox_id, address, campaign_id, launch, give } = await together()
  const { workspace_id } = member
  const refused = await launch()
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining(`has no access to ${address}`),
  ])
  const { body } = await call(ReadLaunchChecks, { as: member, params: { campaign_id } })
  expect(body.blocks).toMatchObject([
    { code: 'mailbox_not_given', fix: `/campaigns/${campaign_id}/schedule` },
  ])
  expect((await give()).status).toBe(200)
  const { items } = (await call(ListMembers, { as: member, params: { workspace_id } })).body
  expect(items.map(({ role, mailboxes }) => [role, mailboxes])).toEqual([
    ['owner', []],
    ['member', [{ mailbox_id, address }]],
  ])
  expect((await launch()).status).toBe(202)
})

test('an admin sends from every mailbox', async () => {
  const { owner, fields, mailbox_id } = await together()
  const admin = await aMember(owner, 'admin')
  const body = { ...fields, alias_ids: [mailbox_id] }
  const { campaign_id } = (await call(CreateCampaign, { as: admin, body })).body
  expect((await call(LaunchCampaign, { as: admin, params: { campaign_id }, body: {} })).status).toBe(202)
})

test('a campaign of a member that names no mailbox has those given to them', async () => {
  const { owner, member, fields, mailbox_id, give } = await together()
  await aMailbox(owner)
  const draft = async () => (await call(CreateCampaign, { as: member, body: fields })).body
  const none = await draft()
  expect(none.alias_ids).toBeNull()
  const { campaign_id } = none
  const refused = await call(LaunchCampaign, { as: member, params: { campaign_id }, body: {} })
  expect(refused.text).toContain('Choose the mailboxes')
  await give()
  expect((await draft()).alias_ids).toEqual([mailbox_id])
})

test('giving and taking twice changes nothing, and the list says what uses it', async () => {
  const { owner, member, mailbox_id, campaign_id, launch, give, take } = await together()
  const list = async () => (await call(ListMailboxMembers, { as: member, params: { mailbox_id } })).body.items
  expect(await list()).toEqual([])
  expect((await give()).body).toMatchObject({ user_id: member.user_id, campaigns: [] })
  expect((await give()).status).toBe(200)
  await launch()
  await db.campaign.update({ where: { campaign_id }, data: { status: 'active' } })
  expect(await list()).toMatchObject([
    { user_id: member.user_id, campaigns: [{ campaign_id, status: 'active' }] },
  ])
  expect([(await take()).status, (await take()).status]).toEqual([204, 204])
  // A running campaign continues.
  expect(await db.campaign.findUnique({ where: { campaign_id } })).toMatchObject({ status: 'active' })
  await db.campaign.update({ where: { campaign_id }, data: { status: 'paused', paused_from: 'active' } })
  const resume = () => call(ResumeCampaign, { as: member, params: { campaign_id } })
  const refused = await resume()
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('has no access to')])
  await give()
  expect((await resume()).status).toBe(200)

  const asked = { as: owner, params: { mailbox_id, user_id: crypto.randomUUID() } }
  expect((await call(GiveMailbox, asked)).error.detail).toBe('member_not_found')
  const own = { as: member, params: { mailbox_id, user_id: member.user_id } }
  expect((await call(GiveMailbox, own)).error.detail).toBe('role_insufficient')
})

test('a launched campaign is not edited to a mailbox that was not given, nor to all', async () => {
  const { owner, member, campaign_id, mailbox_id, launch, give } = await together()
  await give()
  await launch()
  await db.campaign.update({ where: { campaign_id }, data: { status: 'paused', paused_from: 'active' } })
  const other = (await aMailbox(owner)).mailbox_id
  const edit = (body: object) => call(UpdateCampaign, { as: member, params: { campaign_id }, body })
  for (const alias_ids of [[mailbox_id, other], null]) {
    const { status, text } = await edit({ alias_ids })
    expect([status, text]).toEqual([403, expect.stringMatching('given')])
  }
  expect((await edit({ name: 'Renamed' })).status).toBe(200)
})

test('no test email and no reply leaves from a mailbox that was not given', async () => {
  const { owner, member, campaign_id, mailbox_id, give } = await together()
  const body = { step: 1, to: 'me@example.com' }
  const tested = await call(SendTest, { as: member, params: { campaign_id }, body })
  expect([tested.status, tested.text]).toEqual([403, expect.stringContaining('has no access to')])
  const seen = { counterpart_address: 'ada@private.test', subject: 'Hi', preview: 'Hi' }
  const latest = { last_message_at: new Date(), last_direction: 'in', last_kind: 'reply' }
  const { thread_id } = await db.thread.create({
    data: { ...seen, ...latest, workspace_id: owner.workspace_id, mailbox_id },
  })
  const reply = () => call(ReplyInInbox, { as: member, params: { thread_id }, body: { text: 'Hello' } })
  expect((await reply()).status).toBe(403)
  await give()
  expect((await reply()).status).not.toBe(403)
})

test('accounts are given in the same way, and all of it ends with the membership', async () => {
  const { owner, member, give } = await together()
  await give()
  const { account_id } = await anAccount(owner)
  const params = { account_id, user_id: member.user_id }
  expect((await call(GiveAccount, { as: owner, params })).body).toMatchObject({ campaigns: [] })
  const { items } = (await call(ListAccountMembers, { as: owner, params })).body
  expect(items.map(({ user_id }) => user_id)).toEqual([member.user_id])
  expect((await call(TakeAccount, { as: owner, params })).status).toBe(204)
  await call(GiveAccount, { as: owner, params })
  const { workspace_id } = owner
  const removed = { workspace_id, user_id: member.user_id }
  expect((await call(RemoveMember, { as: owner, params: removed })).status).toBe(204)
  expect(await db.mailboxMember.count({ where: removed })).toBe(0)
  expect(await db.accountMember.count({ where: removed })).toBe(0)
})

test('a member is offered the accounts given to them, an admin all of them', async () => {
  const { owner, member } = await together()
  const { account_id } = await anAccount(owner)
  expect([await givenAccounts(member), await givenAccounts(owner)]).toEqual([[], null])
  await call(GiveAccount, { as: owner, params: { account_id, user_id: member.user_id } })
  expect(await givenAccounts(member)).toEqual([account_id])
})
