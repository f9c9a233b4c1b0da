import type { CampaignModel } from '#lib/db/generated/models'
import type { InputJsonObject } from '#lib/db/json'
import { jsonText } from '#lib/db/json-text'
import { prepared } from '#lib/db/prepared'
import { type Statements, sqlList } from '#lib/db/statements'
import {
  type CampaignStatus,
  type CampaignVerb,
  KEPT_WHILE,
  listMoves,
  statusAfter,
} from '#lib/domain/campaigns/campaign-status'
import type { PauseReason } from '#lib/domain/campaigns/pause-reasons'
import { typedKeys } from '#lib/domain/text/record'
import { type CampaignLogKind, type Logged, logged, writeLog } from '#lib/services/campaigns/decision-log'
import { type MovedCampaign, tellOfCampaigns } from '#lib/services/campaigns/told'

/*
 * The only writer of campaigns' status. Guard and target come from the domain's transition table, fields the new status does not
 * keep are cleared, and the decision log and notifications are written in the same transaction.
 */

/** SQL: whether `verb` may take a campaign in this status, and where to. */
const may = (verb: CampaignVerb, status: string) =>
  `${status} IN (${sqlList(listMoves(verb).map(([from]) => from))})`
const target = (verb: CampaignVerb, status: string) =>
  `CASE ${status} ${listMoves(verb)
    .map(([from, to]) => `WHEN '${from}' THEN '${to}'`)
    .join(' ')} ELSE ${status} END`

/**
 * SQL that moves the campaigns of `moves`, a query of campaign_id, was and status. `sets` gives SQL for other columns, over `c` and
 * `moves` as `m`. Columns that the new status does not keep are cleared regardless.
 */
function moveSql(moves: string, sets: Record<string, string> = {}): string {
  const kept = Object.entries(KEPT_WHILE).map(
    ([column, statuses]) =>
      `${column} = CASE WHEN m.status IN (${sqlList(statuses)}) THEN ${sets[column] ?? `c.${column}`} END`,
  )
  const others = Object.entries(sets).flatMap(([column, sql]) =>
    column in KEPT_WHILE ? [] : `${column} = ${sql}`,
  )
  return `UPDATE campaigns c SET status = m.status, ${[...kept, ...others].join(', ')}
    FROM (${moves}) m WHERE c.campaign_id = m.campaign_id AND c.status = m.was`
}

/** Further details of a transition. */
type Facts = Partial<
  Pick<CampaignModel, 'launch_type' | 'start_date' | 'launch_job_id' | 'launch_requested_at' | 'launched_at'>
>
const FACTS = {
  launch_type: '"LaunchType"',
  start_date: 'timestamptz',
  launch_job_id: 'text',
  launch_requested_at: 'timestamptz',
  launched_at: 'timestamptz',
} as const satisfies Record<keyof Facts, string>

type Move = {
  /** A verb of the transition table, or the target status of a resume. */
  by: CampaignVerb | { resume: CampaignStatus }
  facts?: Facts
  paused_reason?: PauseReason
  launch_error?: string
  log?: { kind: CampaignLogKind; reason?: string | null; detail?: InputJsonObject } | null
}

type One = { campaign_id: string; workspace_id?: string; status: CampaignStatus }

/**
 * Moves one campaign if it still has the status the decision was based on. Null if it has another one by now, or the table refuses.
 * A campaign that may send afterwards is due at once.
 */
export async function moveCampaign(
  client: Statements,
  { campaign_id, workspace_id, status: was }: One,
  { by, facts = {}, paused_reason, launch_error, log }: Move,
  now: Date,
): Promise<CampaignModel | null> {
  const to = typeof by === 'string' ? statusAfter(by, was) : by.resume
  if (to === null) return null
  const names = typedKeys(facts)
  const { rows } = await client.query<MovedCampaign>(
    `${moveSql(
      `SELECT $1::uuid AS campaign_id, $2::"CampaignStatus" AS was, $3::"CampaignStatus" AS status`,
      {
        paused_from: 'm.was',
        paused_reason: '$4::"PauseReason"',
        launch_error: '$5',
        next_slot_at: '$6::timestamptz',
        updated_at: '$6',
        ...Object.fromEntries(names.map((name, at) => [name, `$${at + 8}::${FACTS[name]}`])),
      },
    )} AND ($7::uuid IS NULL OR c.workspace_id = $7) RETURNING c.*, m.was`,
    [
      campaign_id,
      was,
      to,
      paused_reason ?? null,
      launch_error ?? null,
      now,
      workspace_id ?? null,
      ...names.map((name) => facts[name] ?? null),
    ],
  )
  const [row] = rows
  if (!row) return null
  await announce(client, rows, log ? [logged(row, log.kind, now, log)] : [], now)
  return row
}

async function announce(client: Statements, rows: MovedCampaign[], log: Logged[], now: Date): Promise<void> {
  await writeLog(client, log)
  await tellOfCampaigns(client, rows, now)
}

type Pause = { campaign_id: string; reason: PauseReason; detail?: InputJsonObject }

/** Pauses those of the (locked) campaigns that the verb may pause; returns which. */
export async function pauseCampaigns(
  client: Statements,
  by: 'pause' | 'halt',
  pauses: Pause[],
  now: Date,
): Promise<string[]> {
  if (pauses.length === 0) return []
  const { rows } = await client.query<MovedCampaign>(
    `${moveSql(
      `SELECT campaign_id, status AS was, ${target(by, 'status')} AS status, reason
       FROM campaigns JOIN unnest($1::uuid[], $2::"PauseReason"[]) p (campaign_id, reason) USING (campaign_id)
       WHERE ${may(by, 'status')} AND status <> 'paused'`,
      { paused_from: 'm.was', paused_reason: 'm.reason' },
    )} RETURNING c.*, m.was`,
    [pauses.map((pause) => pause.campaign_id), pauses.map((pause) => pause.reason)],
  )
  const details = new Map(pauses.map((pause) => [pause.campaign_id, pause.detail]))
  const log = rows.map((row) => {
    const detail = details.get(row.campaign_id)
    return logged(row, 'paused', now, { reason: row.paused_reason, ...(detail && { detail }) })
  })
  await announce(client, rows, log, now)
  return rows.map((row) => row.campaign_id)
}

/** Turns a temporary pause into a pause by the owner; null if the campaign was resumed, or paused for another reason, meanwhile. */
export async function keepPaused(
  client: Statements,
  campaign_id: string,
  passing: PauseReason,
  now: Date,
): Promise<CampaignModel | null> {
  const { rows } = await client.query<CampaignModel>(
    `UPDATE campaigns SET paused_reason = 'user', updated_at = $3
     WHERE campaign_id = $1 AND status = 'paused' AND paused_reason = $2::"PauseReason" RETURNING *`,
    [campaign_id, passing, now],
  )
  const [row] = rows
  if (!row) return null
  await writeLog(client, [logged(row, 'paused', now, { reason: 'user' })])
  return row
}

/**
 * Pauses every campaign that may send, in a restored database. Its tables have the backup's version, so only the status is written.
 * Returns how many there were.
 */
export async function pauseRestored(client: Statements): Promise<number> {
  const moves = `SELECT campaign_id, status AS was, ${target('pause', 'status')} AS status FROM campaigns
    WHERE ${may('pause', 'status')} AND status <> 'paused'`
  const sql = moveSql(moves, {
    paused_from: 'm.was',
    paused_reason: `CASE WHEN true THEN 'restored' ELSE c.paused_reason END`,
  })
  const { rows } = await client.query(`${sql} RETURNING 1`)
  return rows.length
}

const DONE = 'processed_leads >= coalesce(total_leads, 0)'
const SETTLE = `${moveSql(
  `SELECT campaign_id, status AS was,
     CASE WHEN ${DONE} THEN ${target('complete', 'status')} ELSE ${target('drain', 'status')} END AS status
   FROM campaigns s WHERE campaign_id = ANY ($1) AND (
     ${may('complete', 'status')} AND ${DONE}
     OR ${may('drain', 'status')} AND NOT EXISTS (
         SELECT 1 FROM campaign_leads l WHERE l.campaign_id = s.campaign_id AND l.status = 'pending')
       AND NOT EXISTS (SELECT 1 FROM campaign_leads l
         WHERE l.campaign_id = s.campaign_id AND l.status = 'active' AND l.next_step = 1))`,
  { completed_at: '$2::timestamptz' },
)} RETURNING c.*, m.was`

/**
 * Moves campaigns on as their leads do: no lead pending or active → completed; every lead past its first step or ended → draining. A
 * lead that waits before its first step (for a text, for a sender, under way) keeps its campaign active. Reads one row per campaign,
 * since triggers keep the counters.
 */
export async function settleCampaigns(client: Statements, campaignIds: string[], now: Date): Promise<void> {
  if (campaignIds.length === 0) return
  const { rows } = await client.query<MovedCampaign>(prepared(SETTLE, [campaignIds, now]))
  await tellOfCampaigns(client, rows, now)
}

/**
 * SQL that reopens campaigns with leads to send to, in a statement with a CTE `due` (campaign_id, at, is_new). New leads make a draining or
 * completed campaign active; others make a completed one draining. A paused one will resume to that status.
 */
export const GOES_ON = `${moveSql(
  `SELECT campaign_id, status AS was, at, is_new, CASE WHEN is_new THEN ${target('restart', 'status')}
     ELSE ${target('reopen', 'status')} END AS status FROM campaigns JOIN due USING (campaign_id)
   WHERE status IN ('active', 'draining', 'completed', 'paused')`,
  {
    paused_from: `CASE WHEN m.is_new THEN ${target('restart', 'c.paused_from')} ELSE c.paused_from END`,
    next_slot_at: 'least(c.next_slot_at, m.at)',
  },
)} RETURNING c.campaign_id, c.workspace_id, m.was`

export type WentOn = { campaign_id: string; workspace_id: string; was: CampaignStatus }

/**
 * SQL: whether a campaign `c` has social steps but its account was deleted. This can only happen to a completed campaign: an account of a
 * running one cannot be deleted.
 */
export const LACKS_ACCOUNT = `(c.connected_account_id IS NOT NULL AND c.steps_config @> '[{"channel": "social"}]'
  AND NOT EXISTS (SELECT 1 FROM connected_accounts a WHERE a.account_id = c.connected_account_id))`

/**
 * Logs the completed campaigns that `GOES_ON` reopened, with the reason. A campaign whose account was deleted is paused until its owner
 * chooses another account; otherwise its social steps would wait forever.
 */
export async function onReopened(client: Statements, rows: WentOn[], why: string, now: Date): Promise<void> {
  const reopened = rows.filter(({ was }) => was === 'completed')
  if (reopened.length === 0) return
  await writeLog(
    client,
    reopened.map((row) => logged(row, 'reopened', now, { reason: why })),
  )
  const { rows: lacking } = await client.query<{ campaign_id: string }>(
    `SELECT c.campaign_id FROM campaigns c WHERE c.campaign_id = ANY ($1) AND ${LACKS_ACCOUNT}`,
    [reopened.map((row) => row.campaign_id)],
  )
  const reason = 'sender_disconnected' as const
  await pauseCampaigns(
    client,
    'halt',
    lacking.map((row) => ({ ...row, reason })),
    now,
  )
}

/** `GOES_ON` as a statement of its own, for one campaign. */
export async function goOn(
  client: Statements,
  due: { campaign_id: string; at: Date; is_new: boolean },
  why: string,
  now: Date,
): Promise<void> {
  const { rows } = await client.query<WentOn>(
    `WITH due AS (SELECT $1::uuid AS campaign_id, $2::timestamptz AS at, $3::boolean AS is_new) ${GOES_ON}`,
    [due.campaign_id, due.at, due.is_new],
  )
  await onReopened(client, rows, why, now)
}

/** Makes running campaigns due at an instant, unless they are due earlier. */
export async function wakeCampaigns(client: Statements, campaignIds: string[], at: Date): Promise<void> {
  await client.query(
    prepared(
      `UPDATE campaigns SET next_slot_at = $2 WHERE campaign_id = ANY ($1::uuid[])
       AND status IN (${sqlList(KEPT_WHILE.next_slot_at)}) AND (next_slot_at IS NULL OR next_slot_at > $2)`,
      [campaignIds, at],
    ),
  )
}

type Pace = {
  next_slot_at: number | null
  pace: { last_action: { at: number; lead_index: number; step: number } | null }
}

/** SQL that stores a claim's result in a running, locked campaign: its last action and its next slot. */
export const PACE = `UPDATE campaigns SET next_slot_at = $2, last_action_at = $3, last_action_lead_index = $4, last_action_step = $5,
  member_shares = coalesce($6, member_shares) WHERE campaign_id = $1`

/** The parameters of `PACE`, $1 to $6. `shares`: the members' lead counts, if members take turns. */
export const paceValues = (campaignId: string, { next_slot_at, pace }: Pace, shares?: object | null) => [
  campaignId,
  next_slot_at === null ? null : new Date(next_slot_at),
  pace.last_action && new Date(pace.last_action.at),
  pace.last_action?.lead_index ?? null,
  pace.last_action?.step ?? null,
  shares ? jsonText(shares) : null,
]
