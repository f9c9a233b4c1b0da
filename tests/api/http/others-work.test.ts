import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Contract } from '#lib/contracts/contract'
import { FindEmails } from '#lib/contracts/enrichment/email-finder'
import { AddCampaignLeads } from '#lib/contracts/leads/added-leads'
import { Personalize } from '#lib/contracts/personalize/personalize'
import { ResolveSocialPost } from '#lib/contracts/posts/social-posts'
import { roleRefusal } from '#lib/contracts/workspaces/roles'
import { db } from '#lib/db/client'
import { isWorkName, notYours } from '#lib/domain/workspaces/others-work'
import { operations } from '#lib/operations/all'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { call } from '#tests/support/call'
import { mcpClient } from '#tests/support/mcp'
import {
  aCampaign,
  aDataset,
  anEnrolledLead,
  aPersonalizationRun,
  aUser,
} from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'
import { bodyOf, namesIn, paramsFor, type User } from '#tests/support/walk/one-of-each'
import { wholeDatabase } from '#tests/support/whole-database'

// Set before any module reads the environment: one person asks more than a minute allows.
Object.assign(process.env, { SANDBOX_SMTP_PORT: '1025', RATE_LIMIT_WRITE: '100000', RATE_LIMIT_AI: '100000' })

const writes = operations
  .map(({ contract }) => contract)
  .filter(
    (contract) => contract.scope && contract.scope !== 'read' && roleRefusal('member', contract) === null,
  )
// A member who has left the workspace could not continue.
const aboutOne = writes.filter(({ id, path }) => path.includes('{') && id !== 'leaveWorkspace')

/** What a member may do to other members' work, and why. Everything else that a path names is refused. */
const EVERYBODYS: Record<string, string> = {
  duplicateCampaign: 'the copy is theirs',
  updateInboxThread: 'whoever looks first sorts the inbox of a team',
  markInboxThreadRead: 'the same',
  createInboxNote: 'a team talks about all of its conversations',
  createInboxDraft: 'nothing is sent: a team writes together',
  deleteInboxDraft: 'nothing is sent: whoever sees that it should not be stops it',
  draftInboxReply: 'nothing is kept or sent',
  reportInboxPresence: 'a team sees who has its conversations open',
  updatePerson: 'people are the workspace’s: nobody made them',
  splitPerson: 'the same',
  updateView: 'views are the workspace’s',
  deleteView: 'the same',
  markNotificationRead: 'what happened is told to the workspace',
  deleteInboxLabel: 'labels are the workspace’s',
  previewUpload: 'uploads are the workspace’s, and become a dataset of its own',
  checkUpload: 'the same',
  importUpload: 'the same',
  createAttachmentFromUpload: 'uploads are the workspace’s, and become a file of its own',
}

let owner: User
let member: Awaited<ReturnType<typeof aMember>>
beforeAll(async () => {
  owner = await aUser({ tier: 'scale' })
  member = await aMember(owner, 'member')
})

/** The rows that a path names, all belonging to a campaign that the owner created. */
async function othersParams(contract: Contract): Promise<Record<string, string>> {
  const params = await paramsFor(contract, owner)
  const { workspace_id } = owner
  const steps_config = [{ subject: 'Hi', message_template: 'Hi' }]
  const { campaign_id, dataset_id } = await aCampaign(owner, { steps_config })
  const { run_id, generation_id, thread_id, sandbox_message_id } = params
  if (params.dataset_id)
    await db.campaign.update({ where: { campaign_id }, data: { dataset_id: params.dataset_id } })
  if (thread_id) await db.thread.updateMany({ where: { thread_id }, data: { campaign_id } })
  if (run_id || generation_id) {
    const run = await aPersonalizationRun(owner, { dataset_id, campaign_id })
    if (run_id) params.run_id = run.run_id
    if (generation_id)
      params.generation_id = (
        await db.generation.findFirstOrThrow({ where: { run_id: run.run_id } })
      ).generation_id
  }
  if (sandbox_message_id) {
    const { campaign_lead_id } = await anEnrolledLead(owner, { campaign_id })
    const message_id = `<${crypto.randomUUID()}@example.com>`
    const sent = { step: 1, channel: 'email', action_type: 'email', status: 'sent' } as const
    const data = {
      ...sent,
      campaign_id,
      campaign_lead_id,
      workspace_id,
      message_id,
      performed_at: new Date(),
    }
    await db.action.create({ data })
    await db.sandboxMessage.update({ where: { sandbox_message_id }, data: { message_id } })
  }
  return params
}

test('the walk covers what a member may write', () => {
  expect(aboutOne.length).toBeGreaterThan(40)
  const known = new Set(aboutOne.map(({ id }) => id))
  expect(Object.keys(EVERYBODYS).filter((id) => !known.has(id))).toEqual([])
})

test.each(aboutOne)(
  '$id of what somebody else made is refused to a member, or everybody’s',
  async (contract) => {
    const params = await othersParams(contract)
    const body = bodyOf(contract)
    const before = await wholeDatabase()
    const { status, text } = await call(contract, { as: member, params, body })
    if (contract.id in EVERYBODYS) return expect([403, 404]).not.toContain(status)
    // For another member, a person's own rows, such as their passkeys, do not exist.
    if (namesIn(contract).some(isNamed(contract)))
      expect([status, text]).toEqual([403, expect.stringContaining('Ask an admin. As a member, you can ')])
    else expect(status).toBe(404)
    expect(await wholeDatabase()).toEqual(before)
  },
)

const isNamed = (contract: Contract) => (name: string) =>
  (isWorkName(name) && contract.tag !== 'Assistant') || (name === 'id' && contract.tag === 'Sender profiles')

/** Ids that a body may contain without changing what they name. */
const ONLY_READ: Record<string, string> = {
  createCampaign: 'a campaign reads its dataset',
  updateCampaign: 'the same',
  personalize: 'a run reads dataset, template and profile; its campaign is looked at',
  previewPersonalization: 'nothing is kept',
  sendTest: 'the campaign in its path is looked at',
  renderTemplate: 'nothing is kept',
  agentChat: 'a thread of the assistant is its owner’s alone',
  authorizeSheets: 'the way back leads to the page of the dataset',
}

test('a body that names what somebody made says whether it changes that', () => {
  const unsaid = writes.filter(({ id, body, changes = [] }) => {
    const given = body instanceof z.ZodDefault || body instanceof z.ZodPrefault ? body.unwrap() : body
    const names = given instanceof z.ZodObject ? Object.keys(given.shape).filter(isWorkName) : []
    return names.some((name) => !changes.includes(name)) && !(id in ONLY_READ)
  })
  expect(unsaid.map(({ id }) => id)).toEqual([])
})

test.each([
  [Personalize, 'campaign_id'],
  [FindEmails, 'dataset_id'],
] as const)('a body that names another’s is refused', async (contract, name) => {
  const { campaign_id, dataset_id } = await aCampaign(owner)
  const before = await wholeDatabase()
  const { status, text } = await call(contract, { as: member, body: { campaign_id, dataset_id } })
  expect([status, text]).toEqual([403, expect.stringContaining(notYours(name))])
  expect(await wholeDatabase()).toEqual(before)
})

test('a member settles their own post', async () => {
  const { workspace_id, user_id } = member
  const { id } = await db.socialPost.create({ data: { workspace_id, user_id, text: 'Mine' } })
  const settled = await call(ResolveSocialPost, {
    as: member,
    params: { post_id: id },
    body: { resolution: 'published' },
  })
  expect([settled.status, settled.error.detail]).toEqual([409, 'post_not_uncertain'])
})

test('a dataset is everybody’s until somebody’s campaign uses it, and one’s own campaign does not count', async () => {
  const { dataset_id } = await aDataset(owner)
  const find = () => call(FindEmails, { as: member, body: { dataset_id } })
  await aCampaign(member, { dataset_id })
  expect((await find()).status).not.toBe(403)
  await aCampaign(owner, { dataset_id })
  expect((await find()).status).toBe(403)
})

test('tools are refused what the API refuses', async () => {
  const { campaign_id, name } = await aCampaign(owner)
  const { key } = await createApiKey(
    member,
    { name: 'K', scopes: ['read', 'write', 'send'], expires_at: null },
    new Date(),
  )
  const { client } = await mcpClient(key)
  const answer = await client.callTool({
    name: 'updateCampaign',
    arguments: { campaign_id, name: 'Taken over' },
  })
  expect(JSON.stringify(answer)).toContain(notYours('campaign_id'))
  expect(await db.campaign.findUnique({ where: { campaign_id } })).toMatchObject({ name })
})

test('leads of a campaign of one’s own are not rows of a list that somebody else’s has too', async () => {
  const { campaign_id, dataset_id } = await aCampaign(member)
  const add = () =>
    call(AddCampaignLeads, { as: member, params: { campaign_id }, body: { rows: [{ email: 'a@b.test' }] } })
  expect((await add()).status).toBe(200)
  await aCampaign(owner, { dataset_id })
  const refused = await add()
  expect([refused.status, refused.error]).toEqual([
    403,
    { detail: 'role_insufficient', message: notYours('dataset_id') },
  ])
})
