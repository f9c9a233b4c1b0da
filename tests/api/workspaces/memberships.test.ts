import { expect, test } from 'vitest'
import { ListCampaigns, ReadCampaign } from '#lib/contracts/campaigns/campaigns'
import { CreateTemplate } from '#lib/contracts/messages/templates'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import { EraseAccount, PrepareErasure } from '#lib/contracts/workspaces/erasure'
import { db } from '#lib/db/client'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { chooseWorkspace } from '#lib/services/workspaces/memberships'
import { openSession } from '#lib/services/workspaces/sign-in/sessions'
import { issueToken } from '#lib/services/workspaces/tokens'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, aUser } from '#tests/support/scenes/factories'

type User = Awaited<ReturnType<typeof aUser>>
type Role = 'owner' | 'admin' | 'member' | 'viewer' | 'client'

/** An owner with a campaign, and a user with a workspace of their own who is a member of the owner's too. */
async function together(role: Role = 'member') {
  const [owner, colleague] = [await aUser(), await aUser()]
  const { workspace_id } = owner
  await db.member.create({ data: { workspace_id, user_id: colleague.user_id, role } })
  const { dataset_id } = await aDataset(owner, 1)
  const { campaign_id } = await aCampaign(owner, { dataset_id })
  return { owner, colleague, campaign_id, there: { 'x-workspace-id': workspace_id } }
}

const me = async (as: User, headers = {}) => (await call(ReadCurrentUser, { as, headers })).body

test('a member sees what is in the workspace that is named, and there is no trace of it in their own', async () => {
  const { colleague, campaign_id, there } = await together()
  const asked = { as: colleague, params: { campaign_id } }

  expect((await call(ReadCampaign, { ...asked, headers: there })).body.campaign_id).toBe(campaign_id)
  const own = { 'x-workspace-id': colleague.workspace_id }
  expect((await call(ReadCampaign, { ...asked, headers: own })).status).toBe(404)
  expect((await call(ListCampaigns, { as: colleague, headers: own })).body.total).toBe(0)
})

test('404 a workspace of strangers, one that nobody has, and one that has no id', async () => {
  const { owner } = await together()
  const stranger = await aUser()
  for (const named of [owner.workspace_id, crypto.randomUUID(), 'mine', '']) {
    const refused = await call(ListCampaigns, { as: stranger, headers: { 'x-workspace-id': named } })
    expect([named, refused.status, refused.error]).toEqual([named, 404, { detail: 'Workspace not found.' }])
  }
  expect((await me(stranger)).workspace_id).toBe(stranger.workspace_id)
})

test('where none is named, one acts where one was last, and in the first again once that is over', async () => {
  const { owner, colleague, there } = await together('viewer')
  const { workspace_id } = owner
  expect(await me(colleague)).toMatchObject({ workspace_id: colleague.workspace_id, role: 'owner' })
  expect(await me(colleague, there)).toMatchObject({ workspace_id, role: 'viewer' })
  expect(await me(colleague)).toMatchObject({ workspace_id, workspace_name: owner.name, role: 'viewer' })
  expect((await me(colleague)).workspaces.map((one) => [one.workspace_id, one.role])).toEqual([
    [colleague.workspace_id, 'owner'],
    [workspace_id, 'viewer'],
  ])

  await db.member.deleteMany({ where: { workspace_id, user_id: colleague.user_id } })
  expect(await me(colleague)).toMatchObject({ workspace_id: colleague.workspace_id, role: 'owner' })
})

test('each browser has the workspace that was chosen in it', async () => {
  const { owner, colleague } = await together()
  const { user_id } = colleague
  const browser = { user_agent: null, place: null }
  const here = await openSession(user_id, browser, new Date(), 3600)
  const there = await openSession(user_id, browser, new Date(), 3600)
  await chooseWorkspace({ user_id, session_id: here }, owner.workspace_id)
  await chooseWorkspace({ user_id, session_id: there }, colleague.workspace_id)
  const seen = async (session: string) => {
    const token = await issueToken(user_id, new Date(), session)
    return (await call(ReadCurrentUser, { token })).body.workspace_id
  }

  expect([await seen(here), await seen(there)]).toEqual([owner.workspace_id, colleague.workspace_id])
  const strange = chooseWorkspace({ user_id, session_id: here }, (await aUser()).workspace_id)
  await expect(strange).rejects.toMatchObject({ code: 'workspace_not_found' })
})

test('a key acts in its own workspace as whoever made it, and opens nothing once they are no member', async () => {
  const { owner, colleague, there } = await together('admin')
  const { user_id } = colleague
  const maker = { workspace_id: owner.workspace_id, user_id }
  const { key } = await createApiKey(maker, { name: 'K', scopes: ['read', 'write'] }, new Date())

  expect((await call(ReadCurrentUser, { token: key, headers: there })).body).toMatchObject({
    user_id,
    workspace_id: owner.workspace_id,
    role: 'admin',
  })
  const own = { 'x-workspace-id': colleague.workspace_id }
  expect((await call(ReadCurrentUser, { token: key, headers: own })).status).toBe(404)
  const body = { name: 'T', content: { subject: 'S', body: 'B' } }
  expect((await call(CreateTemplate, { token: key, body })).body).toMatchObject(maker)

  await db.member.deleteMany({ where: maker })
  expect((await call(ReadCurrentUser, { token: key })).status).toBe(401)
})

test('who erases themselves leaves what they made for others to them, and takes their own workspace along', async () => {
  const { owner, colleague, there } = await together()
  const body = { name: 'T', content: { subject: 'S', body: 'B' } }
  const { template_id } = (await call(CreateTemplate, { as: colleague, headers: there, body })).body
  const { token, email } = (await call(PrepareErasure, { as: colleague })).body
  expect((await call(EraseAccount, { as: colleague, body: { token, email } })).status).toBe(200)

  expect(await db.template.findUnique({ where: { template_id } })).toMatchObject({ user_id: owner.user_id })
  const { workspace_id } = colleague
  expect(await db.workspace.findUnique({ where: { workspace_id } })).toBeNull()
  const events = await db.auditEvent.findMany({ where: { workspace_id: owner.workspace_id } })
  expect(new Set(events.map((event) => event.user_id))).toEqual(new Set([null]))
  expect(events.map(({ operation }) => operation)).toContain('createTemplate')
})

test('409 the only owner of a workspace that others are in erases themselves, and nothing is gone', async () => {
  const { owner, campaign_id } = await together('admin')
  const { token, email } = (await call(PrepareErasure, { as: owner })).body
  const refused = await call(EraseAccount, { as: owner, body: { token, email } })
  expect([refused.status, refused.error.detail]).toEqual([409, 'invalid_state'])
  expect(await db.campaign.count({ where: { campaign_id } })).toBe(1)
})

test('of two owners who erase themselves at once, one stays', async () => {
  const { owner, colleague } = await together('owner')
  const confirmed = await Promise.all(
    [owner, colleague].map(async (as) => {
      const { token, email } = (await call(PrepareErasure, { as })).body
      return { as, body: { token, email } }
    }),
  )
  const answers = await Promise.all(confirmed.map((asking) => call(EraseAccount, asking)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const { workspace_id } = owner
  expect(await db.member.count({ where: { workspace_id, role: 'owner' } })).toBe(1)
})
