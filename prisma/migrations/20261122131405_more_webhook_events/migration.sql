-- Told once: of a message its first open and click, of an invitation that it was accepted, of a limit each day.
CREATE UNIQUE INDEX "webhook_events_of_action" ON "webhook_events"("type", ("data" ->> 'action_id'))
  WHERE "type" IN ('lead.opened', 'lead.clicked', 'invitation.accepted');
CREATE UNIQUE INDEX "webhook_events_of_limit" ON "webhook_events"("user_id",
  (coalesce("data" ->> 'mailbox_id', "data" ->> 'account_id', "data" ->> 'campaign_id')),
  (coalesce("data" ->> 'action_type', '')), ("data" ->> 'day')) WHERE "type" = 'limit.reached';

-- A click waits until it is known to be no part of a burst: by then those of programs have been taken back.
CREATE OR REPLACE FUNCTION fan_out_webhook_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, event_id, user_id, next_attempt_at)
  SELECT w.webhook_id, n.event_id, n.user_id,
    CASE n.type WHEN 'lead.clicked' THEN now() + interval '11 seconds' ELSE now() END
  FROM new_rows n JOIN webhooks w ON w.user_id = n.user_id AND w.enabled AND n.type = ANY (w.event_types)
  ORDER BY n.at, n.event_id;
  RETURN NULL;
END $$;

CREATE FUNCTION tell_of_tracking() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event_type text := CASE NEW.kind WHEN 'open' THEN 'lead.opened' ELSE 'lead.clicked' END;
BEGIN
  IF webhook_asks(NEW.user_id, event_type) THEN
    INSERT INTO webhook_events (user_id, type, at, data)
    SELECT NEW.user_id, event_type, NEW.first_at, jsonb_build_object(
      'campaign_id', NEW.campaign_id, 'campaign_lead_id', NEW.campaign_lead_id, 'email', l.email,
      'lead_index', l.lead_index, 'step', NEW.step, 'action_id', NEW.action_id, 'url', NEW.url)
    FROM campaign_leads l WHERE l.campaign_lead_id = NEW.campaign_lead_id
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tell_of_tracking AFTER INSERT ON "tracking_events"
  FOR EACH ROW WHEN (NEW.class = 'human') EXECUTE FUNCTION tell_of_tracking();

CREATE FUNCTION tell_of_acceptance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF webhook_asks(NEW.user_id, 'invitation.accepted') THEN
    INSERT INTO webhook_events (user_id, type, at, data)
    SELECT NEW.user_id, 'invitation.accepted', coalesce(NEW.connected_at, now()), jsonb_build_object(
      'campaign_id', l.campaign_id, 'campaign_lead_id', l.campaign_lead_id, 'email', l.email,
      'lead_index', l.lead_index, 'step', a.step, 'action_id', a.action_id, 'account_id', NEW.account_id,
      'name', NEW.name, 'handle', NEW.handle)
    FROM campaign_leads l JOIN actions a USING (campaign_lead_id)
    WHERE l.connected_account_id = NEW.account_id AND l.social_provider_id = NEW.provider_id
      AND a.connected_account_id = NEW.account_id AND a.action_type = 'connection_request'
      AND a.status IN ('sent', 'uncertain') AND a.performed_at <= coalesce(NEW.connected_at, now())
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tell_of_acceptance AFTER UPDATE OF "relation" ON "social_people"
  FOR EACH ROW WHEN (OLD.relation <> 'connected' AND NEW.relation = 'connected') EXECUTE FUNCTION tell_of_acceptance();

CREATE FUNCTION tell_of_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF webhook_asks(NEW.user_id, 'run.finished') THEN
    INSERT INTO webhook_events (user_id, type, at, data) VALUES (NEW.user_id, 'run.finished', now(), jsonb_build_object(
      'run_id', NEW.run_id, 'dataset_id', NEW.dataset_id, 'campaign_id', NEW.campaign_id, 'step', NEW.step,
      'status', NEW.status, 'total', NEW.total, 'generated_count', NEW.generated_count,
      'failed_count', NEW.failed_count, 'flagged_count', NEW.flagged_count, 'error', NEW.error));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tell_of_run AFTER UPDATE OF "status" ON "personalization_runs"
  FOR EACH ROW WHEN (OLD.status IN ('queued', 'running') AND NEW.status NOT IN ('queued', 'running'))
  EXECUTE FUNCTION tell_of_run();

CREATE OR REPLACE FUNCTION tell_of_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM new_rows WHERE kind IN ('replied', 'complained', 'unsubscribed', 'held')) THEN
    RETURN NULL;
  END IF;
  INSERT INTO webhook_events (user_id, type, at, data)
  SELECT n.user_id, 'lead.' || n.kind, n.at, jsonb_build_object(
    'campaign_id', n.campaign_id, 'campaign_lead_id', n.campaign_lead_id, 'email', l.email, 'lead_index', l.lead_index,
    'step', n.step, 'reason', n.reason, 'channel', n.channel) || n.detail
  FROM new_rows n JOIN campaign_leads l USING (campaign_lead_id)
  WHERE n.kind IN ('replied', 'complained', 'unsubscribed', 'held') AND webhook_asks(n.user_id, 'lead.' || n.kind);
  INSERT INTO notifications (user_id, kind, campaign_id, campaign_lead_id, data)
  SELECT n.user_id, CASE n.kind WHEN 'replied' THEN 'reply' ELSE 'complaint' END, n.campaign_id, n.campaign_lead_id,
    jsonb_build_object('email', l.email, 'subject', n.detail->'subject')
  FROM new_rows n JOIN campaign_leads l USING (campaign_lead_id) WHERE n.kind IN ('replied', 'complained');
  RETURN NULL;
END $$;

-- What `mailbox.disconnected` told of first is not lost: it goes on under its name, and the fact has a better one beside it.
CREATE FUNCTION tell_webhooks_of_failing_mailbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF webhook_asks(NEW.user_id, 'mailbox.failing') THEN
    INSERT INTO webhook_events (user_id, type, at, data) VALUES (NEW.user_id, 'mailbox.failing', now(),
      jsonb_build_object('mailbox_id', NEW.mailbox_id, 'address', NEW.address, 'error', NEW.last_error,
        'cause', NEW.failing_cause,
        'next_try_at', to_char(NEW.next_try_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tell_webhooks_of_failing_mailbox AFTER UPDATE OF "status" ON "mailboxes"
  FOR EACH ROW WHEN (OLD.status = 'connected' AND NEW.status = 'failing')
  EXECUTE FUNCTION tell_webhooks_of_failing_mailbox();
