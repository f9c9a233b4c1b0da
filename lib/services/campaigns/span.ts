import type { PoolClient } from 'pg'
import { spanOfDays } from '#lib/domain/calendar/day-span'
import type { ScheduleRules } from '#lib/domain/calendar/schedule'

/** The period whose actions count, from `after` (inclusive) to `before` (exclusive), as Postgres reads instants. */
export type Span = { after: string; before: string }

export const ALL_TIME: Span = { after: '-infinity', before: 'infinity' }

export function resolveSpan(campaign: ScheduleRules, from?: string, to?: string): Span {
  const { after, before } = spanOfDays(campaign, from, to)
  return {
    after: after === null ? ALL_TIME.after : new Date(after).toISOString(),
    before: before === null ? ALL_TIME.before : new Date(before).toISOString(),
  }
}

/**
 * SQL over the contact counts `k`: how many leads were contacted at all, or by mail. A lead's first contact is the row whose `last_day` is
 * -infinity.
 */
export const contactedSql = (kind: 'lead' | 'mail') =>
  `coalesce(sum(k.count) FILTER (WHERE k.kind = '${kind}' AND k.last_day = '-infinity'), 0)::int`

type Ended = Record<'replied' | 'bounced' | 'unsubscribed', number>

/**
 * The funnel of a span: leads with an action in it, by outcome. `ended` holds the endings credited to actions in the span. A lead that
 * ended through an action outside the span counts as waiting.
 */
export async function countLeadsIn(client: PoolClient, campaignId: string, span: Span, ended: Ended) {
  const { rows } = await client.query<Record<'total' | 'contacted' | 'failed' | 'completed', number>>(
    `SELECT count(*)::int AS total, count(*) FILTER (WHERE a."left")::int AS contacted,
       count(*) FILTER (WHERE l.status = 'failed')::int AS failed,
       count(*) FILTER (WHERE l.status = 'completed')::int AS completed
     FROM (SELECT campaign_lead_id, bool_or(status IN ('sent', 'uncertain')) AS "left" FROM actions
       WHERE campaign_id = $1 AND performed_at >= $2 AND performed_at < $3
         AND status IN ('sent', 'uncertain', 'failed', 'skipped')
       GROUP BY campaign_lead_id) a
     JOIN campaign_leads l USING (campaign_lead_id)`,
    [campaignId, span.after, span.before],
  )
  const { total = 0, contacted = 0, failed = 0, completed = 0 } = rows[0] ?? {}
  const over = failed + completed + ended.replied + ended.bounced + ended.unsubscribed
  return { total, contacted, ...ended, failed, completed, skipped: 0, waiting: total - over }
}
