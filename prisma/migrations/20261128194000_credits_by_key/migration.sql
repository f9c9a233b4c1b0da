-- Leads that end are read by their key. Where few had ended when its connection planned it, the statement read the index of all
-- that ever did, of every workspace, for each reply that came in. OFFSET 0 keeps the condition on the status outside. Planned once:
-- of a list of one lead Postgres thinks that a plan of its own is cheaper, and planning took twice as long as what it saved.
CREATE OR REPLACE FUNCTION credit_endings(leads uuid[]) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  DELETE FROM lead_endings WHERE campaign_lead_id = ANY (leads);
  INSERT INTO lead_endings (campaign_lead_id, campaign_id, workspace_id, ending, ended_at, begun, step, variant_label, channel, refused,
    performed_at, mailbox_id, connected_account_id)
  SELECT l.campaign_lead_id, l.campaign_id, l.workspace_id, l.status, l.last_event_at, l.current_step > 0, a.step, a.variant_label,
    a.channel, a.status = 'failed', a.performed_at, a.mailbox_id, a.connected_account_id
  FROM (SELECT * FROM campaign_leads WHERE campaign_lead_id = ANY (leads) OFFSET 0) l
  LEFT JOIN LATERAL (SELECT e.channel FROM campaign_events e
    WHERE e.campaign_lead_id = l.campaign_lead_id AND e.kind = 'replied' ORDER BY e.at, e.event_id LIMIT 1) came ON l.status = 'replied'
  LEFT JOIN LATERAL (SELECT * FROM actions
    WHERE campaign_lead_id = l.campaign_lead_id
      AND (status IN ('sent', 'uncertain') OR status = 'failed' AND l.status = 'bounced')
      AND (l.last_event_at IS NULL OR performed_at <= l.last_event_at)
      AND (l.status = 'replied' OR channel = 'email')
    ORDER BY (channel = came.channel) IS TRUE DESC,
      action_type NOT IN ('visit_profile', 'follow', 'like_post', 'endorse', 'withdraw_invitation') DESC, step DESC LIMIT 1) a ON true
  WHERE l.status IN ('replied', 'bounced', 'unsubscribed');
END $$;

ALTER FUNCTION credit_locked(uuid[]) SET plan_cache_mode = force_generic_plan;
