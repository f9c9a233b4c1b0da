import { pool } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import { funnelRates } from '#lib/domain/analytics/campaign-rates'
import type { Rate } from '#lib/domain/analytics/statistics'
import { hasSocial } from '#lib/services/campaigns/social-results'

type Listed = Parameters<typeof hasSocial>[0] & { replied_count: number; bounced_count: number }
type Counted = { campaign_id: string; contacted: number; mailed: number; refused: number }

export type ListedRates = Record<'reply_rate' | 'bounce_rate', Rate>

/** The rates of a page of campaigns, as the analytics of each have them: all of the kept counts, in one statement. */
export async function readListedRates(
  workspaceId: string,
  campaigns: Listed[],
): Promise<Map<string, ListedRates>> {
  if (campaigns.length === 0) return new Map()
  const ids = campaigns.map(({ campaign_id }) => campaign_id)
  const { rows } = await pool().query<Counted>(prepared(COUNTED_SQL, [workspaceId, ids]))
  const counts = new Map(rows.map((row) => [row.campaign_id, row]))
  return new Map(
    campaigns.flatMap((campaign) => {
      const sums = counts.get(campaign.campaign_id)
      if (!sums) return []
      const { contacted, refused } = sums
      const { reply_rate, bounce_rate } = funnelRates({
        contacted,
        refused,
        mailed: hasSocial(campaign) ? sums.mailed : contacted,
        replied: campaign.replied_count,
        bounced: campaign.bounced_count,
        unsubscribed: 0,
        invitations: null,
      })
      return [[campaign.campaign_id, { reply_rate, bounce_rate }]]
    }),
  )
}

// Whom a first mail left for stands once in the days, with no day before it.
const COUNTED_SQL = `
  SELECT c.campaign_id,
    (coalesce((SELECT sum(k.count) FROM lead_counts k WHERE k.campaign_id = c.campaign_id AND k.begun
       AND k.status NOT IN ('pending', 'skipped')), 0) + e.early)::int AS contacted,
    coalesce((SELECT sum(k.count) FROM contact_counts k WHERE k.campaign_id = c.campaign_id AND k.kind = 'mail'
       AND k.last_day = '-infinity'), 0)::int AS mailed,
    e.refused
  FROM campaigns c, LATERAL (
    SELECT (count(*) FILTER (WHERE NOT begun AND NOT refused))::int AS early, (count(*) FILTER (WHERE refused))::int AS refused
    FROM lead_endings WHERE campaign_id = c.campaign_id) e
  WHERE c.workspace_id = $1 AND c.campaign_id = ANY ($2::uuid[])`
