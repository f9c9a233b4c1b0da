import type { Statements } from '#lib/db/statements'
import type { MovesTo, SaidOf } from '#lib/domain/leads/lead-moves'
import type { LeadReason } from '#lib/domain/leads/lead-reasons'
import { logged, writeLog } from '#lib/services/campaigns/decision-log'
import { type Campaign, columns, guard, moveSql, SENDER, type Stands } from '#lib/services/leads/state/sql'
import { MOVED, type MovedLead, tellOfEndings } from '#lib/services/leads/told'

export type StoodRow = {
  campaign_lead_id: string
  status: string
  current_step: number
  next_step: number | null
  next_action_at: Date | null
}

type Why = {
  reason: Extract<LeadReason, 'stopped' | 'written_by_hand'>
  /** Additional details for the log. */
  detail: Record<string, string>
}

/**
 * Ends waiting leads at their owner's request, or because of something the owner did. Their previous position
 * is stored in the decision log. Returns the previous position of the leads that exist, and which ones were
 * ended.
 */
export async function stopWaiting(
  client: Statements,
  campaign: Campaign,
  leadIds: string[],
  now: Date,
  { reason, detail: more }: Why = { reason: 'stopped', detail: {} },
): Promise<{ found: StoodRow[]; stopped: string[] }> {
  const { rows } = await client.query<StoodRow & { ended: boolean }>(
    `WITH stood AS (
       SELECT campaign_lead_id, status, current_step, next_step, next_action_at FROM campaign_leads
       WHERE campaign_lead_id = ANY ($1) AND campaign_id = $2 ORDER BY campaign_lead_id FOR NO KEY UPDATE
     ), ended AS (
       ${moveSql(
         'stop',
         { to: `'skipped'`, event: `'stopped'`, at: '$3', sets: { reason: `'${reason}'` } },
         `FROM stood s WHERE l.campaign_lead_id = s.campaign_lead_id AND ${guard('stop')}
          RETURNING l.campaign_lead_id`,
       )}
     ) SELECT s.*, e.campaign_lead_id IS NOT NULL AS ended FROM stood s LEFT JOIN ended e USING (campaign_lead_id)`,
    [leadIds, campaign.campaign_id, now],
  )
  const waited = rows.filter(({ ended }) => ended)
  await writeLog(
    client,
    waited.map(({ campaign_lead_id, next_action_at, status, current_step, next_step }) => {
      const stood = { status, current_step, next_step, due_at: next_action_at?.getTime() ?? null }
      const why = reason === 'stopped' ? {} : { reason }
      return logged(campaign, 'stopped', now, {
        campaign_lead_id,
        step: next_step,
        ...why,
        detail: { ...more, ...stood },
      })
    }),
  )
  return { found: rows, stopped: waited.map(({ campaign_lead_id }) => campaign_lead_id) }
}

export type ResumedLead = Stands & {
  status: MovesTo<'resume'>
  current_step: number
  channel: string | null
}

/** Undoes a stop: each lead continues where the caller determined. */
export async function resumeStopped(
  client: Statements,
  campaign: Campaign,
  leads: ResumedLead[],
  now: Date,
): Promise<void> {
  const { rows } = await client.query<MovedLead>(
    moveSql(
      'resume',
      {
        to: 'w.status',
        event: `'taken_back'`,
        at: '$1',
        sets: {
          current_step: 'w.current_step',
          next_step: 'w.next_step',
          next_action_at: 'w.due_at',
          next_action_type: 'w.action_type',
          next_sender_id: `CASE WHEN w.status = 'active' THEN ${SENDER('w.channel')} END`,
          reason: 'NULL',
        },
      },
      `FROM unnest($2::uuid[], $3::text[], $4::int[], $5::int[], $6::timestamptz[], $7::text[], $8::text[])
         w (campaign_lead_id, status, current_step, next_step, due_at, action_type, channel)
       WHERE l.campaign_lead_id = w.campaign_lead_id AND ${guard('resume')} RETURNING ${MOVED}`,
    ),
    [
      now,
      ...columns(
        leads,
        (lead) => lead.campaign_lead_id,
        (lead) => lead.status,
        (lead) => lead.current_step,
        (lead) => lead.next?.step ?? null,
        (lead) => lead.next?.due_at ?? null,
        (lead) => lead.next?.action_type ?? null,
        (lead) => lead.channel,
      ),
    ],
  )
  await writeLog(
    client,
    leads.map(({ campaign_lead_id, next }) =>
      logged(campaign, 'taken_back', now, { campaign_lead_id, step: next?.step ?? null }),
    ),
  )
  await tellOfEndings(client, rows, now)
}

type Failed = {
  campaign_lead_id: string
  step: number
  channel: string
  action_type: string
  /** Of the failed action; a thread that started with it never existed. */
  message_id: string | null
}

/** Makes leads whose step failed wait for it again, as if it had never been tried. */
export async function tryAgain(
  client: Statements,
  campaign: Campaign,
  leads: Failed[],
  now: Date,
): Promise<void> {
  const isBegun = `l.thread_message_id IS DISTINCT FROM w.message_id`
  await client.query(
    moveSql(
      'try_again',
      {
        to: `'active'`,
        event: `'tried_again'`,
        at: '$1',
        sets: {
          next_step: 'w.step',
          next_action_at: '$1',
          next_action_type: 'w.action_type',
          next_sender_id: SENDER('w.channel'),
          thread_message_id: `CASE WHEN ${isBegun} THEN l.thread_message_id END`,
          thread_subject: `CASE WHEN ${isBegun} THEN l.thread_subject END`,
          reason: 'NULL',
        },
      },
      `FROM unnest($2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[])
         w (campaign_lead_id, step, channel, action_type, message_id)
       WHERE l.campaign_lead_id = w.campaign_lead_id AND ${guard('try_again')}`,
    ),
    [
      now,
      ...columns(
        leads,
        (lead) => lead.campaign_lead_id,
        (lead) => lead.step,
        (lead) => lead.channel,
        (lead) => lead.action_type,
        (lead) => lead.message_id,
      ),
    ],
  )
  await writeLog(
    client,
    leads.map(({ campaign_lead_id, step, channel }) =>
      logged(campaign, 'tried_again', now, { campaign_lead_id, step, channel }),
    ),
  )
}

/**
 * An uncertain send turned out to be sent. The lead has already moved on as if it had, so it stays where it
 * is.
 */
export async function confirmSent(client: Statements, leadId: string, step: number): Promise<void> {
  await client.query(
    moveSql(
      'confirm',
      { to: 'l.status', event: `'sent'`, at: 'l.last_event_at', sets: { reason: 'NULL' } },
      `WHERE l.campaign_lead_id = $1 AND ${guard('confirm')} AND l.last_event = 'uncertain' AND l.current_step = $2`,
    ),
    [leadId, step],
  )
}

type Again = {
  campaign_lead_id: string
  step: number
  due_at: Date
  action_type: string
  channel: string
  reason: string | null
  /** Null: the performed step is kept, since the message was handed over. */
  current_step: number | null
}

/** Makes a lead wait again for a step that turned out not to have arrived. */
export async function offerStepAgain(
  client: Statements,
  lead: Again,
  event: SaidOf<'offer_again'>,
  now: Date,
): Promise<void> {
  await client.query(
    moveSql(
      'offer_again',
      {
        to: `'active'`,
        event: `'${event}'`,
        at: '$2',
        sets: {
          current_step: 'coalesce($3::int, l.current_step)',
          next_step: '$4::int',
          next_action_at: '$5::timestamptz',
          next_action_type: '$6::text',
          next_sender_id: SENDER('$7'),
          reason: '$8::text',
        },
      },
      `WHERE l.campaign_lead_id = $1 AND ${guard('offer_again')}`,
    ),
    [
      lead.campaign_lead_id,
      now,
      lead.current_step,
      lead.step,
      lead.due_at,
      lead.action_type,
      lead.channel,
      lead.reason?.slice(0, 500) ?? null,
    ],
  )
}
