import { expect, test } from 'vitest'
import { LetParentPay } from '#lib/contracts/billing/payer'
import {
  CreateCampaign,
  DeleteCampaign,
  ListCampaigns,
  UpdateCampaign,
} from '#lib/contracts/campaigns/campaigns'
import { PreviewStep } from '#lib/contracts/campaigns/step-previews'
import { ImportUpload } from '#lib/contracts/datasets/uploads'
import { CreateTemplate, UpdateTemplate } from '#lib/contracts/messages/templates'
import { UpdateAccount } from '#lib/contracts/workspaces/account'
import { LeaveParent, SetParent } from '#lib/contracts/workspaces/agency'
import { ListAuditEvents } from '#lib/contracts/workspaces/audit'
import { HandOnWorkspace, RemoveMember, UpdateMember } from '#lib/contracts/workspaces/members'
import { db } from '#lib/db/client'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { recordChange } from '#lib/services/workspaces/audit'
import { eraseAccount, prepareErasure } from '#lib/services/workspaces/erasure'
import { call } from '#tests/support/call'
import { mcpClient } from '#tests/support/mcp'
import { aDataset, aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'
import { anUpload, put } from '#tests/support/scenes/uploads'

const content = { subject: 'A', body: 'A very private text' }
const logOf = async (
  owner: { workspace_id: string; user_id: string },
  query: Record<string, string | number> = {},
) => (await call(ListAuditEvents, { as: owner, query })).body

test('what changed is logged with its ids and by whom; what was written is not', async () => {
  const owner = await aUser()
  const { key, key_prefix } = await createApiKey(
    owner,
    { name: 'K', scopes: ['read', 'write'], expires_at: null },
    new Date(),
  )
  const made = await call(CreateTemplate, { as: owner, body: { name: 'T', content } })
  const { template_id } = made.body
  await call(UpdateTemplate, { token: key, params: { template_id }, body: { name: 'T2' } })
  await call(UpdateAccount, { as: owner, body: { name: 'Ada' } })
  const { items, total } = await logOf(owner)
  expect(total).toBe(3)
  expect(
    items.map(({ operation, target, by, key_prefix: prefix }) => [operation, target, by, prefix]),
  ).toEqual([
    ['updateAccount', {}, 'token', null],
    ['updateTemplate', { template_id }, 'key', key_prefix],
    ['createTemplate', { template_id }, 'token', null],
  ])
  const kept = JSON.stringify(await db.auditEvent.findMany({ where: { workspace_id: owner.workspace_id } }))
  for (const secret of ['private', key, 'Ada']) expect(kept).not.toContain(secret)
})

test('why a campaign does not wait for others is kept with the change', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner)
  const body = { name: 'C', dataset_id, steps_config: [{ subject: 'Hi', message_template: 'Hi' }] }
  const { campaign_id } = (await call(CreateCampaign, { as: owner, body })).body
  const changes = { name: 'Private words', contact_policy_override: 'They asked for both' }
  const params = { campaign_id }
  expect((await call(UpdateCampaign, { as: owner, params, body: changes })).status).toBe(200)
  await call(UpdateCampaign, { as: owner, params, body: { contact_policy_override: null } })
  expect((await logOf(owner)).items.map(({ target }) => target)).toEqual([
    { campaign_id },
    { campaign_id, contact_policy_override: 'They asked for both' },
    { campaign_id, dataset_id },
  ])
})

test('reading, computing and what was refused are not logged', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner)
  const steps_config = [{ subject: 'Hi', message_template: 'Hi' }]
  const { campaign_id } = (
    await call(CreateCampaign, { as: owner, body: { name: 'C', dataset_id, steps_config } })
  ).body
  await call(ListCampaigns, { as: owner })
  expect(
    (await call(PreviewStep, { as: owner, params: { campaign_id }, body: { step: 1, lead_index: 0 } }))
      .status,
  ).toBe(200)
  expect((await call(CreateTemplate, { as: owner, body: {} })).status).toBe(422)
  expect((await call(DeleteCampaign, { as: await aUser(), params: { campaign_id } })).status).toBe(404)
  expect((await logOf(owner)).items).toMatchObject([
    { operation: 'createCampaign', target: { campaign_id, dataset_id } },
  ])
})

test('the log is filtered by what, by whom, about what and when', async () => {
  const owner = await aUser()
  const ids = [crypto.randomUUID(), crypto.randomUUID()]
  const log = (by: object, template_id: string, at: string) =>
    recordChange({ ...owner, credential: 'jwt', ...by }, UpdateTemplate, {
      params: { template_id },
      now: new Date(at),
    })
  await log({}, ids[0] ?? '', '2026-03-01T00:00:00Z')
  await log({ credential: 'api_key', key_prefix: 'opn_live_abc' }, ids[1] ?? '', '2026-03-02T00:00:00Z')
  await log({ by_token: true }, ids[0] ?? '', '2026-03-02T12:00:00Z')
  await log({ by_assistant: true }, ids[1] ?? '', '2026-03-03T00:00:00Z')
  const found = async (query: Record<string, string | number>) =>
    (await logOf(owner, query)).items.map(({ by }) => by)
  expect(await found({})).toEqual(['assistant', 'token', 'key', 'person'])
  expect(await found({ by: 'token' })).toEqual(['token'])
  expect(await found({ by: 'person' })).toEqual(['person'])
  expect(await found({ by: 'assistant' })).toEqual(['assistant'])
  expect(await found({ key_prefix: 'opn_live_abc' })).toEqual(['key'])
  expect(await found({ target_id: ids[1] ?? '' })).toEqual(['assistant', 'key'])
  expect(await found({ operation: 'deleteTemplate' })).toEqual([])
  expect(await found({ from: '2026-03-02T00:00:00Z', to: '2026-03-02T06:00:00Z' })).toEqual(['key'])
  expect(await found({ page: 2, page_size: 1 })).toEqual(['token'])
  expect((await call(ListAuditEvents, { as: owner, query: { by: 'nobody' } })).status).toBe(422)
  expect((await logOf(await aUser())).total).toBe(0)
})

test('what an MCP client does in a person’s name is the assistant’s', async () => {
  const owner = await aUser()
  const { call: tool } = await mcpClient(owner)
  await tool('createTemplate', { name: 'T', content })
  await tool('listTemplates', {})
  expect((await logOf(owner)).items).toMatchObject([{ operation: 'createTemplate', by: 'assistant' }])
})

test('the log names people and things, and is read of one member and of a span of time', async () => {
  const owner = await aUser()
  const ana = await aMember(owner, 'member')
  const { template_id } = (await call(CreateTemplate, { as: ana, body: { name: 'Spring', content } })).body
  await call(UpdateAccount, { as: owner, body: { name: 'Ada' } })
  const { items } = await logOf(owner, { user_id: ana.user_id })
  expect(items).toMatchObject([
    { user_id: ana.user_id, user_name: ana.name, target_names: { [template_id]: 'Spring' } },
  ])
  expect((await logOf(owner, { target_id: template_id })).total).toBe(1)
  expect((await logOf(owner, { to: '2020-01-01T00:00:00Z' })).total).toBe(0)
  expect((await logOf(owner, { from: '2020-01-01T00:00:00Z' })).total).toBe(2)
  expect((await call(ListAuditEvents, { as: ana })).status).toBe(403)
})

test('the log says whose role was changed, who was removed, and to whom the workspace was handed on', async () => {
  const owner = await aUser()
  const [ana, ben] = [await aMember(owner, 'member'), await aMember(owner, 'admin')]
  const { workspace_id } = owner
  const of = ({ user_id }: { user_id: string }) => ({ workspace_id, user_id })
  await call(UpdateMember, { as: owner, params: of(ana), body: { role: 'viewer' } })
  await call(RemoveMember, { as: owner, params: of(ana) })
  await call(HandOnWorkspace, { as: owner, params: { workspace_id }, body: { user_id: ben.user_id } })
  const { items } = await logOf(ben)
  expect(items.map(({ operation, target, user_id }) => [operation, target, user_id])).toEqual([
    ['handOnWorkspace', { user_id: ben.user_id }, owner.user_id],
    ['removeMember', { user_id: ana.user_id }, owner.user_id],
    ['updateMember', { user_id: ana.user_id }, owner.user_id],
  ])
  expect(items[0]?.target_names).toEqual({ [ben.user_id]: ben.name })
  expect((await logOf(ben, { target_id: ana.user_id })).total).toBe(2)
  const { token } = await prepareErasure(ana.user_id, new Date())
  await eraseAccount(ana.user_id, { email: ana.email, token }, new Date())
  expect((await logOf(ben, { target_id: ana.user_id })).total).toBe(0)
  expect((await logOf(ben)).items.map(({ target }) => target)).toEqual([{ user_id: ben.user_id }, {}, {}])
})

test('what a parent does with a child is in the logs of both, and each names the other', async () => {
  const [owner, another] = [await aUser(), await aUser()]
  const { workspace_id } = owner
  const parent = another.workspace_id
  await db.member.create({ data: { workspace_id: parent, user_id: owner.user_id, role: 'owner' } })
  await db.user.update({ where: { user_id: owner.user_id }, data: { last_workspace_id: workspace_id } })
  await call(SetParent, { as: owner, params: { workspace_id }, body: { parent_workspace_id: parent } })
  const headers = { 'x-workspace-id': parent }
  await call(LetParentPay, { as: owner, params: { workspace_id }, headers })
  await call(LeaveParent, { as: owner, params: { workspace_id }, headers })
  const logged = async (id: string) =>
    (await db.auditEvent.findMany({ where: { workspace_id: id }, orderBy: { at: 'asc' } })).map(
      ({ operation, target, user_id }) => [operation, target, user_id],
    )
  expect(await logged(workspace_id)).toEqual([
    ['setParent', { parent_workspace_id: parent }, owner.user_id],
    ['letParentPay', {}, owner.user_id],
    ['leaveParent', {}, owner.user_id],
  ])
  expect(await logged(parent)).toEqual([
    ['letParentPay', { workspace_id }, owner.user_id],
    ['leaveParent', { workspace_id }, owner.user_id],
  ])
})

test('an upload is logged with the name of its file, and its import with the dataset that it became', async () => {
  const owner = await aUser()
  const { upload_id, ...address } = await anUpload(owner)
  expect((await put(address)).ok).toBe(true)
  const named = { target: { upload_id, filename: 'leads.csv' }, target_names: { [upload_id]: 'leads.csv' } }
  expect((await logOf(owner)).items).toMatchObject([{ operation: 'createUpload', by: 'token', ...named }])
  const { dataset_id } = (
    await call(ImportUpload, { as: owner, params: { upload_id }, body: { dataset_name: 'Spring leads' } })
  ).body
  expect((await logOf(owner)).items).toMatchObject([
    {
      operation: 'importUpload',
      target: { upload_id, dataset_id },
      target_names: { [dataset_id]: 'Spring leads' },
    },
    { operation: 'createUpload', target: named.target },
  ])
})
