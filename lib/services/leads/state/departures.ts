import { prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'
import type { LeadReason } from '#lib/domain/leads/lead-reasons'
import { type LeadLogKind, logged, writeLog } from '#lib/services/campaigns/decision-log'
import { columns, guard, moveSql } from '#lib/services/leads/state/sql'
import { MOVED, type MovedLead } from '#lib/services/leads/told'

type Departed = { workspace_id: string; campaign_lead_id: string; email: string; message_id: string }

const REASON: LeadReason = 'has_left'
const LEAVES = { to: `'skipped'`, event: `'skipped'`, sets: { reason: `'${REASON}'` } }

/**
 * Ends the leads of people who have left their company, and those of their address in other campaigns if the
 * workspace ends everybody who replied that way. All of these must be locked. The address is remembered even if
 * none of its leads waits any more, so that later campaigns skip it.
 */
export async function endDeparted(
  client: Statements,
  departed: readonly Departed[],
  now: Date,
): Promise<void> {
  if (departed.length === 0) return
  await remember(client, departed, now)
  const { rows } = await client.query<MovedLead>(
    prepared(
      moveSql(
        'leave',
        { ...LEAVES, at: '$4' },
        `FROM unnest($1::uuid[], $2::uuid[], $3::text[]) d (workspace_id, campaign_lead_id, email)
           JOIN workspaces w USING (workspace_id)
         WHERE l.workspace_id = d.workspace_id AND l.email = d.email
           AND (l.campaign_lead_id = d.campaign_lead_id OR w.after_reply = 'everywhere')
           AND ${guard('leave')} RETURNING ${MOVED}`,
      ),
      [
        ...columns(
          departed,
          ({ workspace_id }) => workspace_id,
          ({ campaign_lead_id }) => campaign_lead_id,
          ({ email }) => email.toLowerCase(),
        ),
        now,
      ],
    ),
  )
  await logLeft(client, rows, now)
}

/** Ends waiting leads whose person is known to have left. Their campaign must be locked. */
export async function endLeft(client: Statements, leadIds: string[], now: Date): Promise<void> {
  const { rows } = await client.query<MovedLead>(
    moveSql(
      'leave',
      { ...LEAVES, at: '$2' },
      `WHERE l.campaign_lead_id = ANY ($1) AND ${guard('leave')} RETURNING ${MOVED}`,
    ),
    [leadIds, now],
  )
  await logLeft(client, rows, now)
}

async function logLeft(client: Statements, leads: MovedLead[], now: Date): Promise<void> {
  const kind: LeadLogKind = 'has_left'
  await writeLog(
    client,
    leads.map((lead) => logged(lead, kind, now, { campaign_lead_id: lead.campaign_lead_id, reason: REASON })),
  )
}

/** Writes in one fixed order, as for absences, so that two transactions over the same people cannot deadlock. */
async function remember(client: Statements, departed: readonly Departed[], now: Date): Promise<void> {
  await client.query(
    prepared(
      `INSERT INTO absences AS b (workspace_id, email, until, noted_at, left_at, left_message_id)
       SELECT DISTINCT ON (d.workspace_id, d.email) d.workspace_id, d.email, $4::timestamptz, $4, $4, d.message_id
       FROM unnest($1::uuid[], $2::text[], $3::uuid[]) d (workspace_id, email, message_id)
       ORDER BY d.workspace_id, d.email
       ON CONFLICT (workspace_id, email) DO UPDATE SET left_at = excluded.left_at, left_message_id = excluded.left_message_id`,
      [
        ...columns(
          departed,
          ({ workspace_id }) => workspace_id,
          ({ email }) => email.toLowerCase(),
          ({ message_id }) => message_id,
        ),
        now,
      ],
    ),
  )
}

/** Undoes `remember` after a user corrected the intent of the message. */
export async function forgetLeft(
  client: Statements,
  { workspace_id, email, message_id }: { workspace_id: string; email: string | null; message_id: string },
): Promise<void> {
  await client.query(
    `UPDATE absences SET left_at = NULL, left_message_id = NULL
     WHERE workspace_id = $1 AND email = $2 AND left_message_id = $3`,
    [workspace_id, email, message_id],
  )
}
