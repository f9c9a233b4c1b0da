import { pool } from '#lib/db/client'
import type { MailMessage } from '#lib/domain/messages/mail-message'
import { AppError } from '#lib/errors'
import type { getCampaign } from '#lib/services/campaigns/campaigns'
import { workspaceOwner } from '#lib/services/instance/workspace-owner'
import { connectedMailboxes, type MailboxRow } from '#lib/services/senders/mailbox-rows'
import { type Composed, composeAction, loadTexts, type Texts } from '#lib/services/sending/compose'
import type { WaitingLead } from '#lib/services/sending/load'
import { loadMailThreads } from '#lib/services/sending/mail-threads'
import { knownActions, loadLead, placeholder, type Which } from '#lib/services/step-previews/lead'

type Campaign = Awaited<ReturnType<typeof getCampaign>>
export type WhichMail = Which & { mailbox_id?: string | undefined; action_id?: string }

/** The mail that a step would send a lead now, and the mailbox it would be sent from; null: no mailbox is connected. */
export async function composeStepMail(
  campaign: Campaign,
  which: WhichMail,
  now: Date,
): Promise<{
  mail: MailMessage
  mailbox: MailboxRow | null
  variant: string | null
  attachment_ids: string[]
}> {
  const lead = await loadLead(campaign, which.lead_index)
  if (!lead.email) throw new AppError('message_impossible', { message: 'This row has no address.' })
  const mailbox = await chooseMailbox(campaign, lead, which.mailbox_id)
  const texts = await textsFor(campaign, lead, which.step)
  const sender = mailbox ?? (await ownerAsSender(campaign.workspace_id))
  const known = await knownActions(lead.campaign_lead_id)
  const compose = (step: number, target: WaitingLead, ids: Texts): Composed =>
    composeAction(
      campaign,
      {
        lead_index: lead.lead_index,
        step,
        sender_id: sender.mailbox_id,
        at: now.getTime(),
        next: null,
        lead: target,
        mailbox: sender,
        action_id:
          (step === which.step ? which.action_id : undefined) ??
          known.get(step)?.action_id ??
          placeholder(step),
        tracked_as: placeholder(step),
        variant_label:
          (step === which.step ? which.variant : undefined) ?? known.get(step)?.variant_label ?? null,
      },
      ids,
    )
  const made = compose(which.step, ...threadBefore(which.step, campaign.steps_config, lead, texts, compose))
  if (!made.mail) throw new AppError('message_impossible', { message: made.problem ?? undefined })
  const { attachment_ids = [] } = made.attached ?? {}
  return {
    mail: made.mail,
    mailbox: mailbox && made.mailbox,
    variant: made.variant?.label ?? null,
    attachment_ids,
  }
}

/** For a step that is already in the ledger, only earlier steps count as its thread, not the step itself. */
async function textsFor(
  campaign: Parameters<typeof loadTexts>[1],
  lead: WaitingLead,
  step: number,
): Promise<Texts> {
  const [texts, threads] = await Promise.all([
    loadTexts(pool(), campaign, [lead]),
    loadMailThreads(pool(), campaign.workspace_id, [lead.campaign_lead_id], step),
  ])
  return { ...texts, threads }
}

/** For a lead without any mail yet, the thread consists of the mails that will have been sent before. */
function threadBefore(
  step: number,
  steps: { step: number; channel: string }[],
  lead: WaitingLead,
  texts: Texts,
  compose: (step: number, lead: WaitingLead, texts: Texts) => Composed,
): [WaitingLead, Texts] {
  if (lead.thread_message_id) return [lead, texts]
  let threaded = lead
  const ids: string[] = []
  const withThread = () => {
    const thread = { message_ids: [...ids], mailbox: null }
    return { ...texts, threads: new Map([[lead.campaign_lead_id, thread]]) }
  }
  for (const before of steps.filter((one) => one.step < step && one.channel === 'email')) {
    const { mail } = compose(before.step, threaded, withThread())
    if (!mail) continue
    ids.push(mail.message_id)
    threaded = {
      ...threaded,
      thread_message_id: threaded.thread_message_id ?? mail.message_id,
      thread_subject: threaded.thread_subject ?? mail.subject,
    }
  }
  return [threaded, withThread()]
}

/** The mailbox that the caller names or the lead is assigned, else the campaign's first; null if none is connected. */
async function chooseMailbox(
  campaign: { workspace_id: string; alias_ids: string[] | null },
  lead: WaitingLead,
  wanted: string | undefined,
): Promise<MailboxRow | null> {
  if (wanted) {
    const own = await connectedMailboxes(pool(), { ...campaign, alias_ids: [wanted] })
    if (!own[0]) throw new AppError('mailbox_not_found')
    return own[0]
  }
  const mailboxes = await connectedMailboxes(pool(), campaign)
  return mailboxes.find((mailbox) => mailbox.mailbox_id === lead.mailbox_id) ?? mailboxes[0] ?? null
}

async function ownerAsSender(workspaceId: string): Promise<MailboxRow> {
  const owner = await workspaceOwner(workspaceId)
  return {
    mailbox_id: placeholder(0),
    address: owner.email,
    name: owner.name,
    smtp: { host: '', port: 0, security: 'none', username: null },
    smtp_password: null,
    signature: null,
    daily_limit: 0,
    min_interval_seconds: 0,
    ramp_up: null,
    ramp_up_started_at: new Date(0),
    last_action_at: null,
  }
}
