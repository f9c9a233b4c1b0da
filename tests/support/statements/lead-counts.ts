import { sqlList } from '#lib/db/statements'
import { takesText } from '#lib/domain/campaigns/social-step'
import { SOCIAL_ACTION_TYPES } from '#lib/domain/social/social-limits'

/** Stored counts of leads that differ from a count of the leads. */
export const WRONG_LEAD_COUNTS = `
  SELECT campaign_id, status, step, begun, kept.count AS kept, counted.count AS counted
  FROM (SELECT campaign_id, status, step, begun, count FROM lead_counts WHERE count <> 0) kept
  FULL JOIN (SELECT campaign_id, status, coalesce(next_step, 1) AS step, current_step > 0 AS begun, count(*)::int AS count
    FROM campaign_leads GROUP BY 1, 2, 3, 4) counted
  USING (campaign_id, status, step, begun) WHERE kept.count IS DISTINCT FROM counted.count`

const SILENT_SQL = sqlList(SOCIAL_ACTION_TYPES.filter((type) => !takesText(type)))

/**
 * Ended leads whose credited action differs from the one that the ledger gives now: bounces and unsubscribes are credited to mail
 * only; a reply to an action of its channel, one with words before one without, and the latest of these.
 */
export const WRONG_LEAD_ENDINGS = `
  SELECT campaign_lead_id, kept, found
  FROM (SELECT campaign_lead_id, to_jsonb(e) AS kept FROM lead_endings e) kept
  FULL JOIN (SELECT l.campaign_lead_id, jsonb_build_object('campaign_lead_id', l.campaign_lead_id, 'campaign_id', l.campaign_id,
      'workspace_id', l.workspace_id, 'ending', l.status, 'ended_at', l.last_event_at, 'begun', l.current_step > 0, 'step', a.step,
      'variant_label', a.variant_label, 'channel', a.channel, 'refused', a.status = 'failed', 'performed_at', a.performed_at,
      'mailbox_id', a.mailbox_id, 'connected_account_id', a.connected_account_id) AS found
    FROM campaign_leads l
    LEFT JOIN LATERAL (SELECT a.*, row_number() OVER (ORDER BY (a.channel = (SELECT e.channel FROM campaign_events e
        WHERE e.campaign_lead_id = l.campaign_lead_id AND e.kind = 'replied' AND l.status = 'replied'
        ORDER BY e.at, e.event_id LIMIT 1)) IS TRUE DESC, a.action_type IN (${SILENT_SQL}), a.step DESC) AS place
      FROM actions a WHERE a.campaign_lead_id = l.campaign_lead_id
        AND (a.status IN ('sent', 'uncertain') OR a.status = 'failed' AND l.status = 'bounced')
        AND coalesce(a.performed_at <= l.last_event_at, true) AND (l.status = 'replied' OR a.channel = 'email')) a
      ON a.place = 1
    WHERE l.status IN ('replied', 'bounced', 'unsubscribed')) found
  USING (campaign_lead_id) WHERE kept IS DISTINCT FROM found`
