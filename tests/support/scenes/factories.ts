import { randomUUID } from 'node:crypto'
import { CreateCampaign } from '#lib/contracts/campaigns/campaigns'
import { CreateTemplate } from '#lib/contracts/messages/templates'
import { db } from '#lib/db/client'
import type { ConnectedAccountCreateManyInput } from '#lib/db/generated/models'
import type { LeadFiles } from '#lib/domain/messages/attached/lead-file'
import { createCampaign } from '#lib/services/campaigns/campaigns'
import { createTemplate } from '#lib/services/messages/templates'
import { makeUser } from '#lib/services/workspaces/new-user'

let made = 0

/** A new user for each test, so that no tables need to be truncated. */
export async function aUser(
  fields: { email?: string; tier?: 'free' | 'starter' | 'growth' | 'scale'; timezone?: string } = {},
) {
  made += 1
  const email = fields.email ?? `user-${process.pid}-${made}@example.com`
  const { tier = 'free', timezone = 'UTC' } = fields
  const user = await makeUser({ email, name: `User ${made}` })
  if (!user) throw new Error(`${email} has an account already`)
  const { workspace_id } = user
  await db.workspace.update({ where: { workspace_id }, data: { tier, timezone } })
  return { ...user, tier, timezone, workspace_name: user.name, role: 'owner' as const }
}

export async function aTemplate(
  owner: { workspace_id: string; user_id: string },
  content: { subject?: string; body?: string; attachment_ids?: string[]; lead_files?: LeadFiles } = {},
) {
  const body = CreateTemplate.body.parse({
    name: 'First touch',
    content: {
      subject: 'Hello {{ first_name | default: "there" }}',
      body: 'A word about {{ company | default: "you" }}.',
      ...content,
    },
  })
  return createTemplate(owner, body)
}

/** Rows of a dataset as an import leaves them: `count` invented people, or the given ones. */
export async function aDataset(
  owner: { workspace_id: string; user_id: string },
  rows: number | { email: string | null; [field: string]: string | null }[] = 3,
) {
  made += 1
  const people =
    typeof rows === 'number'
      ? Array.from({ length: rows }, (_, index) => ({
          email: `lead-${made}-${index}@example.com`,
          first_name: `Lead${index}`,
          company: `Company ${index}`,
        }))
      : rows
  const keys = [...new Set(people.flatMap((person) => Object.keys(person)))]
  const dataset = await db.dataset.create({
    data: {
      workspace_id: owner.workspace_id,
      dataset_name: `Dataset ${made}`,
      source_type: 'xlsx',
      row_count: people.length,
      columns: keys.map((key) => ({ name: key, key })),
    },
  })
  await db.datasetRow.createMany({
    data: people.map((person, lead_index) => ({
      dataset_id: dataset.dataset_id,
      workspace_id: owner.workspace_id,
      lead_index,
      email: person.email,
      data: Object.fromEntries(Object.entries(person).filter(([, value]) => value !== null)),
    })),
  })
  return dataset
}

export async function aMailbox(
  owner: { workspace_id: string; user_id: string },
  fields: {
    address?: string
    host?: string
    port?: number
    daily_limit?: number
    min_interval_seconds?: number
    signature?: string
    ramp_up?: { start: number; increase_per_day: number; by_health?: boolean }
    ramp_up_started_at?: Date
  } = {},
) {
  made += 1
  const { host = '127.0.0.1', port = 1, ...limits } = fields
  return db.mailbox.create({
    data: {
      workspace_id: owner.workspace_id,
      address: `sender-${made}@example.org`,
      smtp: { host, port, security: 'none', username: null },
      daily_limit: 10_000,
      min_interval_seconds: 0,
      ...limits,
    },
  })
}

/** An account of the sandbox network, as connecting it leaves it. */
export async function anAccount(
  owner: { workspace_id: string; user_id: string },
  fields: Partial<ConnectedAccountCreateManyInput> = {},
) {
  made += 1
  const { workspace_id } = owner
  const provider_account_id = `sandbox-account-${made}-${randomUUID()}`
  const { provider = 'linkedin', kind = 'premium', name = `Account ${made}` } = fields
  const network = { network: provider, handle: `account-${made}`, created_at: new Date() }
  await db.sandboxAccount.create({ data: { provider_account_id, workspace_id, name, kind, ...network } })
  const data = { workspace_id, provider, driver: 'sandbox', provider_account_id, name, kind }
  return db.connectedAccount.create({ data: { min_interval_seconds: 0, ...data, ...fields } })
}

const isSocial = (steps: unknown) =>
  Array.isArray(steps) && steps.some((step: { channel?: string }) => step.channel === 'social')

/** A draft made through the same schema as the API's, over a dataset of three leads unless one is given. */
export async function aCampaign(
  owner: { workspace_id: string; user_id: string },
  fields: Record<string, unknown> = {},
) {
  made += 1
  const dataset_id = fields.dataset_id ?? (await aDataset(owner)).dataset_id
  const body = CreateCampaign.body.parse({
    name: `Campaign ${made}`,
    ...(isSocial(fields.steps_config) ? { type: 'mixed' } : {}),
    ...fields,
    dataset_id,
  })
  return createCampaign(owner, body)
}

/** An active lead in an active campaign, as if its first step had been sent from `mailbox_id`. */
export async function anEnrolledLead(
  owner: { workspace_id: string; user_id: string },
  fields: { campaign_id?: string; email?: string; mailbox_id?: string; lead_index?: number } = {},
) {
  made += 1
  const campaign_id = fields.campaign_id ?? (await aCampaign(owner)).campaign_id
  const { dataset_id } = await db.campaign.update({ where: { campaign_id }, data: { status: 'active' } })
  return db.campaignLead.create({
    data: {
      workspace_id: owner.workspace_id,
      dataset_id,
      lead_index: 0,
      email: `lead-${made}@example.com`,
      status: 'active',
      current_step: 1,
      next_step: 2,
      next_action_at: new Date('2100-01-01'),
      next_action_type: 'email',
      next_sender_id: fields.mailbox_id ?? null,
      ...fields,
      campaign_id,
    },
  })
}

/** A finished run with one text for each of the first leads; nobody has reviewed it. */
export async function aPersonalizationRun(
  owner: { workspace_id: string; user_id: string },
  fields: { dataset_id: string; campaign_id?: string; step?: number; count?: number },
) {
  const { count = 3, ...named } = fields
  const run = await db.personalizationRun.create({
    data: {
      ...named,
      workspace_id: owner.workspace_id,
      prompt: '',
      model: 'Offline writer',
      status: 'completed',
      total: count,
      next_index: count,
      generated_count: count,
    },
  })
  await db.generation.createMany({
    data: Array.from({ length: count }, (_, lead_index) => ({
      run_id: run.run_id,
      workspace_id: owner.workspace_id,
      campaign_id: named.campaign_id ?? null,
      step: named.step ?? null,
      lead_index,
      lead_snapshot: { first_name: `Lead${lead_index}` },
      status: 'generated' as const,
      generated_at: new Date(),
      subject: `Text ${lead_index}`,
      body: `Hello Lead${lead_index}`,
      model: 'Offline writer',
    })),
  })
  return run
}

/** A reply draft of a member in a conversation. */
export async function aDraft({ workspace_id, user_id }: { workspace_id: string; user_id: string }) {
  const { thread_id } = await aThread({ workspace_id })
  const data = { workspace_id, user_id, thread_id, text: 'As it was' }
  return { thread_id, draft_id: (await db.inboxDraft.create({ data })).draft_id }
}

export async function aThread({ workspace_id }: { workspace_id: string }): Promise<{ thread_id: string }> {
  const latest = { last_message_at: new Date(), last_direction: 'in', last_kind: 'reply', preview: 'Hi' }
  const { thread_id } = await db.thread.create({
    data: { workspace_id, counterpart_address: 'ada@example.test', subject: 'Hi', ...latest },
  })
  return { thread_id }
}
