import type { z } from 'zod'
import type { PreviewStep, SendTest } from '#lib/contracts/step-previews'
import type { StepConfig } from '#lib/contracts/steps'
import { db, pool } from '#lib/db/client'
import { uuidv7 } from '#lib/db/uuid'
import type { MailMessage } from '#lib/domain/mail-message'
import { AppError, invalid } from '#lib/errors'
import { composeMail } from '#lib/providers/mail/compose'
import type { MailProvider } from '#lib/providers/mail/port'
import { getCampaign } from '#lib/services/campaigns'
import { type Composed, composeAction, loadTexts, type Texts } from '#lib/services/dispatch/compose'
import { connectedMailboxes, type MailboxRow, type WaitingLead } from '#lib/services/dispatch/load'
import { connectionOf } from '#lib/services/dispatch/run'
import { mailProvider } from '#lib/services/mail-provider'

type Which = { step: number; lead_index: number; variant?: string | undefined }

/** The very bytes that a step would be for a lead now, which the mail provider puts a signature before; nothing is stored. */
export async function previewStep(
  userId: string,
  campaignId: string,
  which: z.output<typeof PreviewStep.body>,
  now: Date,
) {
  const { mail, variant } = await composeFor(userId, campaignId, which, now)
  const raw = (await composeMail(mail)).toString('latin1')
  return {
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    headers: headersOf(raw),
    raw,
    from: mail.from.address,
    to: mail.to.address,
    variant,
  }
}

/**
 * The same for steps that are still being written: what dispatch would make of them were they saved. `message` is null
 * and `problem` says why where a lead gets none.
 */
export async function previewDraft(
  userId: string,
  campaignId: string,
  steps: StepConfig[],
  which: Which,
  now: Date,
): Promise<{ to: string | null; message: { subject: string; text: string } | null; problem: string | null }> {
  try {
    const { mail } = await composeFor(userId, campaignId, { ...which, steps }, now)
    const { subject, text } = mail
    return { to: mail.to.address, message: { subject, text }, problem: null }
  } catch (error) {
    if (error instanceof AppError && error.code === 'message_impossible')
      return { to: null, message: null, problem: error.message }
    throw error
  }
}

/** One preview to an address of the owner's choice, outside the campaign: under an id that no action has. */
export async function sendTest(
  userId: string,
  campaignId: string,
  body: z.output<typeof SendTest.body>,
  now: Date,
  provider: MailProvider = mailProvider(),
) {
  const to = body.to.toLowerCase()
  const values = [to, to.slice(to.lastIndexOf('@'))]
  if (await db.suppression.count({ where: { user_id: userId, value: { in: values } } }))
    throw new AppError('address_suppressed')
  const { mail, mailbox } = await composeFor(userId, campaignId, { ...body, action_id: uuidv7(now) }, now)
  if (!mailbox) throw new AppError('no_sender')
  const result = await provider.send(connectionOf(mailbox), { ...mail, to: { name: null, address: body.to } })
  return {
    sent: result.outcome === 'accepted',
    outcome: result.outcome,
    response: 'response' in result ? result.response : result.error,
    message_id: mail.message_id,
    from: mail.from.address,
    to: body.to,
  }
}

async function composeFor(
  userId: string,
  campaignId: string,
  which: Which & { mailbox_id?: string | undefined; action_id?: string; steps?: StepConfig[] },
  now: Date,
): Promise<{ mail: MailMessage; mailbox: MailboxRow | null; variant: string | null }> {
  const kept = await getCampaign(userId, campaignId)
  const campaign = which.steps ? { ...kept, steps_config: which.steps } : kept
  checkStep(campaign.steps_config, which)
  const lead = await leadOf(campaign, which.lead_index)
  const mailbox = await mailboxOf(campaign, lead, which.mailbox_id)
  const texts = await textsFor(campaign, lead, which.step)
  const sender = mailbox ?? (await ownerAsSender(userId))
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
  return { mail: made.mail, mailbox, variant: made.variant?.label ?? null }
}

/** A step that is in the ledger already answers only those before it, not itself. */
async function textsFor(
  campaign: Parameters<typeof loadTexts>[1],
  lead: WaitingLead,
  step: number,
): Promise<Texts> {
  const [texts, before] = await Promise.all([
    loadTexts(pool(), campaign, [lead]),
    db.action.findMany({
      where: {
        campaign_lead_id: lead.campaign_lead_id,
        step: { lt: step },
        status: { in: ['sent', 'uncertain'] },
        message_id: { not: null },
      },
      orderBy: { step: 'asc' },
      select: { message_id: true },
    }),
  ])
  const ids = before.flatMap((action) => action.message_id ?? [])
  return { ...texts, threads: new Map([[lead.campaign_lead_id, ids]]) }
}

/** Of a lead that has had no mail yet the thread is made up of the mails that will have gone before. */
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
  const withThread = () => ({ ...texts, threads: new Map([[lead.campaign_lead_id, [...ids]]]) })
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

/** 422 for what the campaign does not have. */
function checkStep(steps: StepConfig[], which: Which): void {
  const step = steps[which.step - 1]
  if (!step) throw invalid(['body', 'step'], `the campaign has ${steps.length} steps`, 'unknown_reference')
  if (step.channel !== 'email')
    throw invalid(['body', 'step'], 'is no email step, and only those have a message to preview')
  if (which.variant !== undefined && !step.variants.some(({ label }) => label === which.variant))
    throw invalid(['body', 'variant'], `step ${which.step} has no such variant`, 'unknown_reference')
}

async function leadOf(
  campaign: { campaign_id: string; dataset_id: string; user_id: string },
  leadIndex: number,
): Promise<WaitingLead> {
  const { campaign_id, dataset_id, user_id } = campaign
  const [row, lead] = await Promise.all([
    db.datasetRow.findFirst({ where: { dataset_id, user_id, lead_index: leadIndex } }),
    db.campaignLead.findFirst({ where: { campaign_id, user_id, lead_index: leadIndex } }),
  ])
  if (!row) throw new AppError('lead_not_found')
  if (!row.email) throw new AppError('message_impossible', { message: 'This row has no address.' })
  return {
    campaign_lead_id: lead?.campaign_lead_id ?? placeholder(0),
    lead_index: leadIndex,
    email: row.email,
    data: row.data as Record<string, unknown>,
    next_step: lead?.next_step ?? 1,
    due_at: lead?.next_action_at ?? new Date(0),
    mailbox_id: lead?.mailbox_id ?? null,
    connected_account_id: lead?.connected_account_id ?? null,
    social_profile: lead?.social_profile ?? null,
    social_problem: lead?.social_problem ?? null,
    social_provider_id: lead?.social_provider_id ?? null,
    thread_message_id: lead?.thread_message_id ?? null,
    thread_subject: lead?.thread_subject ?? null,
    is_new: !lead || lead.status === 'pending',
    suppressed: false,
  }
}

/** The mailbox that the caller names or the lead keeps, else the campaign's first; null where none is connected. */
async function mailboxOf(
  campaign: { user_id: string; alias_ids: string[] | null },
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

async function ownerAsSender(userId: string): Promise<MailboxRow> {
  const owner = await db.user.findUniqueOrThrow({ where: { user_id: userId } })
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

/** Steps that are in the ledger keep their variant and their ids, and so their Message-IDs. */
async function knownActions(leadId: string) {
  const actions = await db.action.findMany({
    where: { campaign_lead_id: leadId },
    select: { step: true, action_id: true, variant_label: true },
  })
  return new Map(actions.map((action) => [action.step, action]))
}

/** An id that no row has, so that links made from it lead nowhere. */
const placeholder = (step: number) => `00000000-0000-7000-8000-${String(step).padStart(12, '0')}`

function headersOf(raw: string): { name: string; value: string }[] {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  return head.split('\r\n').map((line) => {
    const colon = line.indexOf(':')
    return { name: line.slice(0, colon), value: line.slice(colon + 1).trim() }
  })
}
