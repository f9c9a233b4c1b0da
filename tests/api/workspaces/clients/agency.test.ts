import { beforeEach, describe, expect, test } from 'vitest'
import {
  AddSuppressions,
  DeleteSuppression,
  DeleteSuppressions,
  ListSuppressions,
} from '#lib/contracts/leads/suppressions'
import { LeaveParent, ReadAgency, SetParent, UpdateAgency } from '#lib/contracts/workspaces/agency'
import { CreateWorkspace } from '#lib/contracts/workspaces/workspaces'
import { db } from '#lib/db/client'
import { eraseAccount, prepareErasure } from '#lib/services/workspaces/erasure'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

type Person = Awaited<ReturnType<typeof aUser>>

/** Everybody in this file is a member of several workspaces. */
const there = (as: Person) => ({ as, headers: { 'x-workspace-id': as.workspace_id } })

let owner: Person
let child: Person
const another = async (name = 'Client') => {
  const { body } = await call(CreateWorkspace, { ...there(owner), body: { name } })
  return { ...owner, workspace_id: body.workspace_id }
}
const put = (as: Person, parent: { workspace_id: string }) =>
  call(SetParent, {
    ...there(as),
    params: { workspace_id: as.workspace_id },
    body: { parent_workspace_id: parent.workspace_id },
  })
const leave = (as: Person, from: { workspace_id: string }, suppressions?: 'copy' | 'release') =>
  call(LeaveParent, {
    ...there(as),
    params: { workspace_id: from.workspace_id },
    query: suppressions ? { suppressions } : {},
  })
const read = async (as: Person) =>
  (await call(ReadAgency, { ...there(as), params: { workspace_id: as.workspace_id } })).body
const suppressed = async (as: Person) =>
  (await call(ListSuppressions, { ...there(as), query: {} })).body.items
const list = (as: Person, value: string) => call(AddSuppressions, { ...there(as), body: { value } })
const outcome = ({ status, error }: { status: number; error: { detail?: unknown } }) => [status, error.detail]

beforeEach(async () => {
  owner = await aUser()
  child = await another()
})

test('an owner of both puts a workspace under a parent, which both show', async () => {
  expect(await put(child, owner)).toMatchObject({
    status: 200,
    body: { parent: { workspace_id: owner.workspace_id }, children: [], version: 2 },
  })
  expect(await read(owner)).toMatchObject({
    parent: null,
    children: [{ workspace_id: child.workspace_id, name: 'Client' }],
  })
  expect((await put(child, owner)).status).toBe(200)
})

describe('a parent is refused', () => {
  test('that is the workspace itself, or that nobody knows of', async () => {
    expect((await put(child, child)).status).toBe(422)
    expect(outcome(await put(child, await aUser()))).toEqual([404, 'workspace_not_found'])
    expect(outcome(await put(child, { workspace_id: crypto.randomUUID() }))).toEqual([
      404,
      'workspace_not_found',
    ])
  })

  test('to whoever is no owner of it, or of the workspace', async () => {
    const parent = await aUser()
    await db.member.create({
      data: { workspace_id: parent.workspace_id, user_id: owner.user_id, role: 'admin' },
    })
    expect(outcome(await put(child, parent))).toEqual([403, 'role_insufficient'])
    const admin = await aMember(child, 'admin')
    expect(outcome(await put(admin, { workspace_id: admin.own_workspace_id }))).toEqual([
      403,
      'role_insufficient',
    ])
    expect(outcome(await leave(admin, child))).toEqual([403, 'role_insufficient'])
  })

  test('of a workspace that has another one, or children, and where it has a parent itself', async () => {
    const third = await another()
    await put(child, owner)
    expect(outcome(await put(child, third))).toEqual([409, 'has_parent'])
    expect(outcome(await put(owner, third))).toEqual([409, 'has_children'])
    expect(outcome(await put(third, child))).toEqual([409, 'parent_has_parent'])
  })

  test('to one of two that become each other’s parent at once', async () => {
    const both = await Promise.all([put(child, owner), put(owner, child)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('the list of a parent', () => {
  beforeEach(async () => {
    await list(owner, 'ada@example.com')
    await put(child, owner)
  })

  test('is shown in its children, marked, and is removed in the parent only', async () => {
    await list(child, 'bob@example.com')
    const [own, inherited] = await suppressed(child)
    expect(own).toMatchObject({ value: 'bob@example.com', inherited_from: null })
    expect(inherited).toMatchObject({
      value: 'ada@example.com',
      inherited_from: { workspace_id: owner.workspace_id },
    })
    const suppression_id = inherited?.suppression_id ?? ''
    expect(outcome(await call(DeleteSuppression, { ...there(child), params: { suppression_id } }))).toEqual([
      409,
      'suppression_inherited',
    ])
    const several = await call(DeleteSuppressions, {
      ...there(child),
      body: { suppression_ids: [suppression_id] },
    })
    expect(several.body.removed).toEqual([])
    expect(await suppressed(owner)).toMatchObject([{ value: 'ada@example.com', inherited_from: null }])
  })

  test('is nothing to a sibling’s stranger, and a child’s is nothing to its sibling or parent', async () => {
    const sibling = await another('Sibling')
    await put(sibling, owner)
    await list(child, 'bob@example.com')
    for (const other of [sibling, owner])
      expect((await suppressed(other)).map(({ value }) => value)).toEqual(['ada@example.com'])
    expect(await suppressed(await aUser())).toEqual([])
  })

  test('ends with the parent only if that is said, or is copied first', async () => {
    expect(await read(child)).toMatchObject({ inherited_suppressions: 1 })
    expect(outcome(await leave(child, child))).toEqual([409, 'suppressions_would_end'])
    expect((await read(child)).parent).not.toBeNull()
    expect((await leave(child, child, 'copy')).status).toBe(204)
    expect(await suppressed(child)).toMatchObject([{ value: 'ada@example.com', inherited_from: null }])
    await put(child, owner)
    expect((await leave(child, child)).status).toBe(204)
    expect(outcome(await leave(child, child))).toEqual([409, 'has_no_parent'])
  })

  test('is let go by the parent’s owner too, and by nobody else’s', async () => {
    expect(outcome(await leave(await aUser(), child, 'release'))).toEqual([404, 'workspace_not_found'])
    expect((await leave(owner, child, 'release')).status).toBe(204)
    expect(await suppressed(child)).toEqual([])
  })

  test('stays with its children when the parent is erased', async () => {
    const other = await aUser()
    await db.member.create({
      data: { workspace_id: child.workspace_id, user_id: other.user_id, role: 'owner' },
    })
    const { token, email } = await prepareErasure(owner.user_id, new Date())
    await eraseAccount(owner.user_id, { token, email }, new Date())
    expect(await db.workspace.findUnique({ where: { workspace_id: owner.workspace_id } })).toBeNull()
    expect(await suppressed({ ...other, workspace_id: child.workspace_id })).toMatchObject([
      { value: 'ada@example.com', inherited_from: null },
    ])
  })
})

test('an owner says whether unsubscribes are shared; an admin does not', async () => {
  const params = { workspace_id: owner.workspace_id }
  const body = { share_unsubscribes: false }
  const admin = await aMember(owner, 'admin')
  expect((await call(UpdateAgency, { ...there(admin), params, body })).status).toBe(403)
  expect((await call(UpdateAgency, { ...there(owner), params, body })).body.share_unsubscribes).toBe(false)
})
