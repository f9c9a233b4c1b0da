import type { PoolClient } from 'pg'
import { prepared } from '#lib/db/prepared'
import type { Reading } from '#lib/domain/inbox/classify'
import { companyDomain } from '#lib/domain/inbox/company-domain'
import { type ReplyEffect, replyEffect } from '#lib/domain/inbox/intent/intent-rules'
import type { ReadIntent } from '#lib/domain/inbox/intent/intents'
import { type LeadLogKind, logged } from '#lib/services/campaigns/decision-log'
import type { Found, FoundLead } from '#lib/services/inbox/arrived-mail'
import { askForBranch } from '#lib/services/inbox/intent/branches'
import { holdUntilDay } from '#lib/services/inbox/intent/holds'
import { ruleFor } from '#lib/services/inbox/intent/rules'
import { noteAbsence } from '#lib/services/leads/absences'
import { noteCompanyReply } from '#lib/services/leads/colleagues'
import { suppressWithin } from '#lib/services/leads/endings'
import { endCompany, endElsewhere, endLead, noteAutomaticReply } from '#lib/services/leads/state/endings'
import { writeLeadLog } from '#lib/services/leads/told'

export type Context = {
  inbound_message_id: string
  received_at: Date
  from: string
  subject: string
  /** How the mail was tied to the lead, for the log. */
  how: string
  /** What the reply wants, where that was read. */
  intent: ReadIntent | null
}

/** In a chat also somebody without an address may answer. */
type AnsweringLead = Omit<FoundLead, 'email'> & { email: string | null }

/** One entry of the lead's timeline, which leads to the mail. */
export async function noteOnTimeline(
  client: PoolClient,
  lead: AnsweringLead,
  kind: LeadLogKind,
  context: Context,
  now: Date,
  more: { reason?: string | null; detail?: Record<string, string | number | boolean | null> } = {},
): Promise<void> {
  const { inbound_message_id, from, subject, how, intent } = context
  const wants = intent && kind === 'replied' ? { intent: intent.intent } : {}
  await writeLeadLog(client, [
    logged(lead, kind, now, {
      campaign_lead_id: lead.campaign_lead_id,
      step: lead.step,
      channel: lead.channel,
      reason: more.reason ?? null,
      detail: {
        inbound_message_id,
        from,
        subject: subject.slice(0, 500),
        matched_by: how,
        ...wants,
        ...more.detail,
      },
    }),
  ])
}

/**
 * A person answered: no further step in any campaign, and for those who asked for it none to the whole company, unless the
 * rule of what they want says otherwise. Who asks to be written to later waits until then.
 */
export async function onReply(
  client: PoolClient,
  lead: AnsweringLead,
  context: Context,
  now: Date,
): Promise<void> {
  const { intent } = context
  await noteCompanyReply(client, lead, context.received_at < now ? context.received_at : now)
  const rule = await ruleFor(client, lead, intent?.intent ?? null)
  const { campaign_id } = lead
  const effect = replyEffect(intent, rule, { campaign_id, received_at: context.received_at.getTime() })
  const held = await holdBy(effect, client, lead, context, now)
  if (held) {
    const detail = { held_until: held.toISOString() }
    return noteOnTimeline(client, lead, 'replied', context, now, { detail })
  }
  if (await endLead(client, lead, { status: 'replied', reason: null }, now))
    await noteOnTimeline(client, lead, 'replied', context, now)
  const isWish = intent?.intent === 'stop'
  if (lead.email) await endElsewhere(client, lead, lead.email, now, { isWish })
  await othersOfCompany(client, lead, now)
  if (effect.does === 'branch' && intent)
    await askForBranch(client, { ...lead, intent: intent.intent }, effect.campaign_id, now)
}

const holdBy = async (
  effect: ReplyEffect,
  client: PoolClient,
  lead: AnsweringLead,
  context: Context,
  now: Date,
) => {
  if (effect.does !== 'hold') return null
  const evidence = context.intent?.evidence ?? ''
  return holdUntilDay(client, lead, { until: effect.until, evidence }, context, now)
}

async function othersOfCompany(client: PoolClient, lead: AnsweringLead, now: Date): Promise<void> {
  const domain = lead.email && companyDomain(lead.email)
  if (domain) await endCompany(client, lead, domain, now)
}

/** A program answered for the person. One that says that they are away holds them in every campaign until they are back. */
export async function onAutomaticReply(
  client: PoolClient,
  lead: FoundLead,
  { returns_on, absence }: Pick<Reading, 'returns_on' | 'absence'>,
  context: Context,
  now: Date,
): Promise<void> {
  await noteAutomaticReply(client, lead.campaign_lead_id, now)
  const until = absence && (await noteAbsence(client, lead, absence, context, now))
  await noteOnTimeline(client, lead, 'automatic_reply', context, now, {
    detail: {
      returns_on,
      ...(absence && { said: absence.said, deputy: absence.deputy?.email ?? null }),
      ...(until && { away_until: until.toISOString() }),
    },
  })
}

/** The person wants no more mail from this owner; known by a lead, or only by the address of a deleted campaign. */
export async function onUnsubscribe(
  client: PoolClient,
  { lead, match }: Found,
  workspaceId: string,
  context: Context,
  now: Date,
): Promise<void> {
  if (lead) await endLead(client, lead, { status: 'unsubscribed', reason: 'unsubscribe' }, now)
  const entry = {
    workspace_id: workspaceId,
    values: [match.email],
    reason: 'unsubscribe',
    status: 'unsubscribed',
    is_wish: true,
  } as const
  const { added } = await suppressWithin(client, entry, now)
  if (lead && added > 0)
    await noteOnTimeline(client, lead, 'unsubscribed', context, now, { detail: { via: 'mail' } })
}

/** The provider says that the person called it spam: as an unsubscribe, and counted. */
export async function onComplaint(
  client: PoolClient,
  lead: FoundLead,
  feedbackType: string | null,
  context: Context,
  now: Date,
): Promise<void> {
  await endLead(client, lead, { status: 'unsubscribed', reason: 'complaint' }, now)
  const entry = {
    workspace_id: lead.workspace_id,
    values: [lead.email],
    reason: 'complaint',
    status: 'unsubscribed',
    is_wish: true,
  } as const
  await suppressWithin(client, entry, now)
  await client.query(
    prepared(
      `UPDATE campaigns SET complained_count = complained_count + 1 WHERE campaign_id = $1 AND NOT EXISTS (
       SELECT 1 FROM inbound_messages
       WHERE campaign_lead_id = $2 AND kind = 'complaint' AND inbound_message_id <> $3)`,
      [lead.campaign_id, lead.campaign_lead_id, context.inbound_message_id],
    ),
  )
  await noteOnTimeline(client, lead, 'complained', context, now, { detail: { feedback_type: feedbackType } })
}
