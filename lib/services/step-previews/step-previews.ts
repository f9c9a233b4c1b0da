import type { z } from 'zod'
import type { DraftPreview, Preview, PreviewStep, SendTest } from '#lib/contracts/campaigns/step-previews'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { pool } from '#lib/db/client'
import { uuidv7 } from '#lib/db/uuid'
import { checkContent } from '#lib/domain/messages/content/content-check'
import type { MailMessage } from '#lib/domain/messages/mail-message'
import { AppError, invalid } from '#lib/errors'
import { composeMail } from '#lib/providers/mail/compose'
import type { MailProvider } from '#lib/providers/mail/port'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { requireGiven } from '#lib/services/instance/given-senders'
import { findSuppression } from '#lib/services/leads/suppression-reach'
import { attachedFiles, loadAttachments } from '#lib/services/messages/attached/attachments'
import { mailProvider } from '#lib/services/senders/mail-provider'
import { createOpener, sendFrom } from '#lib/services/senders/mailbox-connection'
import { trackingAddress } from '#lib/services/sending/compose'
import { findStep, type Which } from '#lib/services/step-previews/lead'
import { composeStepMail } from '#lib/services/step-previews/mail'
import { composeStepSocial } from '#lib/services/step-previews/social'

/**
 * A preview of a step for a lead now: for a mail its exact bytes, without the signature (DKIM) that the provider adds; for a social step
 * the action with its text. Nothing is stored, and no network is asked.
 */
export async function previewStep(
  workspaceId: string,
  campaignId: string,
  which: z.output<typeof PreviewStep.body>,
  now: Date,
): Promise<Preview> {
  const campaign = await getCampaign(workspaceId, campaignId)
  return buildPreview(campaign, which, now)
}

async function buildPreview(
  campaign: Awaited<ReturnType<typeof getCampaign>>,
  which: Which,
  now: Date,
): Promise<Preview> {
  const { channel, track_clicks } = findStep(campaign.steps_config, which)
  if (channel === 'social') return composeStepSocial(campaign, which, now)
  const { mail, mailbox, variant, attachment_ids } = await composeStepMail(campaign, which, now)
  const attachments = await attachedFiles(campaign.workspace_id, attachment_ids)
  const empty = attachments.map((file) => ({ ...file, content: new Uint8Array() }))
  const raw = composeMail({ ...mail, attachments: empty }).toString('latin1')
  const click_host = track_clicks ? new URL(trackingAddress(mailbox)).host : null
  return {
    channel,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    headers: parseHeaders(raw),
    raw,
    from: mail.from.address,
    to: mail.to.address,
    variant,
    attachments,
    content: checkDelivered(mail, click_host),
  }
}

/** Checks the message as filters would see it: with signature and footer, but without the unsubscribe link. */
function checkDelivered({ subject, html, in_reply_to, headers }: MailMessage, click_host: string | null) {
  const unsubscribe = /<(https?:[^<>]+)>/.exec(headers['List-Unsubscribe'] ?? '')?.[1]
  const ours = unsubscribe ? [unsubscribe] : []
  return checkContent({ subject, body: html, is_first: in_reply_to === null, click_host, ours })
}

/**
 * A preview of steps that are still being written: what dispatch would make of them if they were saved. `message` is null if a lead gets
 * none or a social step has no text; `problem` says why a lead gets none. The account may be one that the campaign does not act from yet.
 */
export async function previewDraft(
  workspaceId: string,
  campaignId: string,
  steps: StepConfig[],
  which: Which & { connected_account_id?: string | null },
  now: Date,
): Promise<DraftPreview> {
  const kept = await getCampaign(workspaceId, campaignId)
  const { connected_account_id = kept.connected_account_id, ...place } = which
  try {
    const preview = await buildPreview({ ...kept, steps_config: steps, connected_account_id }, place, now)
    if (preview.channel === 'social') {
      const { to, subject, text, problem } = preview
      const message = text === null ? null : { subject: subject ?? '', text }
      return { to, message, mail: null, social: preview, problem }
    }
    const { to, subject, text } = preview
    return { to, message: { subject, text }, mail: preview, social: null, problem: null }
  } catch (error) {
    if (error instanceof AppError && error.code === 'message_impossible')
      return { to: null, message: null, mail: null, social: null, problem: error.message }
    throw error
  }
}

/** Sends one preview to an address of the owner's choice, outside the campaign, under an id that no action has. */
export async function sendTest(
  workspaceId: string,
  campaignId: string,
  body: z.output<typeof SendTest.body>,
  now: Date,
  provider: MailProvider = mailProvider(),
) {
  if (await findSuppression(workspaceId, body.to)) throw new AppError('address_suppressed')
  const campaign = await getCampaign(workspaceId, campaignId)
  if (findStep(campaign.steps_config, body).channel !== 'email')
    throw invalid(['body', 'step'], 'is no email step: what it does cannot be tried on an address')
  const which = { ...body, action_id: uuidv7(now) }
  const { mail, mailbox, attachment_ids } = await composeStepMail(campaign, which, now)
  if (!mailbox) throw new AppError('no_sender')
  await requireGiven({ ...campaign, alias_ids: [mailbox.mailbox_id], steps_config: [{ channel: 'email' }] })
  const attachments = await loadAttachments(workspaceId, attachment_ids)
  const message = { ...mail, to: { name: null, address: body.to }, bcc: [], attachments }
  const result = await sendFrom(
    provider,
    createOpener(pool(), () => now),
    mailbox,
    message,
  )
  return {
    sent: result.outcome === 'accepted',
    outcome: result.outcome,
    response: 'response' in result ? result.response : result.error,
    message_id: mail.message_id,
    from: mail.from.address,
    to: body.to,
  }
}

function parseHeaders(raw: string): { name: string; value: string }[] {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  return head.split('\r\n').map((line) => {
    const colon = line.indexOf(':')
    return { name: line.slice(0, colon), value: line.slice(colon + 1).trim() }
  })
}
