import { pool } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import { funnelRates } from '#lib/domain/analytics/campaign-rates'
import type { Rate } from '#lib/domain/analytics/statistics'
import { hasSocial } from '#lib/services/campaigns/social-results'
import { contactedSql } from '#lib/services/campaigns/span'

type Listed = Parameters<typeof hasSocial>[0]
type Counted = {
  campaign_id: string
  contacted: number
  mailed: number
  replied: number
  bounced: number
  refused: number
}

export type ListedRates = Record<'reply_rate' | 'bounce_rate', Rate>

/** The rates of a page of campaigns, equal to those of their analytics, from the maintained counts in one statement. */
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
      const { contacted, refused, replied, bounced } = sums
      const { reply_rate, bounce_rate } = funnelRates({
        contacted,
        refused,
        mailed: hasSocial(campaign) ? sums.mailed : contacted,
        replied,
        bounced,
        unsubscribed: 0,
        invitations: null,
      })
      return [[campaign.campaign_id, { reply_rate, bounce_rate }]]
    }),
  )
}

/** SQL: counts leads that ended this way and whose end is credited to an action. */
const credited = (ending: 'replied' | 'bounced') =>
  `(count(*) FILTER (WHERE ending = '${ending}' AND performed_at IS NOT NULL))::int AS ${ending}`

const COUNTED_SQL = `
  SELECT c.campaign_id, k.contacted, k.mailed, e.*
  FROM campaigns c, LATERAL (
    SELECT ${contactedSql('lead')} AS contacted, ${contactedSql('mail')} AS mailed
    FROM contact_counts k WHERE k.campaign_id = c.campaign_id) k, LATERAL (
    SELECT ${credited('replied')}, ${credited('bounced')}, (count(*) FILTER (WHERE refused))::int AS refused
    FROM lead_endings WHERE campaign_id = c.campaign_id) e
  WHERE c.workspace_id = $1 AND c.campaign_id = ANY ($2::uuid[])`
