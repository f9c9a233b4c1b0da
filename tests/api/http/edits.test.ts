import { expect, test } from 'vitest'
import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { PauseCampaign } from '#lib/contracts/campaigns/lifecycle'
import type { Contract } from '#lib/contracts/contract'
import { RenameDataset } from '#lib/contracts/datasets/datasets'
import { ReadTemplate, UpdateTemplate } from '#lib/contracts/messages/templates'
import { UpdateNotificationPreferences } from '#lib/contracts/telling/notifications'
import { db } from '#lib/db/client'
import { seal } from '#lib/db/seal'
import { operations } from '#lib/operations/all'
import { createDomain } from '#lib/services/domains/domains'
import { createSenderProfile } from '#lib/services/messages/sender-profiles'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { call } from '#tests/support/call'
import {
  aCampaign,
  aDataset,
  aDraft,
  aMailbox,
  anAccount,
  aPersonalizationRun,
  aTemplate,
  aThread,
  aUser,
} from '#tests/support/scenes/factories'
import { aMember, ownsToo } from '#tests/support/scenes/team'
import { everythingOf } from '#tests/support/walk/everything'
import { FACTORIES, paramsFor } from '#tests/support/walk/one-of-each'

type User = { workspace_id: string; user_id: string }
type Case = {
  /** Creates what the path names, for this owner. */
  make: (owner: User) => Promise<Record<string, string>>
  /** The caller's own edit, and what somebody else saved before it. */
  mine: Record<string, unknown>
  theirs: Record<string, unknown>
}

const none = async () => ({})
/** One row of each kind that its path names. */
const byPath = (id: string) => (owner: User) => {
  const { contract } = operations.find((each) => each.contract.id === id) as (typeof operations)[number]
  return paramsFor(contract, { ...owner, tier: 'free' })
}
/** The parent workspace of every owner in this file. */
const PARENT = crypto.randomUUID()
/** Every operation that edits. An operation without an entry here fails the test. */
const CASES: Record<string, Case> = {
  updateAccount: { make: none, mine: { name: 'Mine' }, theirs: { name: 'Theirs' } },
  updateAccountSettings: {
    make: none,
    mine: { require_verified_domain: true },
    theirs: { require_verified_domain: false },
  },
  updateApiKey: {
    make: async (owner) => ({
      id: (await createApiKey(owner, { name: 'K', scopes: ['read'] }, new Date())).id,
    }),
    mine: { permissions: { campaigns: 'read' } },
    theirs: { name: 'Theirs', allowed_networks: ['10.0.0.0/8'] },
  },
  updateConversation: {
    make: async ({ workspace_id, user_id }) => {
      const { thread_id } = await db.conversation.create({
        data: { workspace_id, user_id, thread_id: crypto.randomUUID() },
      })
      return { thread_id }
    },
    mine: { title: 'Mine' },
    theirs: { title: 'Theirs' },
  },
  updateCampaign: {
    make: async (owner) => ({ campaign_id: (await aCampaign(owner)).campaign_id }),
    mine: { name: 'Mine' },
    theirs: { steps_config: [{ subject: 'Theirs', message_template: 'Theirs' }] },
  },
  setClientCampaigns: {
    make: async (owner) => {
      const { workspace_id, user_id } = await aMember(owner, 'client')
      return { workspace_id, user_id }
    },
    mine: { campaign_ids: [] },
    theirs: { campaign_ids: [] },
  },
  setParent: {
    make: async (owner) => ({ workspace_id: await ownsToo(owner, PARENT) }),
    mine: { parent_workspace_id: PARENT },
    theirs: { parent_workspace_id: PARENT },
  },
  updateAgency: {
    make: async ({ workspace_id }) => ({ workspace_id }),
    mine: { share_unsubscribes: false },
    theirs: { share_unsubscribes: true },
  },
  updateContactPolicy: {
    make: none,
    mine: { after_reply: 'campaign' },
    theirs: { after_reply: 'everywhere' },
  },
  updateConnectedAccount: {
    make: async (owner) => ({ account_id: (await anAccount(owner)).account_id }),
    mine: { limits: { message: { day: 7 } } },
    theirs: { min_interval_seconds: 77 },
  },
  renameDataset: {
    make: async (owner) => ({ dataset_id: (await aDataset(owner)).dataset_id }),
    mine: { dataset_name: 'Mine' },
    theirs: { dataset_name: 'Theirs' },
  },
  editDatasetRow: {
    make: async (owner) => ({ dataset_id: (await aDataset(owner)).dataset_id, lead_index: '0' }),
    mine: { data: { first_name: 'Mine' } },
    theirs: { data: { email: 'theirs@example.com', note: 'Theirs' } },
  },
  updateDomain: {
    make: async ({ workspace_id }) => {
      const body = { domain: `edited-${crypto.randomUUID()}.example.com` }
      return { domain_id: (await createDomain(workspace_id, body, new Date())).domain_id }
    },
    mine: { bounce_address: false },
    theirs: { bounce_address: false },
  },
  editGeneration: {
    make: async (owner) => {
      const { dataset_id } = await aDataset(owner)
      const { run_id } = await aPersonalizationRun(owner, { dataset_id, count: 1 })
      return { generation_id: (await db.generation.findFirstOrThrow({ where: { run_id } })).generation_id }
    },
    mine: { body: 'Mine' },
    theirs: { subject: 'Theirs' },
  },
  updateForm: { make: byPath('updateForm'), mine: { name: 'Mine' }, theirs: { consent_text: 'Theirs' } },
  updateView: {
    make: byPath('updateView'),
    mine: { filters: { tag: 'mine' } },
    theirs: { filters: { tag: 'theirs' } },
  },
  updatePerson: {
    make: byPath('updatePerson'),
    mine: { first_name: 'Mine' },
    theirs: { tags: ['theirs'] },
  },
  renamePasskey: {
    make: async ({ user_id }) => {
      const device = { credential_id: crypto.randomUUID(), public_key: Buffer.from('key') }
      const data = { ...device, user_id, name: 'Before', backup_eligible: false, backed_up: false }
      return { passkey_id: (await db.passkey.create({ data })).passkey_id }
    },
    mine: { name: 'Mine' },
    theirs: { name: 'Theirs' },
  },
  updateInboxDraft: { make: aDraft, mine: { text: 'Mine' }, theirs: { text: 'Theirs' } },
  updateInboxThread: { make: aThread, mine: { labels: ['mine'] }, theirs: { status: 'done' } },
  updateMailOrganization: {
    make: byPath('updateMailOrganization'),
    mine: { name: 'Mine' },
    theirs: { name: 'Theirs' },
  },
  updateMailbox: {
    make: async (owner) => ({ mailbox_id: (await aMailbox(owner)).mailbox_id }),
    mine: { signature: 'Mine' },
    theirs: { daily_limit: 77 },
  },
  updateNotificationPreferences: {
    make: none,
    mine: { notify_on_reply: false },
    theirs: { personal_email: 'theirs@example.com' },
  },
  updateSenderProfile: {
    make: async (owner) => {
      const fields = { profile_name: 'P', sender_data: {}, description: null, is_default: false }
      return { id: (await createSenderProfile(owner, fields)).id }
    },
    mine: { description: 'Mine', is_default: true },
    theirs: { profile_name: 'Theirs' },
  },
  updateSocialPost: {
    make: async ({ workspace_id, user_id }) => ({
      post_id: (await db.socialPost.create({ data: { workspace_id, user_id, text: 'Before' } })).id,
    }),
    mine: { text: 'Mine' },
    theirs: { text: 'Theirs' },
  },
  updateMember: {
    make: async (owner) => {
      const { workspace_id, user_id } = await aMember(owner, 'viewer')
      return { workspace_id, user_id }
    },
    mine: { role: 'member' },
    theirs: { role: 'admin' },
  },
  updateBranding: {
    make: async ({ workspace_id }) => ({ workspace_id }),
    mine: { name: 'Mine' },
    theirs: { sender_name: 'Theirs' },
  },
  replaceIntentRules: {
    make: none,
    mine: { rules: [{ intent: 'meeting', does: 'end', label: 'Mine' }] },
    theirs: { rules: [{ intent: 'meeting', does: 'end', label: 'Theirs' }] },
  },
  replaceCampaignIntentRules: {
    make: async (owner) => ({ campaign_id: (await aCampaign(owner)).campaign_id }),
    mine: { rules: [{ intent: 'meeting', does: 'end', label: 'Mine' }] },
    theirs: { rules: [{ intent: 'meeting', does: 'end', label: 'Theirs' }] },
  },
  replaceGroupRoles: {
    make: async ({ workspace_id }) => ({ workspace_id }),
    mine: { roles: [{ group: 'mine', role: 'member' }] },
    theirs: { roles: [{ group: 'theirs', role: 'viewer' }] },
  },
  updateSignInDomain: {
    make: async (owner) => ({
      workspace_id: owner.workspace_id,
      sign_in_domain_id: (await FACTORIES.sign_in_domain_id?.({ ...owner, tier: 'free' }, {})) ?? '',
    }),
    mine: { role: 'viewer' },
    theirs: { role: 'member' },
  },
  updateWorkspace: {
    make: async ({ workspace_id }) => ({ workspace_id }),
    mine: { name: 'Mine' },
    theirs: { name: 'Theirs' },
  },
  updateTemplate: {
    make: async (owner) => ({ template_id: (await aTemplate(owner)).template_id }),
    mine: { content: { subject: 'Mine' } },
    theirs: { content: { body: 'Theirs' } },
  },
  updateWebhook: {
    make: async ({ workspace_id }) => {
      const data = { workspace_id, url: 'https://hooks.example.com/', event_types: ['lead.sent'] }
      const secrets = { secret: seal('whsec_cHJpdmF0ZQ=='), secret_hint: 'ZQ==' }
      return { webhook_id: (await db.webhook.create({ data: { ...data, ...secrets } })).webhook_id }
    },
    mine: { description: 'Mine' },
    theirs: { enabled: false },
  },
}

const edits: Contract[] = operations
  .map(({ contract }) => contract as Contract)
  // Operations without a body overwrite nothing: a mailbox that is assigned twice is assigned.
  .filter(({ method, body }) => (method === 'PATCH' || method === 'PUT') && body !== undefined)

async function scene(contract: Contract) {
  const found = CASES[contract.id]
  if (!found) throw new Error(`${contract.id} edits: give it a line in CASES.`)
  const owner = await aUser()
  const params = await found.make(owner)
  const patch = (body: Record<string, unknown>) => call(contract, { as: owner, params, body })
  return { ...found, owner, patch }
}

test.each(edits)('$id answers the version it made, and takes none as whatever is there', async (contract) => {
  const { patch, mine, theirs } = await scene(contract)
  const first = await patch(theirs)
  const second = await patch({ ...mine, version: null })
  expect([first.status, second.status]).toEqual([200, 200])
  expect([first.error.version, second.error.version]).toEqual([2, 3])
})

test.each(edits)(
  '$id of a stale version is refused, writes nothing, and shows what is there',
  async (contract) => {
    const { patch, mine, theirs, owner } = await scene(contract)
    const saved = await patch({ ...theirs, version: 1 })
    expect(saved.status).toBe(200)
    const before = await everythingOf(owner)
    const refused = await patch({ ...mine, version: 1 })
    expect(refused.status).toBe(409)
    expect(await everythingOf(owner)).toEqual(before)
    if (contract.errors === 'legacy') expect(refused.error).toEqual({ detail: expect.any(String) })
    else {
      expect(refused.error).toMatchObject({ detail: 'changed_meanwhile', message: expect.any(String) })
      expect(refused.error.current.version).toBe(2)
      expect(contract.response?.safeParse(refused.error.current).success).toBe(true)
    }
    // An edit based on the current version is accepted.
    expect((await patch({ ...mine, version: 2 })).status).toBe(200)
  },
)

test.each(edits)('of two edits of one version by $id at once exactly one wins', async (contract) => {
  const { patch, mine, theirs, owner } = await scene(contract)
  for (let version = 1; version <= 5; version += 1) {
    const both = await Promise.all([patch({ ...mine, version }), patch({ ...theirs, version })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    // Each round changes something: an edit that changes nothing keeps the version.
    await db.datasetRow.updateMany({ where: { workspace_id: owner.workspace_id }, data: { data: {} } })
  }
})

test.each(edits)('$id refuses a version that is none', async (contract) => {
  const { patch, mine } = await scene(contract)
  for (const version of [0, -1, 1.5, 'soon', 2 ** 31]) {
    const { status, error } = await patch({ ...mine, version })
    expect([status, error.details?.[0]?.loc]).toEqual([422, ['body', 'version']])
  }
})

test('what was refused for another reason is no edit', async () => {
  const owner = await aUser()
  const { template_id } = await aTemplate(owner)
  const refused = await call(UpdateTemplate, {
    as: owner,
    params: { template_id },
    body: { content: { body: '{{ broken' }, version: 1 },
  })
  expect(refused.status).toBe(422)
  const { body } = await call(ReadTemplate, { as: owner, params: { template_id } })
  expect(body.version).toBe(1)
  const preferences = await call(UpdateNotificationPreferences, {
    as: owner,
    body: { messaging_enabled: true, version: 1 },
  })
  expect(preferences.status).toBe(422)
  expect(await db.notificationPreferences.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
})

test('two parts of a text that were saved at once without a version are both kept', async () => {
  const owner = await aUser()
  const { template_id } = await aTemplate(owner)
  for (let round = 0; round < 10; round += 1) {
    const part = (content: { subject?: string; body?: string }) =>
      call(UpdateTemplate, { as: owner, params: { template_id }, body: { content } })
    await Promise.all([part({ subject: `S${round}` }), part({ body: `B${round}` })])
    const { body } = await call(ReadTemplate, { as: owner, params: { template_id } })
    expect(body.content).toEqual({ subject: `S${round}`, body: `B${round}` })
  }
})

test('counters and status leave the version as it is', async () => {
  const owner = await aUser()
  const { campaign_id } = await aCampaign(owner)
  const params = { campaign_id }
  const running = { status: 'active', next_slot_at: new Date(), sent_count: { increment: 1 } } as const
  await db.campaign.update({ where: params, data: running })
  expect((await call(PauseCampaign, { as: owner, params })).status).toBe(200)
  const renamed = { name: 'Renamed', version: 1 }
  const { status, body } = await call(UpdateCampaign, { as: owner, params, body: renamed })
  expect([status, body.version]).toEqual([200, 2])
})

test("a stale rename of another's dataset is 404, as any", async () => {
  const [owner, stranger] = [await aUser(), await aUser()]
  const { dataset_id } = await aDataset(owner)
  const body = { dataset_name: 'Taken over', version: 9 }
  expect((await call(RenameDataset, { as: stranger, params: { dataset_id }, body })).status).toBe(404)
})
