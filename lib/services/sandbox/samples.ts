import type { SampleItem, SampleKind } from '#lib/contracts/sandbox/samples'
import { db } from '#lib/db/client'
import { inventPerson } from '#lib/domain/sandbox/history/people'
import { HISTORY_TEXTS } from '#lib/domain/sandbox/history/words'
import type { Maker } from '#lib/domain/workspaces/maker'
import { AppError } from '#lib/errors'
import { createCampaign } from '#lib/services/campaigns/campaigns'
import { addSuppressions } from '#lib/services/leads/suppressions'
import { createSenderProfile } from '#lib/services/messages/sender-profiles'
import { createTemplate } from '#lib/services/messages/templates'
import { createSocialPost } from '#lib/services/posts/posts'
import {
  SAMPLE_POST,
  SAMPLE_PROFILE,
  SAMPLE_SUPPRESSION,
  SAMPLE_TEMPLATES,
  sampleCampaign,
} from '#lib/services/sandbox/content'
import { addHistory } from '#lib/services/sandbox/history/add'
import { importSampleLeads } from '#lib/services/sandbox/leads'
import { hasSandbox } from '#lib/services/senders/sandbox'
import { connectSandbox, findSandboxMailbox } from '#lib/services/senders/sandbox-mailbox'
import { workspaceTimezone } from '#lib/services/workspaces/users'

type Owner = Maker & { email: string; name: string }

/** Adds one sample and what it depends on, reusing what is there already. Returns what was created. */
export async function addSample(owner: Owner, kind: SampleKind, now: Date): Promise<SampleItem[]> {
  const made: SampleItem[] = []
  const record = async (item: SampleItem) => {
    await db.sampleItem.create({ data: { ...item, workspace_id: owner.workspace_id } })
    made.push(item)
    return item.item_id
  }
  if (kind === 'history') made.push(...(await makeHistory(owner, record, now)))
  else await MAKERS[kind](owner, record, now)
  return made
}

type Keep = (item: SampleItem) => Promise<string>
type Making = (owner: Owner, record: Keep, now: Date) => Promise<unknown>

const MAKERS: Record<Exclude<SampleKind, 'history'>, Making> = {
  leads: (owner, record, now) => makeLeads(owner.workspace_id, record, now),
  template: (owner, record) => makeTemplates(owner, record),
  sender_profile: async (owner, record) => {
    const { id } = await createSenderProfile(owner, SAMPLE_PROFILE)
    if (id) await record({ kind: 'sender_profile', item_id: id })
  },
  post: async (owner, record, now) =>
    record({ kind: 'post', item_id: (await createSocialPost(owner, SAMPLE_POST, now)).id }),
  suppression: async ({ workspace_id }, record, now) => {
    const { items, added } = await addSuppressions(workspace_id, SAMPLE_SUPPRESSION, now)
    if (added > 0 && items[0]) await record({ kind: 'suppression', item_id: items[0].suppression_id })
  },
  campaign: async (owner, record, now) => {
    const { workspace_id } = owner
    const mailbox_id = await sampleMailbox(owner, record, now)
    const [dataset_id] = await there(workspace_id, 'leads')
    const templates = await there(workspace_id, 'template')
    const campaign = await createCampaign(
      owner,
      sampleCampaign({
        dataset_id: dataset_id ?? (await makeLeads(workspace_id, record, now)),
        template_ids: templates.length > 0 ? templates.slice(0, 2) : await makeTemplates(owner, record),
        mailbox_id,
        timezone: await workspaceTimezone(workspace_id),
      }),
    )
    await record({ kind: 'campaign', item_id: campaign.campaign_id })
  },
}

const makeLeads = async (workspaceId: string, record: Keep, now: Date) =>
  record({ kind: 'leads', item_id: (await importSampleLeads(workspaceId, now)).dataset_id })

/** Unlike other samples, the history records its items itself, except texts and mailbox, since all of it is written in one transaction. */
async function makeHistory(owner: Owner, record: Keep, now: Date): Promise<SampleItem[]> {
  const { workspace_id } = owner
  // The same people again would be suppressed, or wait for their other campaign.
  if (await db.datasetRow.findFirst({ where: { workspace_id, email: inventPerson(0).email } }))
    throw new AppError('invalid_state', {
      message: 'The sample results already exist. Remove the sample data first.',
    })
  const mailbox_id = await sampleMailbox(owner, record, now)
  if (!mailbox_id)
    throw new AppError('invalid_state', {
      message: 'This instance has no sandbox, so a running sample campaign would have no mailbox.',
    })
  const { address } = await db.mailbox.findFirstOrThrow({ where: { workspace_id, mailbox_id } })
  const template_ids = await makeTemplates(owner, record, HISTORY_TEXTS)
  return addHistory(
    owner,
    { mailbox_id, address, template_ids, timezone: await workspaceTimezone(workspace_id) },
    now,
  )
}

async function makeTemplates(owner: Maker, record: Keep, texts = SAMPLE_TEMPLATES): Promise<string[]> {
  const ids: string[] = []
  for (const fields of texts) {
    const { template_id } = await createTemplate(owner, fields)
    ids.push(await record({ kind: 'template', item_id: template_id }))
  }
  return ids
}

/** Sample mail is sent from the sandbox if there is one, even if a real mailbox is connected. */
async function sampleMailbox(owner: Owner, record: Keep, now: Date): Promise<string | null> {
  if (!hasSandbox()) return null
  const known = await findSandboxMailbox(owner.workspace_id)
  if (known) return known
  const { mailbox_id } = await connectSandbox(owner, now).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'mailbox_exists') throw error
    // A real mailbox already has the owner's address.
    return connectSandbox({ ...owner, email: 'sandbox@example.com' }, now)
  })
  return record({ kind: 'mailbox', item_id: mailbox_id })
}

/** Existing samples of a kind, the oldest first. */
async function there(workspaceId: string, kind: 'leads' | 'template'): Promise<string[]> {
  const rows = await db.sampleItem.findMany({
    where: { workspace_id: workspaceId, kind },
    orderBy: [{ created_at: 'asc' }, { item_id: 'asc' }],
  })
  const ids = rows.map((row) => row.item_id)
  const existing =
    kind === 'leads'
      ? await db.dataset.findMany({ where: { dataset_id: { in: ids } }, select: { dataset_id: true } })
      : await db.template.findMany({ where: { template_id: { in: ids } }, select: { template_id: true } })
  const known = new Set(existing.map((row) => ('dataset_id' in row ? row.dataset_id : row.template_id)))
  return ids.filter((id) => known.has(id))
}
