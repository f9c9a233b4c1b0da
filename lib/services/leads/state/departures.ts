import { prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'
import type { LeadReason } from '#lib/domain/leads/lead-reasons'
import { type LeadLogKind, logged, writeLog } from '#lib/services/campaigns/decision-log'
import { columns, guard, moveSql } from '#lib/services/leads/state/sql'
import { MOVED, type MovedLead } from '#lib/services/leads/told'

type Departed = { workspace_id: string; campaign_lead_id: string; email: string }

/**
 * People have left: their leads get nothing more, nor do those of their address in other campaigns, where the workspace ends
 * everybody who answered so. All of these are locked.
 */
export async function endDeparted(
  client: Statements,
  departed: readonly Departed[],
  now: Date,
): Promise<void> {
  if (departed.length === 0) return
  const reason: LeadReason = 'has_left'
  const { rows } = await client.query<MovedLead>(
    prepared(
      moveSql(
        'leave',
        { to: `'skipped'`, event: `'skipped'`, at: '$4', sets: { reason: `'${reason}'` } },
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
  const kind: LeadLogKind = 'has_left'
  await writeLog(
    client,
    rows.map((lead) => logged(lead, kind, now, { campaign_lead_id: lead.campaign_lead_id, reason })),
  )
}
