import { expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { makeUser } from '#lib/services/workspaces/new-user'
import { ensureUser } from '#lib/services/workspaces/users'
import { createWorkspace } from '#lib/services/workspaces/workspaces'
import { aUser } from '#tests/support/scenes/factories'

test('whoever comes to be owns a workspace of their own', async () => {
  const { user_id, name } = await aUser()

  const memberships = await db.member.findMany({ where: { user_id }, include: { workspace: true } })
  expect(memberships).toMatchObject([{ role: 'owner', workspace: { name } }])
})

test('two first requests of one address at once make one account and one workspace', async () => {
  const email = `twice-${process.pid}@example.com`
  const [first, second] = await Promise.all([ensureUser(email), ensureUser(email)])

  expect(first.user_id).toBe(second.user_id)
  expect(await db.member.count({ where: { user_id: first.user_id } })).toBe(1)
  expect(await makeUser({ email, name: 'Again' })).toBeNull()
})

test('a further one has an id in order of time, as everything has', async () => {
  const { user_id, workspace_id } = await aUser()
  const further = await createWorkspace(user_id, 'Further')
  expect(further.workspace_id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7/)
  expect(further.workspace_id > workspace_id).toBe(true)
})
