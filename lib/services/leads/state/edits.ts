import type { Statements } from '#lib/db/statements'
import { WAITS } from '#lib/domain/leads/lead-moves'
import type { LeadReason } from '#lib/domain/leads/lead-reasons'
import { columns, guard, moveSql, SENDER } from '#lib/services/leads/state/sql'
import { MOVED, type MovedLead, tellOfEndings } from '#lib/services/leads/told'

/** An edit removed the step that these leads were waiting for. */
export async function loseStep(client: Statements, leadIds: string[], now: Date): Promise<void> {
  const reason: LeadReason = 'step_removed'
  const { rows } = await client.query<MovedLead>(
    moveSql(
      'lose_step',
      {
        to: `'completed'`,
        event: `'edited'`,
        at: '$2',
        sets: { reason: `'${reason}'` },
      },
      `WHERE l.campaign_lead_id = ANY ($1::uuid[]) AND ${guard('lose_step')} RETURNING ${MOVED}`,
    ),
    [leadIds, now],
  )
  await tellOfEndings(client, rows, now)
}

/** An edit replaced the step that these leads wait for, or changed its delay. */
export async function waitOtherwise(
  client: Statements,
  leads: { campaign_lead_id: string; due_at: Date }[],
  { action_type, channel }: { action_type: string; channel: string },
): Promise<void> {
  await client.query(
    moveSql(
      'replace',
      {
        to: 'l.status',
        sets: { next_action_at: 'd.due_at', next_action_type: '$3::text', next_sender_id: SENDER('$4') },
      },
      `FROM unnest($1::uuid[], $2::timestamptz[]) d (campaign_lead_id, due_at)
       WHERE l.campaign_lead_id = d.campaign_lead_id AND ${guard('replace')}`,
    ),
    [
      ...columns(
        leads,
        (lead) => lead.campaign_lead_id,
        (lead) => lead.due_at,
      ),
      action_type,
      channel,
    ],
  )
}

/**
 * Gives leads of a sender that their campaign no longer uses another one: `which` is SQL of leads `l` with
 * values from $1 on. Includes leads that finished their steps, since the owner's decision on an uncertain
 * send may bring them back. Returns the number of leads.
 */
export async function reassignSender(
  client: Statements,
  sender: 'mailbox_id' | 'connected_account_id',
  { sql, values }: { sql: string; values: unknown[] },
): Promise<number> {
  const forgets: Record<string, string> = sender === 'mailbox_id' ? {} : { social_provider_id: 'NULL' }
  const { rows } = await client.query(
    moveSql(
      'replace',
      {
        to: 'l.status',
        sets: {
          [sender]: 'NULL',
          next_sender_id: `CASE WHEN l.next_sender_id = l.${sender} THEN NULL ELSE l.next_sender_id END`,
          ...forgets,
        },
      },
      `WHERE ${sql} AND l.status IN ('active', 'completed') AND l.${sender} IS NOT NULL RETURNING 1`,
    ),
    values,
  )
  return rows.length
}

/**
 * Moves leads back to where an edit found them. Leads whose rows were removed meanwhile stay as the edit left
 * them.
 */
export async function putBack(client: Statements, editId: string, leadIds: string[]): Promise<void> {
  const places = [...WAITS, 'mailbox_id', 'connected_account_id', 'social_provider_id', 'social_profile']
  const kept = [...places, 'social_problem', 'last_event', 'last_event_at', 'reason', 'reason_detail']
  await client.query(
    moveSql(
      'replace',
      { to: 'p.status', sets: Object.fromEntries(kept.map((column) => [column, `p.${column}`])) },
      `FROM campaign_edit_leads e, jsonb_populate_record(NULL::campaign_leads, e.before) p
       WHERE e.edit_id = $1::uuid AND l.campaign_lead_id = e.campaign_lead_id AND ${guard('replace')}
         AND e.campaign_lead_id = ANY ($2::uuid[])
         AND EXISTS (SELECT 1 FROM dataset_rows r WHERE r.dataset_id = l.dataset_id AND r.lead_index = l.lead_index)`,
    ),
    [editId, leadIds],
  )
}
