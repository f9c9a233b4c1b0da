import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { CampaignChange } from '#lib/contracts/campaigns/edit-preview'
import { db, pool } from '#lib/db/client'
import {
  type ChangedSettings,
  pairSteps,
  type StepNames,
  settingLines,
  stepLines,
  stepTitle,
  UNSEEN,
} from '#lib/domain/campaigns/campaign-changes'
import { hasLaunched } from '#lib/domain/campaigns/campaign-status'
import type { MessageTemplate } from '#lib/domain/messages/template'
import { campaignTexts } from '#lib/services/messages/campaign-texts'
import { usableTemplates } from '#lib/services/messages/references'

/** The fields of a campaign that an edit may change, and those needed to count its leads. */
export type Editable = Omit<ChangedSettings, 'start_date'> & {
  campaign_id: string
  workspace_id: string
  status: Campaign['status']
  paused_from: Campaign['status'] | null
  start_date: Date | null
  steps_config: Campaign['steps_config']
}
type Texts = ReadonlyMap<string, MessageTemplate>

/**
 * The differences between a campaign and its edited version, in words, each with the number of leads it may still concern. `texts` are
 * template texts that the edit adopts.
 */
export async function changesOfCampaign(
  before: Editable,
  after: Editable,
  texts: Texts = new Map(),
): Promise<CampaignChange[]> {
  const kept = await campaignTexts(pool(), before, [...namedTemplates(before), ...namedTemplates(after)])
  const taken = new Map([...kept, ...texts])
  const [names, settings] = await Promise.all([loadStepNames(before, after), settingsNames(before, after)])
  const steps = pairSteps(before.steps_config, after.steps_config).flatMap((pair) => {
    const lines = stepLines(
      pair,
      { ...names, text: (id) => kept.get(id) },
      { ...names, text: (id) => taken.get(id) },
    )
    const step = (pair.after ?? pair.before)?.step ?? 1
    if (pair.after === null)
      return [{ what: stepTitle(pair), step, before: stepText(pair.before, names, kept), after: null }]
    const title = pair.before === null ? stepTitle(pair) : `Step ${step}`
    return lines.map((line) => ({ ...line, what: `${title}: ${line.what}`, step }))
  })
  const whole = settingLines(plain(before), plain(after), settings).map((line) => ({ ...line, step: null }))
  if (steps.length + whole.length === 0) return []
  const ahead = await leadsAhead(before, Math.max(before.steps_config.length, after.steps_config.length, 1))
  const underway = ahead.at(-1) ?? 0
  const concerned = ({ step, what }: { step: number | null; what: string }) =>
    step === null ? (UNSEEN.has(what) ? 0 : underway) : (ahead[step - 1] ?? 0)
  return [...whole, ...steps].map((change) => ({ ...change, leads: concerned(change) }))
}

const plain = (campaign: Editable): ChangedSettings => ({
  ...campaign,
  start_date: campaign.start_date?.toISOString() ?? null,
})

/** The text that a removed step would have had. */
function stepText(step: Campaign['steps_config'][number] | null, names: StepNames, kept: Texts): string {
  const lines = step ? stepLines({ before: null, after: step }, { ...names, text: (id) => kept.get(id) }) : []
  return lines.map(({ what, after }) => `${what}: ${after}`).join('\n')
}

export const namedTemplates = ({ steps_config }: Pick<Editable, 'steps_config'>): string[] =>
  steps_config.flatMap(({ variants }) => variants.flatMap(({ template_id }) => template_id ?? []))

async function loadStepNames(before: Editable, after: Editable): Promise<StepNames> {
  const variants = [...before.steps_config, ...after.steps_config].flatMap((step) => step.variants)
  const owned = { workspace_id: before.workspace_id }
  const [templates, profiles] = await Promise.all([
    usableTemplates(
      before.workspace_id,
      variants.flatMap(({ template_id }) => template_id ?? []),
    ),
    db.senderProfile.findMany({
      where: { ...owned, id: { in: variants.flatMap((one) => one.sender_profile_id ?? []) } },
      select: { id: true, profile_name: true },
    }),
  ])
  const known = new Map([
    ...templates.map(({ template_id, name }): [string, string] => [template_id, name]),
    ...profiles.map(({ id, profile_name }): [string, string] => [id, profile_name]),
  ])
  return { template: (id) => known.get(id), profile: (id) => known.get(id) }
}

async function settingsNames(before: Editable, after: Editable) {
  const owned = { workspace_id: before.workspace_id }
  const [datasets, mailboxes, accounts] = await Promise.all([
    before.dataset_id === after.dataset_id
      ? []
      : db.dataset.findMany({
          where: { ...owned, dataset_id: { in: [before.dataset_id, after.dataset_id] } },
          select: { dataset_id: true, dataset_name: true },
        }),
    db.mailbox.findMany({
      where: { ...owned, mailbox_id: { in: [...(before.alias_ids ?? []), ...(after.alias_ids ?? [])] } },
      select: { mailbox_id: true, address: true },
    }),
    db.connectedAccount.findMany({
      where: {
        ...owned,
        account_id: {
          in: [before.connected_account_id, after.connected_account_id].flatMap((id) => id ?? []),
        },
      },
      select: { account_id: true, name: true },
    }),
  ])
  const known = new Map([
    ...datasets.map((row): [string, string] => [row.dataset_id, row.dataset_name]),
    ...mailboxes.map((row): [string, string] => [row.mailbox_id, row.address]),
    ...accounts.map((row): [string, string] => [row.account_id, row.name]),
  ])
  const name = (id: string) => known.get(id)
  return { dataset: name, mailbox: name, account: name }
}

/**
 * How many leads may still get each step, in order of the steps: leads that have it ahead of them and have not ended. Before the launch,
 * all leads of the dataset.
 */
async function leadsAhead(campaign: Editable, steps: number): Promise<number[]> {
  const { campaign_id, workspace_id, dataset_id } = campaign
  const places = Array.from({ length: steps }, (_, index) => index + 1)
  if (!hasLaunched(campaign)) {
    const dataset = await db.dataset.findFirst({
      where: { dataset_id, workspace_id },
      select: { row_count: true },
    })
    return places.map(() => dataset?.row_count ?? 0)
  }
  const waiting = await db.campaignLead.groupBy({
    by: ['next_step'],
    where: { campaign_id, workspace_id, status: { in: ['pending', 'active'] } },
    _count: true,
  })
  return places.map((step) =>
    waiting.reduce((sum, { next_step, _count }) => sum + ((next_step ?? 1) <= step ? _count : 0), 0),
  )
}
