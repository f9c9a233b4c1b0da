import type { PoolClient } from 'pg'
import { companyDomain } from '#lib/domain/inbox/company-domain'
import { type LeadLogKind, logged, writeLog } from '#lib/services/campaigns/decision-log'
import type { Found, FoundLead } from '#lib/services/inbox/arrived-mail'
import { suppressWithin } from '#lib/services/leads/endings'

export type Context = {
  inbound_message_id: string
  received_at: Date
  from: string
  subject: string
  /** How the mail was tied to the lead, for the log. */
  how: string
}

/** In a chat also somebody without an address may answer. */
type AnsweringLead = Omit<FoundLead, 'email'> & { email: string | null }

/**
 * Ends one lead; `from` says what may end so. A lead that is over stays what it became, except that one done with its
 * steps, or stopped by its owner, may still answer. False where nothing changed.
 */
export async function endLead(
  client: PoolClient,
  lead: AnsweringLead,
  to: { status: 'replied' | 'bounced' | 'unsubscribed' | 'failed'; reason: string | null },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE campaign_leads SET status = $2::"LeadStatus", next_step = NULL, next_action_at = NULL,
       next_action_type = NULL, next_sender_id = NULL, current_step = greatest(current_step, $3),
       reason = $4, last_event = $2, last_event_at = $5
     WHERE campaign_lead_id = $1 AND (status IN ('pending', 'active', 'completed')
       -- Its owner may take that back: then it counts that it has answered.
       OR status = 'skipped' AND last_event = 'stopped')`,
    [lead.campaign_lead_id, to.status, lead.step, to.reason?.slice(0, 500) ?? null, now],
  )
  return rowCount === 1
}

/** One entry of the lead's timeline, which leads to the mail. */
export async function noteOnTimeline(
  client: PoolClient,
  lead: AnsweringLead,
  kind: LeadLogKind,
  context: Context,
  now: Date,
  more: { reason?: string | null; detail?: Record<string, string | number | boolean | null> } = {},
): Promise<void> {
  const { inbound_message_id, from, subject, how } = context
  await writeLog(client, [
    logged(lead, kind, now, {
      campaign_lead_id: lead.campaign_lead_id,
      step: lead.step,
      channel: lead.channel,
      reason: more.reason ?? null,
      detail: { inbound_message_id, from, subject: subject.slice(0, 500), matched_by: how, ...more.detail },
    }),
  ])
}

/** A person answered: no further step, and for those who asked for it none to the whole company. */
export async function onReply(
  client: PoolClient,
  lead: AnsweringLead,
  context: Context,
  now: Date,
): Promise<void> {
  if (await endLead(client, lead, { status: 'replied', reason: null }, now))
    await noteOnTimeline(client, lead, 'replied', context, now)
  await endCompany(client, lead, now)
}

async function endCompany(client: PoolClient, lead: AnsweringLead, now: Date): Promise<void> {
  const domain = lead.email && companyDomain(lead.email)
  if (!domain) return
  const { rows } = await client.query<{ campaign_lead_id: string; campaign_id: string; user_id: string }>(
    `UPDATE campaign_leads l SET status = 'skipped', next_step = NULL, next_action_at = NULL, next_action_type = NULL,
       next_sender_id = NULL, reason = 'company_replied', last_event = 'skipped', last_event_at = $4
     FROM campaigns c
     WHERE c.campaign_id = $1 AND c.stop_on_company_reply AND l.campaign_id = c.campaign_id
       AND l.campaign_lead_id <> $2 AND (l.status IN ('pending', 'active') OR l.status = 'skipped' AND l.last_event = 'stopped')
       AND split_part(l.email, '@', 2) = $3
     RETURNING l.campaign_lead_id, l.campaign_id, l.user_id`,
    [lead.campaign_id, lead.campaign_lead_id, domain, now],
  )
  const detail = { replied_lead_id: lead.campaign_lead_id, domain }
  await writeLog(
    client,
    rows.map(({ campaign_lead_id, ...row }) =>
      logged(row, 'company_replied', now, { campaign_lead_id, reason: 'company_replied', detail }),
    ),
  )
}

/** A program answered for the person: known, and nothing more. */
export async function onAutomaticReply(
  client: PoolClient,
  lead: FoundLead,
  returns_on: string | null,
  context: Context,
  now: Date,
): Promise<void> {
  await client.query(
    `UPDATE campaign_leads SET last_event = 'automatic_reply', last_event_at = $2
     WHERE campaign_lead_id = $1 AND status IN ('pending', 'active', 'completed')`,
    [lead.campaign_lead_id, now],
  )
  await noteOnTimeline(client, lead, 'automatic_reply', context, now, { detail: { returns_on } })
}

/** The person wants no more mail from this owner; known by a lead, or only by the address of a deleted campaign. */
export async function onUnsubscribe(
  client: PoolClient,
  { lead, match }: Found,
  userId: string,
  context: Context,
  now: Date,
): Promise<void> {
  if (lead) await endLead(client, lead, { status: 'unsubscribed', reason: 'unsubscribe' }, now)
  const entry = {
    user_id: userId,
    values: [match.email],
    reason: 'unsubscribe',
    status: 'unsubscribed',
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
    user_id: lead.user_id,
    values: [lead.email],
    reason: 'complaint',
    status: 'unsubscribed',
  } as const
  await suppressWithin(client, entry, now)
  await client.query(
    `UPDATE campaigns SET complained_count = complained_count + 1 WHERE campaign_id = $1 AND NOT EXISTS (
       SELECT 1 FROM inbound_messages
       WHERE campaign_lead_id = $2 AND kind = 'complaint' AND inbound_message_id <> $3)`,
    [lead.campaign_id, lead.campaign_lead_id, context.inbound_message_id],
  )
  await noteOnTimeline(client, lead, 'complained', context, now, { detail: { feedback_type: feedbackType } })
}
