import { prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'
import {
  type LeadReason,
  type LeadVerb,
  leadMove,
  type MovesTo,
  mayWait,
  type SaidOf,
  suppressedBy,
  WAITS,
} from '#lib/domain/leads/lead-moves'
import { type LeadLogKind, logged, writeLog } from '#lib/services/campaigns/decision-log'
import { GOES_ON, logReopened, type WentOn } from '#lib/services/campaigns/state'
import { MOVED, type MovedLead, tellOfEndings, writeLeadLog } from '#lib/services/leads/told'

/*
 * The only writer of where leads stand. The campaign of each is locked already. Guard and target come from the table of
 * domain; a lead that is over waits for nothing, whatever is said of it; the decision log of what concerns leads alone, and
 * what is told of their endings, is written with it.
 */

const list = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ')

/** SQL: whether a lead `l` may be moved so. */
function guard(by: LeadVerb): string {
  const { from } = leadMove(by)
  const statuses = from.filter((status) => status !== 'stopped')
  const ways = [
    ...(statuses.length > 0 ? [`l.status IN (${list(statuses)})`] : []),
    ...(from.includes('stopped') ? [`l.status = 'skipped' AND l.last_event = 'stopped'`] : []),
  ]
  return `(${ways.join(' OR ')})`
}

type Said = { to: string; event?: string; at?: string; sets?: Record<string, string> }

/** SQL that moves leads `l` to a status, itself SQL: what it waits for stands only where the table's targets wait. */
function moveSql(by: LeadVerb, { to, event, at, sets = {} }: Said, rest: string): string {
  const targets = leadMove(by).to
  const waits = WAITS.flatMap((column) => {
    const wanted = sets[column] ?? `l.${column}`
    if (!targets.some(mayWait)) return [`${column} = NULL`]
    if (targets.every(mayWait)) return column in sets ? [`${column} = ${wanted}`] : []
    return [`${column} = CASE WHEN (${to})::text IN ('pending', 'active') THEN ${wanted} END`]
  })
  const others = Object.entries(sets).flatMap(([column, sql]) =>
    WAITS.some((one) => one === column) ? [] : [`${column} = ${sql}`],
  )
  const said = event ? [`last_event = (${event})::"LeadEvent"`, `last_event_at = ${at}`] : []
  return `UPDATE campaign_leads l SET status = (${to})::"LeadStatus", ${[...waits, ...said, ...others].join(', ')} ${rest}`
}

/** Whose queue a lead waits in, by the channel of its next step. */
const SENDER = (channel: string) =>
  `CASE WHEN ${channel} = 'email' THEN l.mailbox_id ELSE l.connected_account_id END`

const columns = <Row>(rows: readonly Row[], ...picks: ((row: Row) => unknown)[]) =>
  picks.map((pick) => rows.map(pick))

export type ClaimedLead = {
  campaign_lead_id: string
  /** The step that the plan found it waiting for. */
  planned_from: number
  step: number
  mailbox_id: string | null
  account_id: string | null
  message_id: string | null
  subject: string | null
}

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
  `FROM unnest($1::uuid[], $2::int[], $3::int[], $4::uuid[], $5::text[], $6::text[], $7::uuid[])
     a (campaign_lead_id, planned_from, step, mailbox_id, message_id, subject, account_id)
   WHERE l.campaign_lead_id = a.campaign_lead_id AND ${guard('claim')}
     AND l.next_step = a.planned_from AND l.next_action_at IS NOT NULL RETURNING 1`,
)

/** Takes leads out of their queues for an action each. Answers how many were where the plan found them. */
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

/** The step that a lead waits for from now on, since when, and in whose queue. */
type Next = { step: number; due_at: Date; action_type: string | null }
type Stands = { campaign_lead_id: string; next: Next | null }

/** Steps are passed over: the leads wait for the ones after, or have had their last. */
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
  /** It had gone on when its action turned uncertain, and nothing had left after all. */
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
SELECT (SELECT coalesce(jsonb_agg(m), '[]') FROM moved m WHERE m.status IN ('completed', 'bounced')) AS ended,
  (SELECT coalesce(jsonb_agg(w), '[]') FROM went_on w) AS went_on`

/**
 * What became of an action moves its lead. One that ended meanwhile (a reply, an unsubscribe) stays ended; one whose action
 * had turned uncertain went on then, and comes back where it had not left after all. Its campaign is looked at again when
 * its earliest lead is due, and goes on where that reopens it.
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
  await logReopened(client, row.went_on, 'An uncertain send did not leave.', now)
  await tellOfEndings(client, row.ended, now)
}

type Campaign = { campaign_id: string; user_id: string }
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

/** SQL: that a lead `l` is held. */
export const HELD = `l.status = 'active' AND l.last_event = 'held' AND l.next_action_at IS NULL`

/** Back into their queues: all held ones of a campaign, or those at these places. Answers how many. */
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

export type StoodRow = {
  campaign_lead_id: string
  status: string
  current_step: number
  next_step: number | null
  next_action_at: Date | null
}

/**
 * Ends waiting leads by their owner's word. Where each stood is kept in the decision log. Answers where those of them that are
 * there stood, and which were ended.
 */
export async function stopWaiting(
  client: Statements,
  campaign: Campaign,
  leadIds: string[],
  now: Date,
): Promise<{ found: StoodRow[]; stopped: string[] }> {
  const reason: LeadReason = 'stopped'
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
      const detail = { status, current_step, next_step, due_at: next_action_at?.getTime() ?? null }
      return logged(campaign, 'stopped', now, { campaign_lead_id, step: next_step, detail })
    }),
  )
  return { found: rows, stopped: waited.map(({ campaign_lead_id }) => campaign_lead_id) }
}

export type ResumedLead = Stands & {
  status: MovesTo<'resume'>
  current_step: number
  channel: string | null
}

/** Takes a stop back: each goes on where its owner's word finds it. */
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
    moveSql(
      'answer',
      {
        to: `'${status}'`,
        event: `'${status}'`,
        at: '$4',
        sets: { current_step: 'greatest(l.current_step, $2)', reason: '$3' },
      },
      `WHERE l.campaign_lead_id = $1 AND ${guard('answer')} RETURNING ${MOVED}`,
    ),
    [campaign_lead_id, step, reason?.slice(0, 500) ?? null, now],
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
    moveSql(
      'company_replied',
      { to: `'skipped'`, event: `'skipped'`, at: '$4', sets: { reason: `'${reason}'` } },
      `FROM campaigns c
       WHERE c.campaign_id = $1 AND c.stop_on_company_reply AND l.campaign_id = c.campaign_id
         AND l.campaign_lead_id <> $2 AND ${guard('company_replied')} AND split_part(l.email, '@', 2) = $3
       RETURNING ${MOVED}`,
    ),
    [lead.campaign_id, lead.campaign_lead_id, domain, now],
  )
  const kind: LeadLogKind = 'company_replied'
  const detail = { replied_lead_id: lead.campaign_lead_id, domain }
  await writeLog(
    client,
    rows.map((row) => logged(row, kind, now, { campaign_lead_id: row.campaign_lead_id, reason, detail })),
  )
}

/** A program answered for the person: known, and nothing more. */
export async function noteAutomaticReply(client: Statements, leadId: string, now: Date): Promise<void> {
  await client.query(
    moveSql(
      'note',
      { to: 'l.status', event: `'automatic_reply'`, at: '$2' },
      `WHERE l.campaign_lead_id = $1 AND ${guard('note')}`,
    ),
    [leadId, now],
  )
}

/** An uncertain send did leave: the lead had gone on as if, so it stands where it is. */
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
  /** Null: its performed step stays, since the message was handed over. */
  current_step: number | null
}

/** A step that did not arrive after all is waited for again. */
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

/** The step that these leads waited for was taken away by an edit. */
export async function loseStep(client: Statements, leadIds: string[], now: Date): Promise<void> {
  const { rows } = await client.query<MovedLead>(
    moveSql(
      'lose_step',
      {
        to: `'completed'`,
        event: `'edited'`,
        at: '$2',
        sets: { reason: `'The step it waited for was taken away.'` },
      },
      `WHERE l.campaign_lead_id = ANY ($1::uuid[]) AND ${guard('lose_step')} RETURNING ${MOVED}`,
    ),
    [leadIds, now],
  )
  await tellOfEndings(client, rows, now)
}

/** An edit made another step of the one that these leads wait for, or gave it another delay. */
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
 * Leads of a sender that their campaign uses no more get another: `which` is SQL of leads `l` over the values from $1 on.
 * Those done with their steps too, since their owner's word on an uncertain send may bring them back. Answers how many.
 */
export async function rehome(
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

/** Puts leads back where an edit found them. */
export async function putBack(client: Statements, editId: string, leadIds: string[]): Promise<void> {
  const places = [...WAITS, 'mailbox_id', 'connected_account_id', 'social_provider_id', 'social_profile']
  const kept = [...places, 'social_problem', 'last_event', 'last_event_at', 'reason']
  await client.query(
    moveSql(
      'replace',
      { to: 'p.status', sets: Object.fromEntries(kept.map((column) => [column, `p.${column}`])) },
      `FROM campaign_edit_leads e, jsonb_populate_record(NULL::campaign_leads, e.before) p
       WHERE e.edit_id = $1::uuid AND l.campaign_lead_id = e.campaign_lead_id AND ${guard('replace')}
         AND e.campaign_lead_id = ANY ($2::uuid[])`,
    ),
    [editId, leadIds],
  )
}

/**
 * SQL that enrols rows as leads: `rows` is a query of lead_index, email, created_at, due_at, action_type, `reason` (null where
 * somebody is to be acted on; the others are skipped at once) and social_profile.
 */
export const enrolSql = (ids: { campaign_id: string; user_id: string; dataset_id: string }, rows: string) => `
  INSERT INTO campaign_leads (campaign_id, user_id, dataset_id, lead_index, email, status, next_step, next_action_at,
    next_action_type, reason, created_at, social_profile)
  SELECT ${ids.campaign_id}, ${ids.user_id}, ${ids.dataset_id}, n.lead_index, n.email,
    CASE WHEN n.reason IS NULL THEN 'pending' ELSE 'skipped' END::"LeadStatus",
    CASE WHEN n.reason IS NULL THEN 1 END,
    CASE WHEN n.reason IS NULL THEN n.due_at END,
    CASE WHEN n.reason IS NULL THEN n.action_type END,
    n.reason, n.created_at, n.social_profile
  FROM (${rows}) n
  ON CONFLICT (campaign_id, lead_index) DO NOTHING`
