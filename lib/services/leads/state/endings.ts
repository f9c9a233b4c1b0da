import { prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'
import { type MovesTo, suppressedBy } from '#lib/domain/leads/lead-moves'
import type { LeadReason } from '#lib/domain/leads/lead-reasons'
import { type LeadLogKind, logged, writeLog } from '#lib/services/campaigns/decision-log'
import { columns, guard, moveSql } from '#lib/services/leads/state/sql'
import { MOVED, type MovedLead, tellOfEndings } from '#lib/services/leads/told'

/**
 * Ends leads whose address is on the list; `which` is SQL of leads `l` with values from $3 on. Returns the
 * number of leads.
 */
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

type Ending = { campaign_lead_id: string; step: number; status: MovesTo<'answer'>; reason: string | null }

/**
 * Ends leads because of an incoming message. A finished lead keeps its status, unless it completed its steps,
 * was stopped by its owner or failed: then a reply still counts. Returns the leads that ended this way.
 */
export async function endLeads(
  client: Statements,
  endings: readonly Ending[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (endings.length === 0) return new Set()
  const { rows } = await client.query<MovedLead>(
    prepared(
      moveSql(
        'answer',
        {
          to: 'e.status',
          event: 'e.status',
          at: '$5',
          sets: { current_step: 'greatest(l.current_step, e.step)', reason: 'e.reason' },
        },
        `FROM unnest($1::uuid[], $2::int[], $3::text[], $4::text[]) e (campaign_lead_id, step, status, reason)
         WHERE l.campaign_lead_id = e.campaign_lead_id AND ${guard('answer')} AND l.status::text <> e.status RETURNING ${MOVED}`,
      ),
      [
        ...columns(
          endings,
          ({ campaign_lead_id }) => campaign_lead_id,
          ({ step }) => step,
          ({ status }) => status,
          ({ reason }) => reason?.slice(0, 500) ?? null,
        ),
        now,
      ],
    ),
  )
  const ended = new Map(rows.map((row) => [row.campaign_lead_id, row]))
  await tellOfEndings(
    client,
    endings.flatMap(({ campaign_lead_id }) => ended.get(campaign_lead_id) ?? []),
    now,
  )
  return new Set(ended.keys())
}

/**
 * The campaigns that stop a whole company after a reply. Most do not, and for one that does every lead is
 * examined.
 */
export async function stopsCompanies(client: Statements, campaignIds: string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ campaign_id: string }>(
    prepared(
      'SELECT campaign_id FROM campaigns WHERE campaign_id = ANY ($1::uuid[]) AND stop_on_company_reply',
      [campaignIds],
    ),
  )
  return new Set(rows.map(({ campaign_id }) => campaign_id))
}

/** Ends the colleagues of leads that replied, in campaigns that ask for it. */
export async function endCompanies(
  client: Statements,
  answered: readonly { campaign_id: string; campaign_lead_id: string; domain: string }[],
  now: Date,
): Promise<void> {
  if (answered.length === 0) return
  const reason: LeadReason = 'company_replied'
  const { rows } = await client.query<MovedLead & { replied_lead_id: string; domain: string }>(
    prepared(
      moveSql(
        'company_replied',
        { to: `'skipped'`, event: `'skipped'`, at: '$4', sets: { reason: `'${reason}'` } },
        `FROM unnest($1::uuid[], $2::uuid[], $3::text[]) r (campaign_id, campaign_lead_id, domain)
         WHERE l.campaign_id = r.campaign_id AND l.campaign_lead_id <> r.campaign_lead_id AND ${guard('company_replied')}
           AND split_part(l.email, '@', 2) = r.domain RETURNING ${MOVED}, r.campaign_lead_id AS replied_lead_id, r.domain`,
      ),
      [
        ...columns(
          answered,
          ({ campaign_id }) => campaign_id,
          ({ campaign_lead_id }) => campaign_lead_id,
          ({ domain }) => domain,
        ),
        now,
      ],
    ),
  )
  const kind: LeadLogKind = 'company_replied'
  await writeLog(
    client,
    rows.map(({ replied_lead_id, domain, ...lead }) => {
      const { campaign_lead_id } = lead
      return logged(lead, kind, now, { campaign_lead_id, reason, detail: { replied_lead_id, domain } })
    }),
  )
}

/** SQL: the values written to a lead whose person replied in another campaign. */
const REPLIED_ELSEWHERE = {
  to: `'skipped'`,
  event: `'skipped'`,
  sets: { reason: `'replied_elsewhere'` },
}

async function logRepliedElsewhere(client: Statements, leads: (MovedLead & Partial<Replied>)[], now: Date) {
  const reason: LeadReason = 'replied_elsewhere'
  await writeLog(
    client,
    leads.map((lead) => {
      const { campaign_lead_id, replied_campaign_id, replied_lead_id } = lead
      return logged(lead, 'replied_elsewhere' satisfies LeadLogKind, now, {
        campaign_lead_id,
        reason,
        detail: replied_lead_id ? { campaign_id: replied_campaign_id, replied_lead_id } : {},
      })
    }),
  )
}

type Replied = { replied_campaign_id: string; replied_lead_id: string }
type Answered = {
  workspace_id: string
  campaign_id: string
  campaign_lead_id: string
  email: string
  /** In all campaigns, whatever the workspace's setting. */
  is_wish: boolean
}

/**
 * Ends a person's leads in all other campaigns if they replied in one and the workspace asks for that, or if
 * they want no more mail. These campaigns must be locked.
 */
export async function endElsewhere(
  client: Statements,
  answered: readonly Answered[],
  now: Date,
): Promise<void> {
  if (answered.length === 0) return
  const { rows } = await client.query<MovedLead & Replied>(
    prepared(
      moveSql(
        'replied_elsewhere',
        { ...REPLIED_ELSEWHERE, at: '$6' },
        `FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::boolean[])
           r (workspace_id, email, campaign_lead_id, campaign_id, is_wish) JOIN workspaces w USING (workspace_id)
       WHERE (w.after_reply = 'everywhere' OR r.is_wish) AND l.workspace_id = r.workspace_id AND l.email = r.email
         AND l.campaign_lead_id <> r.campaign_lead_id AND l.campaign_id <> r.campaign_id AND ${guard('replied_elsewhere')}
       RETURNING ${MOVED}, r.campaign_id AS replied_campaign_id, r.campaign_lead_id AS replied_lead_id`,
      ),
      [
        ...columns(
          answered,
          ({ workspace_id }) => workspace_id,
          ({ email }) => email,
          ({ campaign_lead_id }) => campaign_lead_id,
          ({ campaign_id }) => campaign_id,
          ({ is_wish }) => is_wish,
        ),
        now,
      ],
    ),
  )
  await logRepliedElsewhere(client, rows, now)
}

/** Ends waiting leads whose person has since replied in another campaign. Their campaign must be locked. */
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

/** Records an automatic reply. A lead that waits for its text keeps that state. */
export async function noteAutomaticReplies(client: Statements, leadIds: string[], now: Date): Promise<void> {
  await client.query(
    prepared(
      moveSql(
        'note',
        {
          to: 'l.status',
          event: `CASE WHEN l.last_event = 'held' AND l.next_action_at IS NULL THEN 'held' ELSE 'automatic_reply' END`,
          at: '$2',
        },
        `WHERE l.campaign_lead_id = ANY ($1::uuid[]) AND ${guard('note')}`,
      ),
      [leadIds, now],
    ),
  )
}
