import { sqlList } from '#lib/db/statements'
import { type LeadVerb, leadMove, mayWait, WAITS } from '#lib/domain/leads/lead-moves'
import { LEAD_REASON_NAMES, LISTED_REASONS, TOLD_REASONS } from '#lib/domain/leads/lead-reasons'

/*
 * The only writer of where leads stand: every statement is made here, and used by the files beside this one alone. The
 * campaign of each lead is locked already. Guard and target come from the table of domain; a lead that is over waits for
 * nothing, whatever is said of it; the decision log of what concerns leads alone, and what is told of their endings, is
 * written with it.
 */

/** SQL: whether a lead `l` may be moved so. */
export function guard(by: LeadVerb): string {
  const { from } = leadMove(by)
  const statuses = from.filter((status) => status !== 'stopped')
  const ways = [
    ...(statuses.length > 0 ? [`l.status IN (${sqlList(statuses)})`] : []),
    ...(from.includes('stopped') ? [`l.status = 'skipped' AND l.last_event = 'stopped'`] : []),
  ]
  return `(${ways.join(' OR ')})`
}

/** SQL of the columns that say why: a reason of the table is itself, any other words stand beside what happened. */
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

/** SQL that moves leads `l` to a status, itself SQL: what it waits for stands only where the table's targets wait. */
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

/** Whose queue a lead waits in, by the channel of its next step. */
export const SENDER = (channel: string) =>
  `CASE WHEN ${channel} = 'email' THEN l.mailbox_id ELSE l.connected_account_id END`

export const columns = <Row>(rows: readonly Row[], ...picks: ((row: Row) => unknown)[]) =>
  picks.map((pick) => rows.map(pick))

export type Campaign = { campaign_id: string; workspace_id: string }

/** The step that a lead waits for from now on, since when, and in whose queue. */
type Next = { step: number; due_at: Date; action_type: string | null }
export type Stands = { campaign_lead_id: string; next: Next | null }
