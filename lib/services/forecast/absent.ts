import type { Reader } from '#lib/db/client'
import type { AwayPeople } from '#lib/domain/forecast/explain-wait'
import type { FollowUp } from '#lib/domain/sending/dispatch-state'

/** SQL: lead `l` will be put off at its turn because its person is away, as of $1. */
export const IS_AWAY = `EXISTS (SELECT 1 FROM absences b WHERE b.workspace_id = l.workspace_id AND b.email = l.email
  AND b.until > greatest(l.next_action_at, $1))`

type FirstBack = FollowUp & AwayPeople & { timezone: string | null }

/**
 * For each campaign: the lead whose person is back first, as it will wait from its turn on, and how many
 * people are away.
 */
export async function loadFirstReturns(
  reader: Reader,
  campaignIds: string[],
  now: Date,
): Promise<Map<string, FirstBack>> {
  const { rows } = await reader.query<FirstBack & { campaign_id: string }>(
    `SELECT DISTINCT ON (l.campaign_id) l.campaign_id, l.lead_index, l.next_step AS step,
       (extract(epoch FROM greatest(l.next_action_at, b.until)) * 1000)::float8 AS due_at,
       (extract(epoch FROM greatest(l.next_action_at, b.until)) * 1000)::float8 AS until,
       l.mailbox_id, l.connected_account_id AS account_id, l.timezone, (count(*) OVER (PARTITION BY l.campaign_id))::int AS people
     FROM campaigns c
       JOIN absences b ON b.workspace_id = c.workspace_id AND b.until > $1
       JOIN campaign_leads l ON l.workspace_id = b.workspace_id AND l.email = b.email AND l.campaign_id = c.campaign_id
     WHERE c.campaign_id = ANY ($2) AND l.status IN ('pending', 'active') AND l.next_action_at IS NOT NULL
     ORDER BY l.campaign_id, greatest(l.next_action_at, b.until), l.lead_index`,
    [now, campaignIds],
  )
  return new Map(rows.map(({ campaign_id, ...first }) => [campaign_id, first]))
}
