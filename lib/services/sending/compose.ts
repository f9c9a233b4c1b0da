import type { StepConfig, Variant } from '#lib/contracts/campaigns/steps'
import type { Reader } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import { keyFor } from '#lib/db/seal'
import { findLeadFile, noLeadFile } from '#lib/domain/messages/attached/lead-file'
import { buildMailMessage, type MailInput, type MailMessage } from '#lib/domain/messages/mail-message'
import { finishedMessage, renderMessage } from '#lib/domain/messages/message'
import { sendingAddress } from '#lib/domain/messages/own-addresses'
import { filledSignature } from '#lib/domain/messages/signature'
import type { MessageTemplate } from '#lib/domain/messages/template'
import { UNSUBSCRIBE_MARK } from '#lib/domain/personalize/material'
import { type ApprovedText, chooseText, isAiText, type TextChoice } from '#lib/domain/personalize/review'
import type { PlannedAction } from '#lib/domain/sending/dispatch-policy'
import { chooseVariant } from '#lib/domain/sending/variants'
import { clickToken, openToken } from '#lib/domain/tokens/tracking-token'
import { unsubscribeToken } from '#lib/domain/tokens/unsubscribe-token'
import { env } from '#lib/env'
import { type LeadFileKeys, loadLeadFileKeys } from '#lib/services/messages/attached/lead-files'
import { campaignTexts } from '#lib/services/messages/campaign-texts'
import { inlineText } from '#lib/services/messages/step-texts'
import type { MailboxRow } from '#lib/services/senders/mailbox-rows'
import { approvedTexts, textKey } from '#lib/services/sending/approved-texts'
import type { DueCampaign, WaitingLead } from '#lib/services/sending/load'
import { loadMailThreads, type MailThread } from '#lib/services/sending/mail-threads'

export type Planned = PlannedAction & {
  action_id: string
  lead: WaitingLead
  mailbox: MailboxRow
  /** Set for a retry: the variant recorded in the ledger, whatever the weights are now. */
  variant_label?: string | null
  /** Set for a preview: an id that belongs to no action, so that its tracked links and image are not counted. */
  tracked_as?: string
}

export type Composed = Planned & {
  variant: Variant | null
  subject: string | null
  /** Null when no message can be composed for this lead; `problem` says why. */
  mail: MailMessage | null
  problem: string | null
  /** Files to attach, if any. */
  attached?: { workspace_id: string; attachment_ids: string[] }
  /** Why this lead must wait: its AI text is not approved as it stands, or its file is missing. */
  held?: string
}

/** The fields of a campaign that its messages depend on. */
export type Composable = Pick<
  DueCampaign,
  'campaign_id' | 'workspace_id' | 'steps_config' | 'timezone' | 'unreviewed_launch_policy'
> & { bcc_address?: string | null }

/** Loads what composing needs: texts and profiles used by the variants, and the threads that follow-ups continue. */
export async function loadTexts(
  client: Reader,
  campaign: Composable,
  leads: Pick<WaitingLead, 'campaign_lead_id' | 'lead_index' | 'thread_message_id'>[],
) {
  const variants = campaign.steps_config.flatMap((step) => step.variants)
  const templateIds = variants.flatMap((variant) => variant.template_id ?? [])
  const profileIds = variants.flatMap((variant) => variant.sender_profile_id ?? [])
  const threaded = leads.filter((lead) => lead.thread_message_id).map((lead) => lead.campaign_lead_id)
  const templates = await campaignTexts(client, campaign, templateIds)
  const profiles = await client.query<{ id: string; is_default: boolean; sender_data: { data: object } }>(
    prepared(
      'SELECT id, is_default, sender_data FROM sender_profiles WHERE workspace_id = $1 AND (is_default OR id = ANY ($2))',
      [campaign.workspace_id, profileIds],
    ),
  )
  return {
    templates,
    profiles: new Map(profiles.rows.map((row) => [row.id, row.sender_data.data])),
    lead_files: await loadLeadFileKeys(client, campaign.workspace_id, templates),
    default_profile: profiles.rows.find((row) => row.is_default)?.id ?? null,
    written: await approvedTexts(
      client,
      campaign,
      leads.map((lead) => lead.lead_index),
    ),
    threads: await loadMailThreads(client, campaign.workspace_id, threaded),
  }
}

export type Texts = Awaited<ReturnType<typeof loadTexts>>

export function chooseLeadVariant(
  campaign: Composable,
  { step, lead, variant_label }: Pick<Planned, 'step' | 'variant_label'> & { lead: { lead_index: number } },
): Variant | null {
  const variants = campaign.steps_config[step - 1]?.variants ?? []
  const kept = variants.find((variant) => variant.label === variant_label)
  const chosen = chooseVariant(variants, { ...campaign, lead_index: lead.lead_index, step })
  return kept ?? (chosen === null ? null : variants[chosen]) ?? null
}

/** The base address of tracked links: the sender's own tracking domain if it points here, else the instance's. */
export function trackingAddress(mailbox: MailboxRow | null): string {
  const { TRACKING_HOST, TRACKING_URL, APP_URL } = env()
  if (TRACKING_HOST && mailbox?.tracking_host) return `https://${mailbox.tracking_host}`
  return (TRACKING_URL ?? APP_URL).replace(/\/$/, '')
}

/** Nothing is tracked unless the step asks for it. */
function toTracking(
  { track_clicks, track_opens }: StepConfig,
  action_id: string,
  mailbox: MailboxRow,
): Pick<MailInput, 'tracking'> {
  if (!track_clicks && !track_opens) return {}
  const key = keyFor('tracking')
  const at = (path: string, token: string | null) => token && `${trackingAddress(mailbox)}/t/${path}/${token}`
  return {
    tracking: {
      click_url: track_clicks ? (url, link) => at('c', clickToken({ action_id, link, url }, key)) : null,
      pixel_url: track_opens ? at('o', openToken(action_id, key)?.concat('.gif') ?? null) : null,
    },
  }
}

/** The approved text, unchanged except for this action's unsubscribe address. */
function approvedMessage({ subject, body }: ApprovedText, url: string, { thread_subject }: WaitingLead) {
  const words = { subject: subject?.trim() ? subject : null, body: body.replaceAll(UNSUBSCRIBE_MARK, url) }
  return finishedMessage(words, { thread_subject })
}

/** Which text a step uses for a lead: the step's own, an approved one, or none that may be sent. */
export function choiceFor(
  campaign: Composable,
  { config, variant, lead_index, data }: Chosen,
  texts: Pick<Texts, 'written'>,
): TextChoice {
  if (!config || !isAiText(config, variant)) return { use: 'default' }
  const written = texts.written.get(textKey(lead_index, config.step)) ?? null
  return chooseText(written, data, campaign.unreviewed_launch_policy)
}

type Chosen = {
  config: StepConfig | undefined
  variant: Variant | null
  lead_index: number
  data: Record<string, unknown>
}

type Carrying = { template: MessageTemplate; keys: LeadFileKeys | undefined }

/** The lead's own file, if its step attaches one per lead. */
function leadFileFor(
  { template: { lead_files }, keys = new Map() }: Carrying,
  data: Record<string, unknown>,
): { ids: string[]; held: string | null } {
  if (!lead_files) return { ids: [], held: null }
  const id = findLeadFile(lead_files, keys, data)
  return { ids: id ? [id] : [], held: id || lead_files.without === 'skip' ? null : noLeadFile(lead_files) }
}

/** A thread continues from the address it began with; from another one it would look like a stranger's. */
function inThread(planned: Planned, thread: MailThread | undefined): Planned {
  const isItsOwn = thread?.mailbox?.mailbox_id === planned.mailbox.mailbox_id
  return isItsOwn && thread?.mailbox ? { ...planned, mailbox: thread.mailbox } : planned
}

/** Composes the message exactly as it is sent. Previews use this function too. */
export function composeAction(campaign: Composable, given: Planned, texts: Texts): Composed {
  const thread = texts.threads.get(given.lead.campaign_lead_id)
  const planned = inThread(given, thread)
  const { lead, mailbox, step, action_id } = planned
  const config = campaign.steps_config[step - 1]
  const variant = chooseLeadVariant(campaign, planned)
  const template = variant?.template_id
    ? (texts.templates.get(variant.template_id) ?? null)
    : config && inlineText(config, variant)
  const refused = (problem: string): Composed => ({ ...planned, variant, subject: null, mail: null, problem })
  if (!template) return refused('The text of this step no longer exists.')
  if (!lead.email) return refused('The lead has no address.')

  const token =
    unsubscribeToken({ workspace_id: campaign.workspace_id, action_id }, keyFor('unsubscribe')) ?? ''
  const url = `${env().APP_URL}/unsubscribe/${token}`
  const profile = variant?.sender_profile_id ?? texts.default_profile
  const data = { ...lead.data, email: lead.email }
  const sender = {
    email: sendingAddress(mailbox),
    name: mailbox.name,
    ...(profile ? texts.profiles.get(profile) : {}),
  }
  const file = leadFileFor({ template, keys: texts.lead_files.get(variant?.template_id ?? '') }, data)
  if (file.held) return { ...refused(file.held), held: file.held }
  const choice = choiceFor(campaign, { config, variant, lead_index: lead.lead_index, data }, texts)
  if (choice.use === 'held') return { ...refused(choice.reason), held: choice.reason }
  const rendered =
    choice.use === 'approved'
      ? approvedMessage(choice.text, url, lead)
      : renderMessage({
          template: { ...template, subject: template.subject?.trim() ? template.subject : null },
          lead: data,
          sender,
          seed: `${campaign.campaign_id}:${lead.lead_index}:${step}`,
          unsubscribe_url: url,
          thread_subject: lead.thread_subject,
          clock: { now: new Date(planned.at), timezone: campaign.timezone },
        })
  if (!rendered.ok) return refused(rendered.problems.map((problem) => problem.message).join(' '))
  const mail = buildMailMessage({
    action_id,
    rendered: rendered.message,
    sender: { ...mailbox, signature: filledSignature(mailbox.signature, sender) },
    recipient: { address: lead.email },
    bcc: campaign.bcc_address ? [campaign.bcc_address] : [],
    date: new Date(planned.at),
    thread: thread?.message_ids ?? [],
    unsubscribe: { url, token },
    ...(config ? toTracking(config, planned.tracked_as ?? action_id, mailbox) : {}),
  })
  const attachment_ids = [...(template.attachment_ids ?? []), ...file.ids]
  return {
    ...planned,
    variant,
    subject: mail.subject,
    mail,
    problem: null,
    ...(attachment_ids.length > 0 && {
      attached: { workspace_id: campaign.workspace_id, attachment_ids },
    }),
  }
}
