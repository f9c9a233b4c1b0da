import type { PoolClient } from 'pg'
import type { AnalyticsFilters } from '#lib/contracts/campaigns/workspace-analytics'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { type Counts, tallyTotals } from '#lib/domain/analytics/workspace-analytics'
import { formatDay, loadZone, startOfDay, toDay } from '#lib/domain/calendar/zoned-time'
import type { RecipientProvider } from '#lib/domain/domains/recipient-provider'
import { narrowed } from '#lib/services/campaigns/analytics-filters'
import { countSql } from '#lib/services/campaigns/providers/provider-health'
import { chosenDays } from '#lib/services/campaigns/workspace-analytics'
import { endedSql, leftSql, type TallySpan } from '#lib/services/campaigns/workspace-tally'

type ProviderRow = Counts & { provider: RecipientProvider; deferred: number }

/** Results of the mails of some days by the recipients' provider, all from one snapshot. */
export async function readProviderAnalytics(
  workspaceId: string,
  timezone: string,
  query: AnalyticsFilters,
  now: Date,
) {
  const zone = loadZone(timezone)
  const { first, last } = chosenDays(query, toDay(zone, now.getTime()))
  const span: TallySpan = [
    workspaceId,
    new Date(startOfDay(zone, first)),
    new Date(startOfDay(zone, last + 1)),
  ]
  const rows = await inTransaction(pool(), async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    await client.query("SET LOCAL work_mem = '64MB'")
    return readProviders(client, span, query)
  })
  return {
    timezone,
    from: formatDay(first),
    to: formatDay(last),
    providers: rows
      .map(({ provider, deferred, ...counts }) => ({ provider, deferred, ...tallyTotals([counts]) }))
      .sort((a, b) => b.contacted - a.contacted || b.bounced - a.bounced),
  }
}

const BY_MAIL = `AND a.channel = 'email'`
const PROVIDER = `coalesce(r.provider, 'other') AS provider`
/** Joins a lead's address to the provider of its domain. */
const placed = (email: string) => `LEFT JOIN recipient_domains r ON r.domain = split_part(${email}, '@', 2)`

async function readProviders(client: PoolClient, span: TallySpan, filters: AnalyticsFilters) {
  const only = narrowed(filters, span.length)
  const { rows } = await client.query<ProviderRow>(
    `WITH leads AS MATERIALIZED (
       SELECT a.campaign_lead_id, count(*) FILTER (WHERE a.status = 'sent') AS sent ${leftSql(only)} ${BY_MAIL} GROUP BY 1),
     contacted AS (
       SELECT ${PROVIDER}, sum(leads.sent)::int AS sent, count(*)::int AS contacted
       FROM leads JOIN campaign_leads l ON l.workspace_id = $1 AND l.campaign_lead_id = leads.campaign_lead_id
         ${placed('l.email')} GROUP BY 1),
     ended AS (
       SELECT ${PROVIDER}, ${countSql('replied')}, ${countSql('bounced')}, ${countSql('unsubscribed')},
         count(*) FILTER (WHERE h.is_refused)::int AS refused
       FROM (SELECT a.campaign_lead_id, a.ending::text AS what, a.refused AS is_refused ${endedSql(only)} ${BY_MAIL}) h
         JOIN campaign_leads l ON l.workspace_id = $1 AND l.campaign_lead_id = h.campaign_lead_id ${placed('l.email')} GROUP BY 1),
     deferred AS (
       SELECT ${PROVIDER}, count(*)::int AS deferred
       FROM campaigns c JOIN campaign_events e ON e.campaign_id = c.campaign_id AND e.at >= $2 AND e.at < $3
         AND e.kind = 'retry' AND e.channel = 'email' AND e.detail ->> 'outcome' = 'refused_for_now'
         JOIN actions a ON a.campaign_lead_id = e.campaign_lead_id AND a.step = e.step
         JOIN campaign_leads l ON l.campaign_lead_id = e.campaign_lead_id ${placed('l.email')}
       WHERE c.workspace_id = $1 ${only.campaigns('c')} ${only.actions} GROUP BY 1)
     SELECT provider, coalesce(c.sent, 0) AS sent, coalesce(c.contacted, 0) AS contacted, coalesce(c.contacted, 0) AS mailed,
       coalesce(e.refused, 0) AS refused, coalesce(e.replied, 0) AS replied, coalesce(e.bounced, 0) AS bounced,
       coalesce(e.unsubscribed, 0) AS unsubscribed, coalesce(d.deferred, 0) AS deferred
     FROM contacted c FULL JOIN ended e USING (provider) FULL JOIN deferred d USING (provider)`,
    [...span, ...only.values],
  )
  return rows
}
