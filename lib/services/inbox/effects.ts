import type { PoolClient } from 'pg'
import { prepared } from '#lib/db/prepared'
import type { Reading } from '#lib/domain/inbox/classify'
import { companyDomain } from '#lib/domain/inbox/company-domain'
import { type ReplyEffect, replyEffect } from '#lib/domain/inbox/intent/intent-rules'
import type { ReadIntent } from '#lib/domain/inbox/intent/intents'
import { type LeadLogKind, type Logged, logged } from '#lib/services/campaigns/decision-log'
import type { Found, FoundLead } from '#lib/services/inbox/arrived-mail'
import { askForBranch, cancelBranches } from '#lib/services/inbox/intent/branches'
import { onDepartures } from '#lib/services/inbox/intent/departures'
import { holdUntilDay } from '#lib/services/inbox/intent/holds'
import { rulesFor } from '#lib/services/inbox/intent/rules'
import { noteAbsences } from '#lib/services/leads/absences'
import { noteCompanyReplies } from '#lib/services/leads/colleagues'
import { suppressWithin } from '#lib/services/leads/endings'
import {
  endCompanies,
  endElsewhere,
  endLeads,
  noteAutomaticReplies,
  stopsCompanies,
} from '#lib/services/leads/state/endings'
import { writeLeadLog } from '#lib/services/leads/told'

export type Context = {
  inbound_message_id: string
  received_at: Date
  from: string
  subject: string
  /** How the mail was matched to the lead, for the log. */
  how: string
  /** The reply's intent, if it was determined. */
  intent: ReadIntent | null
}

/** Null for a chat reply from somebody without an address. */
type AnsweringLead = Omit<FoundLead, 'email'> & { email: string | null }
type Answer = { lead: AnsweringLead; context: Context }
type More = { reason?: string | null; detail?: Record<string, string | number | boolean | null> }

/** An entry of the lead's timeline that links to the mail. */
export function timelineEntry(
  { lead, context }: Answer,
  kind: LeadLogKind,
  now: Date,
  more: More = {},
): Logged {
  const { inbound_message_id, from, subject, how, intent } = context
  const wants = intent && kind === 'replied' ? { intent: intent.intent } : {}
  return logged(lead, kind, now, {
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
  })
}

/**
 * Applies replies of people, each of a different company: they get no further step in any campaign, nor does their company if the
 * campaign asks for that, unless the rule for their intent says otherwise. People who ask to be contacted later are held until then.
 */
export async function onReplies(client: PoolClient, replies: readonly Answer[], now: Date): Promise<void> {
  if (replies.length === 0) return
  await noteCompanyReplies(
    client,
    replies.map(({ lead, context: { received_at } }) => ({
      ...lead,
      at: received_at < now ? received_at : now,
    })),
  )
  const rules = await rulesFor(
    client,
    replies.map(({ lead, context }) => ({ ...lead, intent: context.intent?.intent ?? null })),
  )
  const ending: (Answer & { effect: ReplyEffect })[] = []
  const read: Parameters<typeof cancelBranches>[1] = []
  const log: Logged[] = []
  for (const [index, reply] of replies.entries()) {
    const { lead, context } = reply
    const received_at = context.received_at.getTime()
    const of = { campaign_id: lead.campaign_id, received_at }
    const effect = replyEffect(context.intent, rules[index] ?? null, of)
    read.push({ ...lead, but: effect.does === 'branch' ? effect.campaign_id : null })
    const held = await holdBy(effect, client, reply, now)
    if (held) log.push(timelineEntry(reply, 'replied', now, { detail: { held_until: held.toISOString() } }))
    else ending.push({ ...reply, effect })
  }
  const ended = await endLeads(
    client,
    ending.map(({ lead }) => ({ ...lead, status: 'replied', reason: null })),
    now,
  )
  const told = ending.filter(({ lead }) => ended.has(lead.campaign_lead_id))
  await writeLeadLog(client, [...log, ...told.map((reply) => timelineEntry(reply, 'replied', now))])
  // A later reply overrides a pending move to another campaign.
  await cancelBranches(client, read)
  await endOthers(client, ending, now)
  for (const { lead, context, effect } of ending)
    if (effect.does === 'branch' && context.intent)
      await askForBranch(client, { ...lead, intent: context.intent.intent }, effect.campaign_id, now)
}

async function holdBy(
  effect: ReplyEffect,
  client: PoolClient,
  { lead, context }: Answer,
  now: Date,
): Promise<Date | null> {
  if (effect.does !== 'hold') return null
  const evidence = context.intent?.evidence ?? ''
  return holdUntilDay(client, lead, { until: effect.until, evidence }, context, now)
}

/** Ends the person's leads in other campaigns, and their colleagues' where a campaign asks for that. */
async function endOthers(client: PoolClient, ending: readonly Answer[], now: Date): Promise<void> {
  const answered = ending.flatMap(({ lead, context }) =>
    lead.email ? [{ ...lead, email: lead.email, is_wish: context.intent?.intent === 'stop' }] : [],
  )
  await endElsewhere(client, answered, now)
  const ofCompany = answered.flatMap((lead) => {
    const domain = companyDomain(lead.email)
    return domain ? [{ ...lead, domain }] : []
  })
  if (ofCompany.length === 0) return
  const stopping = await stopsCompanies(
    client,
    ofCompany.map(({ campaign_id }) => campaign_id),
  )
  await endCompanies(
    client,
    ofCompany.filter(({ campaign_id }) => stopping.has(campaign_id)),
    now,
  )
}

type Automatic = {
  lead: FoundLead
  reading: Pick<Reading, 'returns_on' | 'absence' | 'intent'>
  context: Context
}

/** Applies automatic replies. A person reported as away is held in every campaign until they are back; one who has left is ended. */
export async function onAutomaticReplies(
  client: PoolClient,
  replies: readonly Automatic[],
  now: Date,
): Promise<void> {
  if (replies.length === 0) return
  await noteAutomaticReplies(
    client,
    replies.map(({ lead }) => lead.campaign_lead_id),
    now,
  )
  const away = await noteAbsences(
    client,
    replies.flatMap(({ lead, reading: { absence, intent }, context }) =>
      absence && !intent ? [{ lead, absence, notice: context }] : [],
    ),
    now,
  )
  const held = await onDepartures(
    client,
    replies.flatMap(({ reading: { intent }, ...reply }) => (intent ? [{ ...reply, intent }] : [])),
    now,
  )
  const entries = replies.map((reply) => {
    const { returns_on, absence, intent } = reply.reading
    const { campaign_lead_id } = reply.lead
    const until = away.get(campaign_lead_id) ?? held.get(campaign_lead_id)
    const detail = {
      returns_on,
      ...(absence && { said: absence.said, deputy: absence.deputy?.email ?? null }),
      ...(intent && {
        intent: intent.intent,
        said: intent.evidence,
        deputy: intent.referral?.email ?? null,
      }),
      ...(until && { away_until: until.toISOString() }),
    }
    return timelineEntry(reply, 'automatic_reply', now, { detail })
  })
  await writeLeadLog(client, entries)
}

/** The person unsubscribes from this owner. They are known by a lead, or only by an address of a deleted campaign. */
export async function onUnsubscribe(
  client: PoolClient,
  { lead, match }: Pick<Found, 'lead'> & { match: Pick<Found['match'], 'email'> },
  workspaceId: string,
  context: Context,
  now: Date,
): Promise<void> {
  if (lead) await endLeads(client, [{ ...lead, status: 'unsubscribed', reason: 'unsubscribe' }], now)
  const entry = {
    workspace_id: workspaceId,
    values: [match.email],
    reason: 'unsubscribe',
    status: 'unsubscribed',
    is_wish: true,
  } as const
  const { added } = await suppressWithin(client, entry, now)
  if (lead && added > 0)
    await writeLeadLog(client, [
      timelineEntry({ lead, context }, 'unsubscribed', now, { detail: { via: 'mail' } }),
    ])
}

/** The provider reports a spam complaint: handled as an unsubscribe, and counted. */
export async function onComplaint(
  client: PoolClient,
  lead: FoundLead,
  feedbackType: string | null,
  context: Context,
  now: Date,
): Promise<void> {
  await endLeads(client, [{ ...lead, status: 'unsubscribed', reason: 'complaint' }], now)
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
  await writeLeadLog(client, [
    timelineEntry({ lead, context }, 'complained', now, { detail: { feedback_type: feedbackType } }),
  ])
}
