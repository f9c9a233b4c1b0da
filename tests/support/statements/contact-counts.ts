/** Stored counts of what was sent to leads that differ from the ledger, by days in the workspace's current time zone. */
export const WRONG_CONTACT_COUNTS = `
  WITH sends AS (
    SELECT a.*, k.kind, k.sender_id, w.timezone, (a.performed_at AT TIME ZONE w.timezone)::date AS day
    FROM actions a JOIN workspaces w USING (workspace_id)
    JOIN LATERAL (VALUES ('lead', a.campaign_id, true), ('mail', a.campaign_id, a.channel = 'email'), ('mailbox', a.mailbox_id, true),
      ('account', a.connected_account_id, true)) k (kind, sender_id, counts) ON k.counts AND k.sender_id IS NOT NULL
    WHERE a.status IN ('sent', 'uncertain'))
  SELECT workspace_id, day, campaign_id, kind, sender_id, last_day, kept.count AS kept, counted.count AS counted, kept.sent, counted.sent AS left
  FROM (SELECT * FROM contact_counts WHERE count <> 0 OR sent <> 0) kept
  FULL JOIN (SELECT workspace_id, day, campaign_id, kind, sender_id, last_day, count(*)::int AS count,
      (count(*) FILTER (WHERE status = 'sent'))::int AS sent
    FROM (SELECT s.workspace_id, s.day, s.campaign_id, s.kind, s.sender_id, s.status, coalesce((
        SELECT max((b.performed_at AT TIME ZONE s.timezone)::date) FROM actions b
        WHERE b.campaign_lead_id = s.campaign_lead_id AND b.status IN ('sent', 'uncertain')
          AND (b.performed_at, b.action_id) < (s.performed_at, s.action_id)
          AND CASE s.kind WHEN 'lead' THEN true WHEN 'mail' THEN b.channel = 'email'
            WHEN 'mailbox' THEN b.mailbox_id = s.sender_id ELSE b.connected_account_id = s.sender_id END), '-infinity') AS last_day
      FROM sends s) pairs GROUP BY 1, 2, 3, 4, 5, 6) counted
  USING (workspace_id, day, campaign_id, kind, sender_id, last_day)
  WHERE kept.count IS DISTINCT FROM counted.count OR kept.sent IS DISTINCT FROM counted.sent`
