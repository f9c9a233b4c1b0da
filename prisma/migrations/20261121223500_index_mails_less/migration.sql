-- Each mail moves its action twice, and every index is written anew each time. A Message-ID of ours names its action by
-- itself: looked up are only a social message's, and an id that a mail server gave instead.
DROP INDEX "actions_user_id_message_id_idx";
DROP INDEX "actions_user_id_server_message_id_idx";
CREATE INDEX "actions_social_message" ON "actions" ("user_id", "message_id")
  WHERE "channel" = 'social' AND "message_id" IS NOT NULL;
CREATE INDEX "actions_server_message" ON "actions" ("user_id", "server_message_id") WHERE "server_message_id" IS NOT NULL;

-- Of many leads that end at once, the owner's webhooks are asked for once.
CREATE OR REPLACE FUNCTION tell_of_leads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM new_rows n JOIN old_rows o USING (campaign_lead_id)
      WHERE n.status <> o.status AND n.status IN ('bounced', 'completed')) THEN
    RETURN NULL;
  END IF;
  IF EXISTS (SELECT 1 FROM webhooks WHERE enabled AND user_id = ANY (ARRAY(SELECT DISTINCT user_id FROM new_rows))) THEN
    INSERT INTO webhook_events (user_id, type, at, data)
    SELECT n.user_id, 'lead.' || n.status, coalesce(n.last_event_at, now()), jsonb_build_object(
      'campaign_id', n.campaign_id, 'campaign_lead_id', n.campaign_lead_id, 'email', n.email, 'lead_index', n.lead_index,
      'step', n.current_step, 'reason', n.reason)
    FROM new_rows n JOIN old_rows o USING (campaign_lead_id)
    WHERE n.status <> o.status AND n.status IN ('bounced', 'completed') AND n.last_event IS DISTINCT FROM 'hard_bounce'
      AND webhook_asks(n.user_id, 'lead.' || n.status);
  END IF;
  INSERT INTO notifications (user_id, kind, campaign_id, campaign_lead_id, data)
  SELECT n.user_id, 'bounce', n.campaign_id, n.campaign_lead_id,
    jsonb_build_object('email', n.email, 'reason', left(n.reason, 200))
  FROM new_rows n JOIN old_rows o USING (campaign_lead_id)
  WHERE n.status <> o.status AND n.status = 'bounced' AND n.last_event IS DISTINCT FROM 'hard_bounce';
  RETURN NULL;
END $$;
