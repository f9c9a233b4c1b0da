import { randomInt } from 'node:crypto'
import { CreateReportLink } from '#lib/contracts/campaigns/report-links'
import type { Contract } from '#lib/contracts/contract'
import { db } from '#lib/db/client'
import { seal } from '#lib/db/seal'
import { createReportLink } from '#lib/services/campaigns/reports/report-links'
import { createDomain } from '#lib/services/domains/domains'
import { createImage } from '#lib/services/messages/images'
import { createSenderProfile } from '#lib/services/messages/sender-profiles'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { createImport } from '#lib/services/workspaces/archive/imports'
import { openSession } from '#lib/services/workspaces/sign-in/sessions'
import { aDmarcReport } from '#tests/support/files/dmarc'
import { aPng } from '#tests/support/files/images'
import {
  aCampaign,
  aDataset,
  aMailbox,
  anAccount,
  anEnrolledLead,
  aPersonalizationRun,
  aTemplate,
  aThread,
} from '#tests/support/scenes/factories'
import { aMember, anInvitation } from '#tests/support/scenes/team'
import { anUpload } from '#tests/support/scenes/uploads'

export type User = { workspace_id: string; user_id: string; tier: 'free' | 'starter' | 'growth' | 'scale' }

const profileFields = { profile_name: 'P', sender_data: {}, description: null, is_default: false }

type Params = Record<string, string>

const aDatasetSession = async (workspace_id: string, dataset_id: string) => {
  const data = { workspace_id, dataset_id, work: 'email_finder', status: 'completed' } as const
  return (await db.datasetSession.create({ data })).session_id
}

/** An attachment whose bytes are in no storage. */
async function anAttachment({ workspace_id, user_id }: { workspace_id: string; user_id: string }) {
  const about = { filename: 'Private.pdf', content_type: 'application/pdf', size_bytes: 1 }
  const stored = { storage: 'disk', location: `attachments/${crypto.randomUUID()}.bin` }
  const data = { ...about, ...stored, workspace_id, user_id, sha256: '0'.repeat(64) }
  return db.attachment.create({ data })
}

/**
 * Creates a row of the owner for each path parameter, by the parameter's name and, for `id`, by its resource. It belongs to
 * the rows that the parameters `before` it name.
 */
export const FACTORIES: Record<string, (owner: User, before: Params) => Promise<string>> = {
  'api-keys/id': async (owner) =>
    (await createApiKey(owner, { name: 'K', scopes: ['read'], expires_at: null }, new Date())).id,
  'sender-profiles/id': async (owner) => (await createSenderProfile(owner, profileFields)).id,
  workspace_id: async ({ workspace_id }) => workspace_id,
  image_id: async ({ workspace_id }) =>
    (
      await createImage(
        workspace_id,
        new File([aPng({ width: randomInt(1, 2_000) })], 'mark.png'),
        new Date(),
      )
    ).image_id,
  user_id: async (owner) => (await aMember(owner, 'viewer')).user_id,
  invitation_id: anInvitation,
  sign_in_domain_id: async ({ workspace_id }) => {
    const token = crypto.randomUUID()
    const data = { workspace_id, domain: `private-${token}.example.com`, role: 'member', token } as const
    return (await db.signInDomain.create({ data })).sign_in_domain_id
  },
  campaign_id: async (owner) => {
    const steps_config = [{ subject: 'Hi', message_template: 'Hi' }]
    const { campaign_id } = await aCampaign(owner, { steps_config })
    await anEnrolledLead(owner, { campaign_id })
    // Back to a draft, in which most operations would be allowed.
    await db.campaign.update({ where: { campaign_id }, data: { status: 'draft' } })
    return campaign_id
  },
  campaign_lead_id: async (owner, before) =>
    (await anEnrolledLead(owner, { ...before, lead_index: 1 })).campaign_lead_id,
  action_id: async (owner, before) => {
    const { campaign_id, campaign_lead_id } = await anEnrolledLead(owner, { ...before, lead_index: 1 })
    const kind = { step: 1, channel: 'email', action_type: 'email', status: 'uncertain' } as const
    const data = {
      ...kind,
      campaign_id,
      campaign_lead_id,
      workspace_id: owner.workspace_id,
      performed_at: new Date(),
    }
    return (await db.action.create({ data })).action_id
  },
  edit_id: async (owner, before) => {
    const { workspace_id } = owner
    const campaign_id = before.campaign_id ?? (await aCampaign(owner)).campaign_id
    const side = { settings: { name: 'Private' }, texts: {} }
    const data = { campaign_id, workspace_id, at: new Date(), before: side, after: side, changes: [] }
    return (await db.campaignEdit.create({ data })).edit_id
  },
  report_link_id: async (owner) => {
    const { campaign_id } = await aCampaign(owner)
    const body = CreateReportLink.body.parse({ name: 'Private', campaign_ids: [campaign_id] })
    return (await createReportLink({ ...owner, role: 'owner' }, body, new Date())).report_link_id
  },
  dataset_id: async (owner) => {
    const { dataset_id } = await aDataset(owner)
    const { workspace_id } = owner
    const kept = { row_number: 1, code: 'missing_email', reason: 'The row has no email address.' }
    await db.datasetReject.create({ data: { dataset_id, workspace_id, ...kept } })
    return dataset_id
  },
  // Far from the other rows, so that no list contains its number by chance.
  lead_index: async (owner, { dataset_id }) => {
    const lead_index = 1_000_000_000 + randomInt(1_000_000_000)
    const place = { dataset_id: dataset_id ?? (await aDataset(owner)).dataset_id, lead_index }
    await db.datasetRow.create({ data: { ...place, workspace_id: owner.workspace_id, data: {} } })
    return `${lead_index}`
  },
  import_id: async (owner) =>
    (await createImport(owner, { filename: 'private.ndjson', size_bytes: 100 }, new Date())).import_id,
  sheet_account_id: async ({ workspace_id }) =>
    (
      await db.sheetAccount.create({
        data: {
          workspace_id,
          vendor: 'google',
          subject: crypto.randomUUID(),
          address: 'private@example.com',
          client_id: 'none',
          refresh_token: 'none',
        },
      })
    ).sheet_account_id,
  upload_id: async (owner) => (await anUpload(owner)).upload_id,
  attachment_id: async (owner) => (await anAttachment(owner)).attachment_id,
  form_id: async (owner, before) => {
    const { workspace_id } = owner
    const dataset_id = before.dataset_id ?? (await aDataset(owner)).dataset_id
    const texts = { consent_text: 'Private', mail_subject: 'Private', mail_text: 'Private' }
    const fields = [{ name: 'email', column: 'email', required: true }]
    const of = { workspace_id, dataset_id, name: 'Private', token: crypto.randomUUID() }
    const data = { ...of, ...texts, fields, allowed_origins: ['https://private.example.com'] }
    return (await db.form.create({ data })).form_id
  },
  view_id: async ({ workspace_id }) => {
    const data = { workspace_id, name: `Private ${crypto.randomUUID()}`, filters: {} }
    return (await db.view.create({ data })).view_id
  },
  template_id: async (owner) => (await aTemplate(owner)).template_id,
  organization_id: async ({ workspace_id }) => {
    const data = { workspace_id, vendor: 'sandbox', name: 'Private', client_id: 'none', secret: 'none' }
    return (await db.mailOrganization.create({ data })).organization_id
  },
  mailbox_id: async (owner) => (await aMailbox(owner)).mailbox_id,
  account_id: async (owner) => (await anAccount(owner)).account_id,
  domain_id: async ({ workspace_id }) =>
    (await createDomain(workspace_id, { domain: `private-${crypto.randomUUID()}.example.com` }, new Date()))
      .domain_id,
  session_id: async ({ workspace_id, user_id }, { dataset_id }) =>
    dataset_id
      ? aDatasetSession(workspace_id, dataset_id)
      : openSession(user_id, { user_agent: null, place: null }, new Date(), 3_600),
  passkey_id: async ({ user_id }) => {
    const device = { credential_id: crypto.randomUUID(), public_key: Buffer.from('key') }
    const data = { ...device, user_id, name: 'Private', backup_eligible: false, backed_up: false }
    return (await db.passkey.create({ data })).passkey_id
  },
  identity_id: async ({ user_id }) => {
    const data = { user_id, issuer: 'https://id.example', subject: crypto.randomUUID() }
    return (await db.identity.create({ data })).identity_id
  },
  thread_id: async (owner) => {
    const { mailbox_id } = await aMailbox(owner)
    const data = {
      workspace_id: owner.workspace_id,
      mailbox_id,
      counterpart_address: 'ada@private.test',
      subject: 'Hi',
    }
    const latest = { last_message_at: new Date(), last_direction: 'in', last_kind: 'reply', preview: 'Hi' }
    const { thread_id } = await db.thread.create({ data: { ...data, ...latest } })
    await db.thread.update({ where: { thread_id }, data: { labels: [thread_id] } })
    // The assistant's conversations use the same parameter name.
    await db.conversation.create({
      data: { workspace_id: owner.workspace_id, user_id: owner.user_id, thread_id, title: thread_id },
    })
    return thread_id
  },
  note_id: async (owner, before) => {
    const { workspace_id, user_id } = owner
    const thread_id = before.thread_id ?? (await aThread(owner)).thread_id
    const data = { workspace_id, user_id, thread_id, text: `Private ${crypto.randomUUID()}` }
    return (await db.inboxNote.create({ data })).note_id
  },
  draft_id: async (owner, before) => {
    const { workspace_id, user_id } = owner
    const thread_id = before.thread_id ?? (await aThread(owner)).thread_id
    const data = { workspace_id, user_id, thread_id, text: `Private ${crypto.randomUUID()}` }
    return (await db.inboxDraft.create({ data })).draft_id
  },
  inbox_message_id: async (owner, before) => {
    const { workspace_id } = owner
    const thread_id = before.thread_id ?? (await aThread(owner)).thread_id
    const said = { from_address: 'ada@private.test', subject: 'Hi', text: `Private ${crypto.randomUUID()}` }
    const data = { workspace_id, thread_id, direction: 'in', kind: 'reply', at: new Date(), ...said }
    return (await db.inboxMessage.create({ data })).inbox_message_id
  },
  position: async (owner, { inbox_message_id }) => {
    const { attachment_id, filename, content_type, size_bytes } = await anAttachment(owner)
    const data = { attachment_ids: [attachment_id], attachments: [{ filename, content_type, size_bytes }] }
    if (inbox_message_id) await db.inboxMessage.update({ where: { inbox_message_id }, data })
    return '0'
  },
  label_id: async ({ workspace_id }) => {
    const { label_id } = await db.inboxLabel.create({
      data: { workspace_id, name: crypto.randomUUID(), color: 'info' },
    })
    return label_id
  },
  post_id: async ({ workspace_id, user_id }) => {
    const { id } = await db.socialPost.create({ data: { workspace_id, user_id, text: 'Private' } })
    await db.socialPostMetrics.create({
      data: { workspace_id, post_id: id, at: new Date(), impressions: 4_711 },
    })
    return id
  },
  run_id: async (owner) => {
    const { dataset_id } = await aDataset(owner)
    return (await aPersonalizationRun(owner, { dataset_id })).run_id
  },
  generation_id: async (owner) => {
    const { dataset_id } = await aDataset(owner)
    const { run_id } = await aPersonalizationRun(owner, { dataset_id })
    return (await db.generation.findFirstOrThrow({ where: { run_id } })).generation_id
  },
  person_id: async ({ workspace_id }) => {
    const data = { workspace_id, email: `private-${crypto.randomUUID()}@example.com` }
    return (await db.person.create({ data })).person_id
  },
  company_id: async ({ workspace_id }) => {
    const data = { workspace_id, domain: `private-${crypto.randomUUID()}.example.com` }
    return (await db.company.create({ data })).company_id
  },
  suppression_id: async ({ workspace_id }) => {
    const data = { workspace_id, value: `private-${crypto.randomUUID()}@example.com`, reason: 'manual' }
    return (await db.suppression.create({ data })).suppression_id
  },
  sandbox_message_id: async ({ workspace_id }) => {
    const raw = new TextEncoder().encode('Subject: Private\r\n\r\nText\r\n')
    const addresses = { mail_from: 'a@example.com', rcpt_to: 'b@example.com', from_address: 'a@example.com' }
    const data = { workspace_id, ...addresses, subject: 'Private', raw }
    return (await db.sandboxMessage.create({ data })).sandbox_message_id
  },
  notification_id: async ({ workspace_id, user_id }) => {
    const { notification_id } = await db.notification.create({ data: { workspace_id, kind: 'reply' } })
    const about = { subject: `About ${notification_id}`, text: '', recipient: 'me@example.com' }
    await db.notificationMessage.create({
      data: { workspace_id, user_id, channel: 'email', kind: 'digest', status: 'sent', ...about },
    })
    return notification_id
  },
  webhook_id: async ({ workspace_id }) => {
    const data = { workspace_id, url: 'https://private.example.com/', event_types: ['lead.sent'] }
    const secrets = { secret: seal('whsec_cHJpdmF0ZQ=='), secret_hint: 'ZQ==' }
    return (await db.webhook.create({ data: { ...data, ...secrets } })).webhook_id
  },
  delivery_id: async ({ workspace_id }, { webhook_id = '' }) => {
    const event = {
      workspace_id,
      type: 'webhook.test',
      at: new Date(),
      data: { email: 'private@example.com' },
    }
    const { event_id } = await db.webhookEvent.create({ data: event })
    const of = webhook_id || (await db.webhook.findFirstOrThrow({ where: { workspace_id } })).webhook_id
    return (await db.webhookDelivery.create({ data: { webhook_id: of, event_id, workspace_id } })).delivery_id
  },
}

/** Bodies for operations whose parameters alone do not make a valid request. */
export const BODIES: Record<string, unknown> = {
  stopCampaignLeads: { campaign_lead_ids: [crypto.randomUUID()] },
  holdCampaignLead: { until: new Date(Date.now() + 86_400_000).toISOString() },
  suppressCampaignLeads: { campaign_lead_ids: [crypto.randomUUID()] },
  previewDraftStep: { step: 1, lead_index: 0, steps_config: [{ message_template: 'Hi' }] },
  resumeCampaignLeads: { campaign_lead_ids: [crypto.randomUUID()] },
  retryCampaignLeads: { campaign_lead_ids: [crypto.randomUUID()] },
  resolveUncertainAction: { resolution: 'sent' },
  answerSandboxMessage: { kind: 'complaint' },
  processDataset: { pipeline_type: 'enrichment' },
  updateMember: { role: 'admin' },
  eraseWorkspace: { name: 'Acme', token: 'e1.none' },
  setParent: { parent_workspace_id: crypto.randomUUID() },
  setClientCampaigns: { campaign_ids: [] },
  replaceGroupRoles: { roles: [] },
  createSignInDomain: { domain: 'private.example.com', role: 'member' },
  createInvitation: { email: 'me@example.com', role: 'viewer' },
  addCampaignLeads: { rows: [{ email: 'added@example.com' }] },
  addDatasetRows: { rows: [{ email: 'added@example.com' }] },
  authorizeSheets: { dataset_id: crypto.randomUUID() },
  completeSheets: { query: 'code=none' },
  authorizePostmaster: { domain_id: crypto.randomUUID() },
  completePostmaster: { query: 'code=none' },
  syncTable: { digest: 'none' },
  connectSnds: { key: 'none' },
  connectOrganizationMailboxes: { mailboxes: [{ address: 'suspended@private.example.com' }] },
  resumeMailboxProvider: { provider: 'google' },
  addDmarcReports: { file: new File([aDmarcReport({ domain: 'example.com' })], 'report.xml') },
  createImage: { file: new File([aPng()], 'mark.png') },
  createAttachment: { file: new File(['name\nAda\n'], 'list.csv') },
  createPlacementTests: { seed_mailbox_ids: ['00000000-0000-7000-8000-000000000001'] },
  importDatasetRejects: { rows: [{ row_number: 1, data: { email: 'fixed@example.com' } }] },
  removeDatasetRows: { lead_indexes: [0] },
  createForm: {
    name: 'Private',
    fields: [{ name: 'email', column: 'email', required: true }],
    consent_text: 'Yes',
    mail_subject: 'Please confirm',
    mail_text: 'Please confirm',
    allowed_origins: ['https://private.example.com'],
  },
  updateForm: { name: 'Taken over' },
  editDatasetRow: { data: { first_name: 'Taken over' } },
  mergePeople: { into: crypto.randomUUID(), from: crypto.randomUUID() },
  splitPerson: { person_ids: [crypto.randomUUID()] },
  updatePerson: { first_name: 'Taken over' },
  renameDataset: { dataset_name: 'Taken over' },
  renamePasskey: { name: 'Taken over' },
  previewStep: { step: 1, lead_index: 0 },
  sendTest: { step: 1, to: 'me@example.com' },
  editGeneration: { body: 'Taken over' },
  replyInInbox: { text: 'Hello' },
  forwardInInbox: { to: 'else@example.com' },
  replaceIntentRules: { rules: [] },
  replaceCampaignIntentRules: { rules: [] },
  createInboxNote: { text: 'Hello' },
  createInboxDraft: { text: 'Hello' },
  updateInboxDraft: { text: 'Taken over' },
  reportInboxPresence: { state: 'typing' },
  updateSocialPost: { text: 'Taken over' },
  resolveSocialPost: { resolution: 'published' },
}

export const namesIn = ({ path }: Contract) =>
  [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => name)

function factoryFor(contract: Contract, name: string) {
  const factory = FACTORIES[name === 'id' ? `${contract.path.split('/')[1]}/id` : name]
  if (!factory) throw new Error(`No factory makes {${name}} of ${contract.path}: add one to FACTORIES.`)
  return factory
}

export async function paramsFor(contract: Contract, owner: User): Promise<Params> {
  const params: Params = {}
  for (const name of namesIn(contract)) params[name] = await factoryFor(contract, name)(owner, { ...params })
  return params
}

export const bodyOf = (contract: Contract) => (contract.body ? (BODIES[contract.id] ?? {}) : undefined)
