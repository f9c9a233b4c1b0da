import { sqlList } from '#lib/db/statements'
import { type LeadVerb, leadMove, mayWait, WAITS } from '#lib/domain/leads/lead-moves'
import { LEAD_REASON_NAMES, LISTED_REASONS, TOLD_REASONS } from '#lib/domain/leads/lead-reasons'

/*
 * The only place that builds statements changing the state of leads, used only by the files in this folder.
 * The campaign of each lead must be locked. Allowed transitions come from the domain's table; a finished lead
 * waits for nothing, whatever the caller passes. Each statement also writes the decision log of the leads and
 * emits the events of their endings.
 */

/** SQL: whether lead `l` may make this move. */
export function guard(by: LeadVerb): string {
  const { from } = leadMove(by)
  const statuses = from.filter((status) => status !== 'stopped')
  const ways = [
    ...(statuses.length > 0 ? [`l.status IN (${sqlList(statuses)})`] : []),
    ...(from.includes('stopped') ? [`l.status = 'skipped' AND l.last_event = 'stopped'`] : []),
  ]
  return `(${ways.join(' OR ')})`
}

/** SQL: the reason columns. A known reason is stored as such; any other text becomes `reason_detail`. */
export function reasonSets(said: string, event = 'NULL'): { reason: string; reason_detail: string } {
  if (said === 'NULL') return { reason: 'NULL', reason_detail: 'NULL' }
  const isKnown = `${said} IN (${sqlList(LEAD_REASON_NAMES)})`
  const listed = `split_part(${said}, ': ', 1)`
  const isListed = `${listed} IN (${sqlList(LISTED_REASONS)})`
  return {
    reason: `(CASE WHEN ${said} IS NULL THEN NULL WHEN ${isKnown} THEN ${said} WHEN ${isListed} THEN ${listed}
      WHEN (${event})::text IN (${sqlList(TOLD_REASONS)}) THEN (${event})::text ELSE 'other' END)::"LeadReason"`,
    reason_detail: `CASE WHEN ${isKnown} THEN NULL
      WHEN ${isListed} THEN nullif(substr(${said}, length(${listed}) + 3), '') ELSE ${said} END`,
  }
}

type Said = { to: string; event?: string; at?: string; sets?: Record<string, string> }

/**
 * SQL: moves leads `l` to a status (SQL). What a lead waits for is kept only if the table's target statuses
 * wait.
 */
export function moveSql(by: LeadVerb, { to, event, at, sets = {} }: Said, rest: string): string {
  const targets = leadMove(by).to
  const waits = WAITS.flatMap((column) => {
    const wanted = sets[column] ?? `l.${column}`
    if (!targets.some(mayWait)) return [`${column} = NULL`]
    if (targets.every(mayWait)) return column in sets ? [`${column} = ${wanted}`] : []
    return [`${column} = CASE WHEN (${to})::text IN ('pending', 'active') THEN ${wanted} END`]
  })
  const why = sets.reason !== undefined && !('reason_detail' in sets) ? reasonSets(sets.reason, event) : {}
  const others = Object.entries({ ...sets, ...why }).flatMap(([column, sql]) =>
    WAITS.some((one) => one === column) ? [] : [`${column} = ${sql}`],
  )
  const said = event ? [`last_event = (${event})::"LeadEvent"`, `last_event_at = ${at}`] : []
  return `UPDATE campaign_leads l SET status = (${to})::"LeadStatus", ${[...waits, ...said, ...others].join(', ')} ${rest}`
}

/** SQL: the sender whose queue a lead waits in, by the channel of its next step. */
export const SENDER = (channel: string) =>
  `CASE WHEN ${channel} = 'email' THEN l.mailbox_id ELSE l.connected_account_id END`

export const columns = <Row>(rows: readonly Row[], ...picks: ((row: Row) => unknown)[]) =>
  picks.map((pick) => rows.map(pick))

export type Campaign = { campaign_id: string; workspace_id: string }

/** The step that a lead waits for, since when it is due, and its kind of action. */
type Next = { step: number; due_at: Date; action_type: string | null }
export type Stands = { campaign_lead_id: string; next: Next | null }
