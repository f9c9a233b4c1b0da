import { afterEach, describe, expect, test } from 'vitest'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import { EraseWorkspace, PrepareWorkspaceErasure } from '#lib/contracts/workspaces/erasure'
import { db, pool } from '#lib/db/client'
import { readUnsubscribe } from '#lib/services/leads/unsubscribes'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { eraseWorkspace, prepareWorkspaceErasure } from '#lib/services/workspaces/leaving/workspace-erasure'
import { openSession } from '#lib/services/workspaces/sign-in/sessions'
import { createWorkspace } from '#lib/services/workspaces/workspaces'
import { call } from '#tests/support/call'
import { aBusyWorkspace } from '#tests/support/files/archives'
import { aCampaign, aMailbox, aTemplate, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launched, MONDAY } from '#tests/support/scenes/launched'
import { aMember } from '#tests/support/scenes/team'
import { wholeDatabase } from '#tests/support/whole-database'

afterEach(async () => {
  await db.campaign.deleteMany()
})

type User = { workspace_id: string; user_id: string; email: string }

/** Credentials of a user in one of their workspaces. */
const there = (as: User, workspace_id: string) => ({
  as,
  headers: { 'x-workspace-id': workspace_id },
  params: { workspace_id },
})
const prepared = async (as: User, workspace_id = as.workspace_id) =>
  (await call(PrepareWorkspaceErasure, there(as, workspace_id))).body
const erase = (as: User, body: { name: string; token: string }, workspace_id = as.workspace_id) =>
  call(EraseWorkspace, { ...there(as, workspace_id), body })
const exists = async (workspace_id: string) => (await db.workspace.count({ where: { workspace_id } })) === 1

/** The tables in which this id still occurs, in any column. */
async function traces(id: string): Promise<string[]> {
  const { rows: tables } = await pool().query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await pool().query(`SELECT 1 FROM "${name}" t WHERE t::text ILIKE $1 LIMIT 1`, [
      `%${id}%`,
    ])
    if (rows.length > 0) found.push(name)
  }
  return found
}

describe('erasing one of two workspaces of a person', () => {
  test('leaves nothing of it in any table, and all of the other', async () => {
    const { owner, campaign_id } = await aBusyWorkspace()
    const { workspace_id } = owner
    const colleague = await aMember(owner, 'member')
    await createApiKey(owner, { name: 'K', scopes: ['read'], expires_at: null }, MONDAY)
    const session_id = await openSession(owner.user_id, { user_agent: null, place: null }, new Date(), 3_600)
    await db.userSession.update({ where: { session_id }, data: { workspace_id } })
    const other = await createWorkspace(owner.user_id, 'Other')
    const theirs = { ...owner, workspace_id: other.workspace_id }
    const kept = await aCampaign(theirs)
    await aTemplate(theirs)
    await aMailbox(theirs)
    const inOther = async () => ({
      campaigns: await db.campaign.count({ where: { workspace_id: other.workspace_id } }),
      templates: await db.template.count({ where: { workspace_id: other.workspace_id } }),
      mailboxes: await db.mailbox.count({ where: { workspace_id: other.workspace_id } }),
      rows: await db.datasetRow.count({ where: { workspace_id: other.workspace_id } }),
    })
    const before = await inOther()

    const asked = await prepared(owner)
    expect(asked).toMatchObject({
      members: 2,
      will_erase: { campaigns: 1, running_campaigns: 1, mailboxes: 1 },
    })
    const { status, body } = await erase(owner, asked)
    expect(status).toBe(200)
    expect(body.rows).toBeGreaterThan(3)
    expect(await traces(workspace_id)).toEqual([])
    expect(await traces(campaign_id)).toEqual([])
    expect(await inOther()).toEqual(before)
    expect(await db.campaign.count({ where: { campaign_id: kept.campaign_id } })).toBe(1)
    // Users and their sessions stay, and continue in another workspace.
    expect(await db.userSession.count({ where: { session_id } })).toBe(1)
    const me = await call(ReadCurrentUser, { as: owner })
    expect(me.body).toMatchObject({ workspace_id: other.workspace_id, role: 'owner' })
    const { own_workspace_id } = colleague
    const them = await call(ReadCurrentUser, { as: colleague })
    expect(them.body).toMatchObject({ workspace_id: own_workspace_id })
  })

  test('stops what runs, and its unsubscribe links still answer', async () => {
    const { owner } = await launched({}, 2)
    const { outbox } = await dispatchAt(MONDAY)
    const link = /unsubscribe\/(u1\.[\w-]+)/.exec(outbox[0]?.headers['List-Unsubscribe'] ?? '')?.[1] ?? ''
    await erase(owner, await prepared(owner))
    expect((await dispatchAt(new Date(MONDAY.getTime() + 86_400_000))).outbox).toEqual([])
    expect(await readUnsubscribe(link)).toBe('sender_gone')
  })

  test('gives an empty one to whoever has no other', async () => {
    const [owner, colleague] = [await aUser(), await aUser()]
    const { workspace_id } = owner
    await db.member.deleteMany({ where: { user_id: colleague.user_id } })
    await db.member.create({ data: { workspace_id, user_id: colleague.user_id, role: 'viewer' } })
    await aTemplate(owner)
    expect((await erase(owner, await prepared(owner))).status).toBe(200)
    for (const { user_id } of [owner, colleague]) {
      const [mine, ...more] = await db.member.findMany({ where: { user_id } })
      expect([mine?.role, more]).toEqual(['owner', []])
      expect(mine?.workspace_id).not.toBe(workspace_id)
      expect(await db.template.count({ where: { workspace_id: mine?.workspace_id ?? '' } })).toBe(0)
    }
  })

  test('lets the children of a parent go, with what it suppressed', async () => {
    const [parent, child] = [await aUser(), await aUser()]
    const parent_workspace_id = parent.workspace_id
    await db.workspace.update({
      where: { workspace_id: child.workspace_id },
      data: { parent_workspace_id, billed_by_parent: true },
    })
    await db.suppression.create({
      data: { workspace_id: parent_workspace_id, value: 'ada@example.com', reason: 'manual' },
    })
    expect((await erase(parent, await prepared(parent))).status).toBe(200)
    const workspace_id = child.workspace_id
    const where = { workspace_id }
    expect(await db.workspace.findUniqueOrThrow({ where })).toMatchObject({ parent_workspace_id: null })
    expect(await db.suppression.findMany({ where })).toMatchObject([{ value: 'ada@example.com' }])
  })
})

describe('is refused, and nothing is erased', () => {
  test.each<[string, (asked: { name: string; token: string }) => { name: string; token: string }]>([
    ['with another name', ({ token }) => ({ name: 'Another', token })],
    ['with a made-up token', ({ name }) => ({ name, token: 'e1.x' })],
  ])('%s', async (_, change) => {
    const owner = await aUser()
    await aTemplate(owner)
    const body = change(await prepared(owner))
    const before = await wholeDatabase()
    const { status, error } = await erase(owner, body)
    expect([status, error.detail]).toEqual([409, 'erasure_unconfirmed'])
    expect(await wholeDatabase()).toEqual(before)
  })

  test('with the token of another workspace, of another owner, or one that has run out', async () => {
    const owner = await aUser()
    const other = await createWorkspace(owner.user_id, owner.name)
    const second = await aMember(owner, 'owner')
    const { name } = await prepared(owner)
    const elsewhere = await prepared(owner, other.workspace_id)
    expect((await erase(owner, { name, token: elsewhere.token })).status).toBe(409)
    const theirs = await prepared({ ...second, workspace_id: owner.workspace_id })
    expect((await erase(owner, { name, token: theirs.token })).status).toBe(409)
    const asking = { ...owner, role: 'owner' as const }
    const { token, expires_at } = await prepareWorkspaceErasure(asking, owner.workspace_id, new Date())
    await expect(
      eraseWorkspace(asking, owner.workspace_id, { name, token }, expires_at),
    ).rejects.toMatchObject({
      code: 'erasure_unconfirmed',
    })
    expect(await exists(owner.workspace_id)).toBe(true)
  })

  test('for an admin, and for an owner who is none any more', async () => {
    const owner = await aUser()
    const admin = await aMember(owner, 'admin')
    const params = there(admin, owner.workspace_id)
    expect((await call(PrepareWorkspaceErasure, params)).status).toBe(403)
    const asked = await prepared(owner)
    expect((await call(EraseWorkspace, { ...params, body: asked })).status).toBe(403)
    await db.member.updateMany({
      where: { workspace_id: owner.workspace_id, user_id: owner.user_id },
      data: { role: 'admin' },
    })
    const asking = { ...owner, role: 'owner' as const }
    await expect(eraseWorkspace(asking, owner.workspace_id, asked, new Date())).rejects.toMatchObject({
      code: 'role_insufficient',
    })
    expect(await exists(owner.workspace_id)).toBe(true)
  })

  test('while a subscription goes on being paid', async () => {
    const owner = await aUser()
    const { workspace_id } = owner
    const asked = await prepared(owner)
    const pays = (subscription_cancels: boolean) =>
      db.workspace.update({
        where: { workspace_id },
        data: { billing_customer_id: workspace_id, subscription_status: 'active', subscription_cancels },
      })
    await pays(false)
    const refused = await erase(owner, asked)
    expect([refused.status, refused.error.detail]).toEqual([409, 'subscription_runs'])
    expect(await exists(workspace_id)).toBe(true)
    await pays(true)
    expect((await erase(owner, asked)).status).toBe(200)
  })

  test('with an API key, whatever its scopes', async () => {
    const owner = await aUser({ tier: 'scale' })
    const { key } = await createApiKey(owner, { name: 'K', scopes: ['admin'], expires_at: null }, new Date())
    const params = { workspace_id: owner.workspace_id }
    expect((await call(PrepareWorkspaceErasure, { token: key, params })).status).toBe(403)
    expect(await exists(owner.workspace_id)).toBe(true)
  })
})
