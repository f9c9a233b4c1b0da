import { expect, test } from 'vitest'
import { UpdateAccount } from '#lib/contracts/workspaces/account'
import { CreateApiKey } from '#lib/contracts/workspaces/api-keys'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import {
  HandOnWorkspace,
  LeaveWorkspace,
  ListMembers,
  ReadMemberRemoval,
  RemoveMember,
  UpdateMember,
} from '#lib/contracts/workspaces/members'
import {
  CreateWorkspace,
  ListWorkspaces,
  ReadWorkspace,
  UpdateWorkspace,
} from '#lib/contracts/workspaces/workspaces'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aCampaign, aTemplate, aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

const here = ({ workspace_id }: { workspace_id: string }) => ({ workspace_id })
const roleOf = async (workspace_id: string, user_id: string) =>
  (await db.member.findFirst({ where: { workspace_id, user_id } }))?.role

test('whoever creates a workspace owns it, and it is renamed', async () => {
  const user = await aUser()
  const made = await call(CreateWorkspace, { as: user, body: { name: 'Acme Ltd' } })
  expect([made.status, made.body]).toMatchObject([201, { name: 'Acme Ltd', role: 'owner' }])
  const { workspace_id } = made.body
  expect((await call(ListWorkspaces, { as: user })).body).toMatchObject({ total: 2 })
  expect((await call(ReadWorkspace, { as: user, params: { workspace_id } })).status).toBe(404)
  const headers = { 'x-workspace-id': workspace_id }
  const read = await call(ReadWorkspace, { as: user, params: { workspace_id }, headers })
  expect(read.body).toMatchObject({ slug: made.body.slug })
  const rename = (body: object) =>
    call(UpdateWorkspace, { as: user, params: { workspace_id }, headers, body })
  const slug = `acme-${crypto.randomUUID()}`
  expect((await rename({ name: 'Acme', slug })).body).toMatchObject({ name: 'Acme', slug })
  const other = await db.workspace.findUniqueOrThrow({ where: { workspace_id: user.workspace_id } })
  const taken = await rename({ slug: other.slug })
  expect([taken.status, taken.error.detail]).toEqual([409, 'slug_taken'])
  expect((await rename({ slug: 'No Slug' })).status).toBe(422)
})

test('409 above 20 workspaces of one owner', async () => {
  const user = await aUser()
  const made = (n: number) => call(CreateWorkspace, { as: user, body: { name: `W ${n}` } })
  for (let n = 0; n < 19; n++) expect((await made(n)).status).toBe(201)
  const refused = await made(20)
  expect([refused.status, refused.error.detail]).toEqual([409, 'workspaces_full'])
})

test('the owner comes first in the list, and roles are changed up to one’s own', async () => {
  const owner = await aUser()
  const [admin, viewer] = [await aMember(owner, 'admin'), await aMember(owner, 'viewer')]
  const { body } = await call(ListMembers, { as: viewer, params: here(owner) })
  expect(body.items.map(({ user_id, role }) => [user_id, role])).toEqual([
    [owner.user_id, 'owner'],
    [admin.user_id, 'admin'],
    [viewer.user_id, 'viewer'],
  ])
  const change = (as: { user_id: string }, user_id: string, role: string) =>
    call(UpdateMember, { as, params: { ...here(owner), user_id }, body: { role } })
  expect((await change(admin, viewer.user_id, 'member')).body).toMatchObject({ role: 'member' })
  for (const [user_id, role] of [
    [viewer.user_id, 'owner'],
    [owner.user_id, 'viewer'],
  ] as const) {
    const refused = await change(admin, user_id, role)
    expect([refused.status, refused.error.detail]).toEqual([403, 'role_above_own'])
  }
  const last = await change(owner, owner.user_id, 'admin')
  expect([last.status, last.error.detail]).toEqual([409, 'last_owner'])
  expect(await roleOf(owner.workspace_id, owner.user_id)).toBe('owner')
  expect((await change(owner, crypto.randomUUID(), 'viewer')).error.detail).toBe('member_not_found')
  expect((await change(owner, viewer.user_id, 'king')).status).toBe(422)
})

test('a removal says what becomes of their work, and then does that', async () => {
  const owner = await aUser({ tier: 'scale' })
  const [admin, heir] = [await aMember(owner, 'admin'), await aMember(owner, 'member')]
  const { campaign_id } = await aCampaign(admin)
  const { template_id } = await aTemplate(admin)
  const { key: token } = (await call(CreateApiKey, { as: admin, body: { name: 'K', scopes: ['read'] } })).body
  const params = { ...here(owner), user_id: admin.user_id }
  const preview = await call(ReadMemberRemoval, { as: owner, params })
  expect(preview.body).toMatchObject({ campaigns: 1, api_keys: 1, handed_to: { user_id: owner.user_id } })
  expect(await roleOf(owner.workspace_id, admin.user_id)).toBe('admin')

  const nobody = await call(RemoveMember, { as: owner, params, query: { hand_to: crypto.randomUUID() } })
  expect([nobody.status, nobody.error.detail]).toEqual([404, 'member_not_found'])
  const removed = await call(RemoveMember, { as: owner, params, query: { hand_to: heir.user_id } })
  expect(removed.status).toBe(204)
  expect(await db.campaign.findUnique({ where: { campaign_id } })).toMatchObject({ user_id: heir.user_id })
  expect(await db.template.findUnique({ where: { template_id } })).toMatchObject({ user_id: heir.user_id })
  expect((await call(ReadCurrentUser, { token })).status).toBe(401)
  expect((await call(ReadCurrentUser, { as: admin })).body).toMatchObject({
    workspace_id: admin.own_workspace_id,
  })
})

test('whoever removes somebody gets their work unless they say who does, and a viewer cannot', async () => {
  const owner = await aUser({ tier: 'scale' })
  const [admin, maker, viewer] = [
    await aMember(owner, 'admin'),
    await aMember(owner, 'member'),
    await aMember(owner, 'viewer'),
  ]
  const other = await aMember(owner, 'member')
  const steps_config = [{ subject: 'Hi', message_template: 'Hi' }]
  const { campaign_id } = await aCampaign(maker, { steps_config })
  await db.campaign.update({ where: { campaign_id }, data: { status: 'active' } })
  const params = { ...here(owner), user_id: maker.user_id }
  const preview = (hand_to?: string) =>
    call(ReadMemberRemoval, { as: admin, params, query: hand_to ? { hand_to } : {} })
  const mine = (await preview()).body
  expect(mine.handed_to?.user_id).toBe(admin.user_id)
  expect(mine.running).toMatchObject([{ campaign_id, status: 'active', missing: [] }])
  const theirs = (await preview(other.user_id)).body
  expect(theirs.handed_to?.user_id).toBe(other.user_id)
  expect(theirs.running[0]?.missing).toEqual([expect.stringContaining('Choose the mailboxes')])
  for (const refused of [
    await preview(viewer.user_id),
    await call(RemoveMember, { as: admin, params, query: { hand_to: viewer.user_id } }),
  ])
    expect([refused.status, refused.error.detail]).toEqual([409, 'heir_role'])
  expect((await call(RemoveMember, { as: admin, params })).status).toBe(204)
  const after = await db.campaign.findUnique({ where: { campaign_id } })
  expect(after).toMatchObject({ user_id: admin.user_id, status: 'active' })
})

test('a removed person who was in no other workspace gets one', async () => {
  const owner = await aUser()
  const person = await aMember(owner, 'viewer')
  await db.workspace.delete({ where: { workspace_id: person.own_workspace_id } })
  const params = { ...here(owner), user_id: person.user_id }
  expect((await call(RemoveMember, { as: owner, params })).status).toBe(204)
  expect((await call(ReadCurrentUser, { as: person })).body).toMatchObject({ role: 'owner' })
})

test('owners are not removed by admins, and the last one by nobody', async () => {
  const owner = await aUser()
  const admin = await aMember(owner, 'admin')
  const params = { ...here(owner), user_id: owner.user_id }
  expect((await call(RemoveMember, { as: admin, params })).error.detail).toBe('role_above_own')
  expect((await call(RemoveMember, { as: owner, params })).error.detail).toBe('last_owner')
  expect((await call(ReadMemberRemoval, { as: owner, params })).body.handed_to).toBeNull()
})

test('ownership is handed on, and then one may leave', async () => {
  const owner = await aUser()
  const next = await aMember(owner, 'viewer')
  const { campaign_id } = await aCampaign(owner)
  const leave = () => call(LeaveWorkspace, { as: owner, params: here(owner) })
  expect((await leave()).error.detail).toBe('last_owner')
  const handOn = (as: { user_id: string }, user_id: string) =>
    call(HandOnWorkspace, { as, params: here(owner), body: { user_id } })
  expect((await handOn(next, next.user_id)).error.detail).toBe('role_insufficient')
  expect((await handOn(owner, crypto.randomUUID())).error.detail).toBe('member_not_found')
  expect((await handOn(owner, next.user_id)).body).toMatchObject({ role: 'owner', user_id: next.user_id })
  expect(await roleOf(owner.workspace_id, owner.user_id)).toBe('admin')
  expect((await leave()).error.detail).toBe('last_workspace')
  await call(CreateWorkspace, { as: owner, body: { name: 'Own' } })
  expect((await leave()).status).toBe(204)
  expect(await roleOf(owner.workspace_id, owner.user_id)).toBeUndefined()
  expect(await db.campaign.findUnique({ where: { campaign_id } })).toMatchObject({ user_id: next.user_id })
})

test('everybody changes their own name, and an admin the time zone of the workspace', async () => {
  const owner = await aUser()
  const [admin, viewer] = [await aMember(owner, 'admin'), await aMember(owner, 'viewer')]
  const change = (as: typeof viewer, body: object) => call(UpdateAccount, { as, body })
  expect((await change(viewer, { name: 'Vera', timezone: 'UTC' })).body).toMatchObject({ name: 'Vera' })
  const refused = await change(viewer, { name: 'Viola', timezone: 'Asia/Tokyo' })
  expect([refused.status, refused.error.detail]).toEqual([403, 'role_insufficient'])
  expect(await db.user.findUnique({ where: { user_id: viewer.user_id } })).toMatchObject({ name: 'Vera' })
  expect((await change(admin, { timezone: 'Asia/Tokyo' })).body).toMatchObject({ timezone: 'Asia/Tokyo' })
})

test('a key gives no role above its own, whoever made it', async () => {
  const owner = await aUser()
  const { user_id } = await aMember(owner, 'member')
  const another = await aMember(owner, 'owner')
  const body = { name: 'K', role: 'admin', scopes: ['read', 'write', 'admin'] }
  const { key: token } = (await call(CreateApiKey, { as: owner, body })).body
  const give = (role: string) =>
    call(UpdateMember, { token, params: { ...here(owner), user_id }, body: { role } })
  const refused = await give('owner')
  expect([refused.status, refused.error.detail]).toEqual([403, 'role_above_own'])
  expect((await give('viewer')).status).toBe(200)
  const removed = await call(RemoveMember, {
    token,
    params: { ...here(owner), user_id: another.user_id },
  })
  expect([removed.status, removed.error.detail]).toEqual([403, 'role_above_own'])
})

test('whoever leaves their last two workspaces at once stays in one', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const [one, another] = [await aUser(), await aUser()]
    const person = await aMember(one, 'member')
    await db.member.create({ data: { ...here(another), user_id: person.user_id, role: 'member' } })
    await db.member.deleteMany({ where: { workspace_id: person.own_workspace_id } })
    const leave = ({ workspace_id }: { workspace_id: string }) =>
      call(LeaveWorkspace, {
        as: person,
        params: { workspace_id },
        headers: { 'x-workspace-id': workspace_id },
      })
    const statuses = (await Promise.all([leave(one), leave(another)])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([204, 409])
    expect(await db.member.count({ where: { user_id: person.user_id } })).toBe(1)
  }
})
