import { hidden, prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'
import type { MovesTo, SaidOf } from '#lib/domain/leads/lead-moves'
import { logged } from '#lib/services/campaigns/decision-log'
import { GOES_ON, onReopened, type WentOn } from '#lib/services/campaigns/state'
import { type Campaign, columns, guard, moveSql, SENDER, type Stands } from '#lib/services/leads/state/sql'
import { MOVED, type MovedLead, tellOfEndings, writeLeadLog } from '#lib/services/leads/told'

export type ClaimedLead = {
  campaign_lead_id: string
  /** The step that the plan found the lead waiting for. */
  planned_from: number
  step: number
  mailbox_id: string | null
  account_id: string | null
  message_id: string | null
  subject: string | null
}

/**
 * Prepared once: for the one or two leads that a paced campaign claims at a time, planning took half as long
 * as the claim.
 */
const CLAIM = moveSql(
  'claim',
  {
    to: `'active'`,
    sets: {
      next_step: 'a.step',
      next_action_at: 'NULL',
      next_action_type: 'NULL',
      next_sender_id: 'NULL',
      mailbox_id: 'coalesce(a.mailbox_id, l.mailbox_id)',
      connected_account_id: 'coalesce(a.account_id, l.connected_account_id)',
      thread_message_id: 'coalesce(l.thread_message_id, a.message_id)',
      thread_subject: 'coalesce(l.thread_subject, a.subject)',
      reason: 'NULL',
    },
  },
  `FROM unnest(${['$1::uuid[]', '$2::int[]', '$3::int[]', '$4::uuid[]', '$5::text[]', '$6::text[]', '$7::uuid[]'].map(hidden).join(', ')})
     a (campaign_lead_id, planned_from, step, mailbox_id, message_id, subject, account_id)
   WHERE l.campaign_lead_id = a.campaign_lead_id AND ${guard('claim')}
     AND l.next_step = a.planned_from AND l.next_action_at IS NOT NULL RETURNING 1`,
)

/** Takes leads out of their queues for one action each. Returns how many were where the plan found them. */
export async function claimLeads(client: Statements, leads: ClaimedLead[]): Promise<number> {
  const values = columns(
    leads,
    (lead) => lead.campaign_lead_id,
    (lead) => lead.planned_from,
    (lead) => lead.step,
    (lead) => lead.mailbox_id,
    (lead) => lead.message_id,
    (lead) => lead.subject,
    (lead) => lead.account_id,
  )
  return (await client.query(prepared(CLAIM, values))).rows.length
}

/** Skips steps: the leads wait for the following ones, or are done. */
export async function skipSteps(
  client: Statements,
  leads: (Stands & { sender_id: string | null; at: Date })[],
  now: Date,
): Promise<void> {
  const { rows } = await client.query<MovedLead>(
    moveSql(
      'skip_step',
      {
        to: `CASE WHEN s.next_step IS NULL THEN 'completed' ELSE 'active' END`,
        event: `'skipped'`,
        at: 's.at',
        sets: {
          next_step: 's.next_step',
          next_action_at: 's.due_at',
          next_action_type: 's.action_type',
          next_sender_id: 's.sender_id',
          reason: 'NULL',
        },
      },
      `FROM unnest($1::uuid[], $2::int[], $3::timestamptz[], $4::text[], $5::uuid[], $6::timestamptz[])
         s (campaign_lead_id, next_step, due_at, action_type, sender_id, at)
       WHERE l.campaign_lead_id = s.campaign_lead_id AND ${guard('skip_step')} RETURNING ${MOVED}`,
    ),
    columns(
      leads,
      (lead) => lead.campaign_lead_id,
      (lead) => lead.next?.step ?? null,
      (lead) => lead.next?.due_at ?? null,
      (lead) => lead.next?.action_type ?? null,
      (lead) => lead.sender_id,
      (lead) => lead.at,
    ),
  )
  await tellOfEndings(client, rows, now)
}

export type PerformedLead = Stands & {
  step: number
  action: SaidOf<'perform'>
  status: MovesTo<'perform'>
  channel: string | null
  reason: string | null
  /** The lead had moved on when its action became uncertain, but nothing was sent after all. */
  takes_back: boolean
}

const PERFORM = `WITH moved AS (${moveSql(
  'perform',
  {
    to: 'w.status',
    event: 'w.action',
    at: '$1',
    sets: {
      current_step: `CASE WHEN w.action IN ('sent', 'uncertain') THEN w.step
        WHEN w.takes_back THEN w.step - 1 ELSE l.current_step END`,
      next_step: 'w.next_step',
      next_action_at: 'w.due_at',
      next_action_type: 'w.next_action_type',
      next_sender_id: SENDER('w.channel'),
      reason: 'w.reason',
    },
  },
  `FROM unnest($2::uuid[], $3::int[], $4::text[], $5::text[], $6::int[], $7::timestamptz[], $8::text[], $9::text[],
       $10::text[], $11::boolean[])
     w (campaign_lead_id, step, action, status, next_step, due_at, next_action_type, channel, reason, takes_back)
   WHERE l.campaign_lead_id = w.campaign_lead_id AND (w.takes_back AND ${guard('take_step_back')}
     OR ${guard('perform')} AND l.next_step = w.step AND l.next_action_at IS NULL)
   RETURNING ${MOVED}, l.next_action_at`,
)}), due AS (
  SELECT campaign_id, min(next_action_at) AS at, false AS is_new FROM moved
  WHERE next_action_at IS NOT NULL GROUP BY 1
), went_on AS (${GOES_ON})
SELECT (SELECT coalesce(jsonb_agg(m), '[]') FROM moved m WHERE m.status = 'bounced'
    OR m.status = 'completed' AND EXISTS (SELECT 1 FROM webhooks h WHERE h.workspace_id = m.workspace_id AND h.enabled
      AND 'lead.completed' = ANY (h.event_types))) AS ended,
  (SELECT coalesce(jsonb_agg(w), '[]') FROM went_on w) AS went_on`

/**
 * Moves leads according to the outcome of their action. A lead that ended meanwhile (a reply, an unsubscribe)
 * stays ended. A lead whose action was uncertain had moved on, and moves back if nothing was sent after all.
 * Its campaign is looked at again when its earliest lead is due, and becomes active again if this reopens it.
 */
export async function performSteps(client: Statements, leads: PerformedLead[], now: Date): Promise<void> {
  const values = columns(
    leads,
    (lead) => lead.campaign_lead_id,
    (lead) => lead.step,
    (lead) => lead.action,
    (lead) => lead.status,
    (lead) => lead.next?.step ?? null,
    (lead) => lead.next?.due_at ?? null,
    (lead) => lead.next?.action_type ?? null,
    (lead) => lead.channel,
    (lead) => lead.reason?.slice(0, 500) ?? null,
    (lead) => lead.takes_back,
  )
  const { rows } = await client.query<{ ended: MovedLead[]; went_on: WentOn[] }>(
    prepared(PERFORM, [now, ...values]),
  )
  const [row] = rows
  if (!row) return
  await onReopened(client, row.went_on, 'An uncertain send was not sent.', now)
  await tellOfEndings(client, row.ended, now)
}

type Held = {
  campaign_lead_id: string
  step: number
  action_type: string | null
  sender_id: string | null
  reason: string
}

/** Takes leads out of their queues until their text is approved; the decision log says why. */
export async function holdLeads(
  client: Statements,
  campaign: Campaign,
  held: Held[],
  now: Date,
): Promise<void> {
  await client.query(
    moveSql(
      'hold',
      {
        to: `'active'`,
        event: `'held'`,
        at: '$1',
        sets: {
          next_action_at: 'NULL',
          next_action_type: 'h.action_type',
          next_sender_id: 'h.sender_id',
          reason: 'h.reason',
        },
      },
      `FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[]) h (campaign_lead_id, action_type, sender_id, reason)
       WHERE l.campaign_lead_id = h.campaign_lead_id AND ${guard('hold')}`,
    ),
    [
      now,
      ...columns(
        held,
        (lead) => lead.campaign_lead_id,
        (lead) => lead.action_type,
        (lead) => lead.sender_id,
        (lead) => lead.reason,
      ),
    ],
  )
  await writeLeadLog(
    client,
    held.map(({ campaign_lead_id, step, reason }) =>
      logged(campaign, 'held', now, { campaign_lead_id, step, reason }),
    ),
  )
}

/** SQL: lead `l` is held. */
export const HELD = `l.status = 'active' AND l.last_event = 'held' AND l.next_action_at IS NULL`

/**
 * Puts held leads back into their queues: all of a campaign's, or those at these places. Returns the number
 * of leads.
 */
export async function releaseLeads(
  client: Statements,
  campaignId: string,
  now: Date,
  leadIndexes: number[] | null,
): Promise<number> {
  const { rows } = await client.query(
    moveSql(
      'release',
      { to: `'active'`, event: `'released'`, at: '$2', sets: { next_action_at: '$2', reason: 'NULL' } },
      `WHERE l.campaign_id = $1 AND ${guard('release')} AND ${HELD}
         AND ($3::int[] IS NULL OR l.lead_index = ANY ($3)) RETURNING 1`,
    ),
    [campaignId, now, leadIndexes],
  )
  return rows.length
}
