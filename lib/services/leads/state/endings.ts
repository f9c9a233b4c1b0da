import { prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'
import { type MovesTo, suppressedBy } from '#lib/domain/leads/lead-moves'
import type { LeadReason } from '#lib/domain/leads/lead-reasons'
import { type LeadLogKind, logged, writeLog } from '#lib/services/campaigns/decision-log'
import { guard, moveSql } from '#lib/services/leads/state/sql'
import { MOVED, type MovedLead, tellOfEndings } from '#lib/services/leads/told'

/** Leads whose address is on the list end; `which` is SQL of leads `l` over the values from $3 on. Answers how many. */
export async function suppressLeads(
  client: Statements,
  { status, reason }: { status: MovesTo<'suppress'>; reason: string },
  { sql, values }: { sql: string; values: unknown[] },
  now: Date,
): Promise<number> {
  const { rows } = await client.query(
    moveSql(
      'suppress',
      { to: `'${status}'`, event: `'${suppressedBy(reason)}'`, at: '$1', sets: { reason: '$2::text' } },
      `WHERE ${sql} AND ${guard('suppress')} RETURNING 1`,
    ),
    [now, reason, ...values],
  )
  return rows.length
}

type Ending = { status: MovesTo<'answer'>; reason: string | null }

/**
 * Ends one lead by what came in. A lead that is over stays what it became, except that one done with its steps, or stopped
 * by its owner, may still answer. False where nothing changed.
 */
export async function endLead(
  client: Statements,
  { campaign_lead_id, step }: { campaign_lead_id: string; step: number },
  { status, reason }: Ending,
  now: Date,
): Promise<boolean> {
  const { rows } = await client.query<MovedLead>(
    prepared(
      moveSql(
        'answer',
        {
          to: `'${status}'`,
          event: `'${status}'`,
          at: '$4',
          sets: { current_step: 'greatest(l.current_step, $2)', reason: '$3::text' },
        },
        `WHERE l.campaign_lead_id = $1 AND ${guard('answer')} RETURNING ${MOVED}`,
      ),
      [campaign_lead_id, step, reason?.slice(0, 500) ?? null, now],
    ),
  )
  await tellOfEndings(client, rows, now)
  return rows.length === 1
}

/** Where its campaign asks for that, nobody else of the company of a lead that answered gets anything more. */
export async function endCompany(
  client: Statements,
  lead: { campaign_id: string; campaign_lead_id: string },
  domain: string,
  now: Date,
): Promise<void> {
  const reason: LeadReason = 'company_replied'
  const { rows } = await client.query<MovedLead>(
    prepared(
      moveSql(
        'company_replied',
        { to: `'skipped'`, event: `'skipped'`, at: '$4', sets: { reason: `'${reason}'` } },
        // Asked before a lead is read: most campaigns do not ask for it, and of one that does every lead is looked at.
        `WHERE (SELECT c.stop_on_company_reply FROM campaigns c WHERE c.campaign_id = $1) AND l.campaign_id = $1
         AND l.campaign_lead_id <> $2 AND ${guard('company_replied')} AND split_part(l.email, '@', 2) = $3
       RETURNING ${MOVED}`,
      ),
      [lead.campaign_id, lead.campaign_lead_id, domain, now],
    ),
  )
  const kind: LeadLogKind = 'company_replied'
  const detail = { replied_lead_id: lead.campaign_lead_id, domain }
  await writeLog(
    client,
    rows.map((row) => logged(row, kind, now, { campaign_lead_id: row.campaign_lead_id, reason, detail })),
  )
}

/** SQL of the words for a lead whose person replied in another campaign. */
const REPLIED_ELSEWHERE = {
  to: `'skipped'`,
  event: `'skipped'`,
  sets: { reason: `'replied_elsewhere'` },
}

async function logRepliedElsewhere(client: Statements, leads: MovedLead[], now: Date, detail = {}) {
  const reason: LeadReason = 'replied_elsewhere'
  await writeLog(
    client,
    leads.map((lead) => {
      const { campaign_lead_id } = lead
      return logged(lead, 'replied_elsewhere' satisfies LeadLogKind, now, {
        campaign_lead_id,
        reason,
        detail,
      })
    }),
  )
}

/**
 * Where the workspace asks for that, or the person wants nothing more, whoever replied in one campaign gets nothing more from
 * any other, which are locked.
 */
export async function endElsewhere(
  client: Statements,
  lead: { workspace_id: string; campaign_id: string; campaign_lead_id: string },
  email: string,
  now: Date,
  { isWish = false } = {},
): Promise<void> {
  const { rows } = await client.query<MovedLead>(
    prepared(
      moveSql(
        'replied_elsewhere',
        { ...REPLIED_ELSEWHERE, at: '$5' },
        `FROM workspaces w
       WHERE w.workspace_id = l.workspace_id AND (w.after_reply = 'everywhere' OR $6) AND l.workspace_id = $1 AND l.email = $2
         AND l.campaign_lead_id <> $3 AND l.campaign_id <> $4 AND ${guard('replied_elsewhere')}
       RETURNING ${MOVED}`,
      ),
      [lead.workspace_id, email, lead.campaign_lead_id, lead.campaign_id, now, isWish],
    ),
  )
  const { campaign_id, campaign_lead_id } = lead
  await logRepliedElsewhere(client, rows, now, { campaign_id, replied_lead_id: campaign_lead_id })
}

/** Leads that wait although their person replied in another campaign meanwhile. Their campaign must be locked. */
export async function endReplied(client: Statements, leadIds: string[], now: Date): Promise<void> {
  const { rows } = await client.query<MovedLead>(
    moveSql(
      'replied_elsewhere',
      { ...REPLIED_ELSEWHERE, at: '$2' },
      `WHERE l.campaign_lead_id = ANY ($1) AND ${guard('replied_elsewhere')} RETURNING ${MOVED}`,
    ),
    [leadIds, now],
  )
  await logRepliedElsewhere(client, rows, now)
}

/** A program answered for the person. One that waits for its text is still known by that. */
export async function noteAutomaticReply(client: Statements, leadId: string, now: Date): Promise<void> {
  await client.query(
    prepared(
      moveSql(
        'note',
        {
          to: 'l.status',
          event: `CASE WHEN l.last_event = 'held' AND l.next_action_at IS NULL THEN 'held' ELSE 'automatic_reply' END`,
          at: '$2',
        },
        `WHERE l.campaign_lead_id = $1 AND ${guard('note')}`,
      ),
      [leadId, now],
    ),
  )
}
