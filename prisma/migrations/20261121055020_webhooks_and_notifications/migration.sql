-- CreateEnum
CREATE TYPE "WebhookDeliveryStatus" AS ENUM ('pending', 'delivered', 'failed');

-- CreateEnum
CREATE TYPE "NotificationChannel" AS ENUM ('email', 'messaging');

-- CreateEnum
CREATE TYPE "NotificationMessageStatus" AS ENUM ('queued', 'sending', 'sent', 'failed', 'uncertain');

-- CreateTable
CREATE TABLE "webhooks" (
    "webhook_id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "event_types" TEXT[],
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "secret" TEXT NOT NULL,
    "secret_hint" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_secret_until" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "retry_after" TIMESTAMPTZ(3),
    "served_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "lease_owner" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("webhook_id")
);

-- CreateTable
CREATE TABLE "webhook_events" (
    "event_id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_events_pkey" PRIMARY KEY ("event_id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "delivery_id" UUID NOT NULL DEFAULT uuid_v7(),
    "webhook_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "status" "WebhookDeliveryStatus" NOT NULL DEFAULT 'pending',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "attempts" JSONB NOT NULL DEFAULT '[]',
    "last_error" TEXT,
    "delivered_at" TIMESTAMPTZ(3),
    "position" BIGSERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("delivery_id")
);

-- CreateTable
CREATE TABLE "notifications" (
    "notification_id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "campaign_id" UUID,
    "campaign_lead_id" UUID,
    "mailbox_id" UUID,
    "data" JSONB NOT NULL DEFAULT '{}',
    "read_at" TIMESTAMPTZ(3),
    "gathered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("notification_id")
);

-- CreateTable
CREATE TABLE "notification_preferences" (
    "user_id" UUID NOT NULL,
    "email_enabled" BOOLEAN NOT NULL DEFAULT true,
    "messaging_enabled" BOOLEAN NOT NULL DEFAULT false,
    "notify_on_reply" BOOLEAN NOT NULL DEFAULT true,
    "notify_on_bounce" BOOLEAN NOT NULL DEFAULT true,
    "notify_on_complaint" BOOLEAN NOT NULL DEFAULT true,
    "personal_email" TEXT,
    "messaging_number" TEXT,
    "last_digest_at" TIMESTAMPTZ(3),

    CONSTRAINT "notification_preferences_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "notification_messages" (
    "notification_message_id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "channel" "NotificationChannel" NOT NULL,
    "kind" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "status" "NotificationMessageStatus" NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "response" TEXT,
    "sent_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_messages_pkey" PRIMARY KEY ("notification_message_id")
);

-- CreateIndex
CREATE INDEX "webhooks_user_id_created_at_webhook_id_idx" ON "webhooks"("user_id", "created_at", "webhook_id");

-- CreateIndex
CREATE INDEX "webhook_events_created_at_idx" ON "webhook_events"("created_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_webhook_id_created_at_delivery_id_idx" ON "webhook_deliveries"("webhook_id", "created_at", "delivery_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_event_id_idx" ON "webhook_deliveries"("event_id");

-- CreateIndex
CREATE INDEX "notifications_user_id_created_at_notification_id_idx" ON "notifications"("user_id", "created_at", "notification_id");

-- CreateIndex
CREATE INDEX "notifications_created_at_idx" ON "notifications"("created_at");

-- CreateIndex
CREATE INDEX "notification_messages_user_id_created_at_notification_messa_idx" ON "notification_messages"("user_id", "created_at", "notification_message_id");

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("webhook_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "webhook_events"("event_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_preferences" ADD CONSTRAINT "notification_preferences_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_messages" ADD CONSTRAINT "notification_messages_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is due, in the order of the events; and what no digest has taken in yet.
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries"("webhook_id", "next_attempt_at", "position") WHERE "status" = 'pending';
CREATE INDEX "notifications_ungathered" ON "notifications"("user_id", "created_at") WHERE "gathered_at" IS NULL;
CREATE INDEX "notifications_unread" ON "notifications"("user_id") WHERE "read_at" IS NULL;
CREATE INDEX "notification_messages_open" ON "notification_messages"("next_attempt_at") WHERE "status" IN ('queued', 'sending');

-- Events and notifications are written here, beside the counters and for the same reason: whoever states a fact cannot forget
-- to tell it, and it commits with the fact or not at all. A log that was read by a cursor would lose what commits late.


-- The one question that a fact costs its owner who has no webhook.
CREATE FUNCTION webhook_asks(owner uuid, event_type text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM webhooks w WHERE w.user_id = owner AND w.enabled AND event_type = ANY (w.event_types))
$$;

CREATE FUNCTION fan_out_webhook_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, event_id, user_id)
  SELECT w.webhook_id, n.event_id, n.user_id
  FROM new_rows n JOIN webhooks w ON w.user_id = n.user_id AND w.enabled AND n.type = ANY (w.event_types)
  ORDER BY n.at, n.event_id;
  RETURN NULL;
END $$;
CREATE TRIGGER fan_out_webhook_events AFTER INSERT ON "webhook_events"
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION fan_out_webhook_events();

CREATE FUNCTION tell_of_actions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM webhooks WHERE enabled AND user_id = ANY (ARRAY(SELECT DISTINCT user_id FROM new_rows))) THEN
    RETURN NULL;
  END IF;
  INSERT INTO webhook_events (user_id, type, at, data)
  SELECT n.user_id, 'lead.sent', coalesce(n.recorded_at, now()), jsonb_build_object(
    'campaign_id', n.campaign_id, 'campaign_lead_id', n.campaign_lead_id, 'email', l.email, 'lead_index', l.lead_index,
    'action_id', n.action_id, 'step', n.step, 'channel', n.channel, 'variant_label', n.variant_label,
    'message_id', n.message_id, 'subject', n.subject)
  FROM new_rows n JOIN old_rows o USING (action_id) JOIN campaign_leads l ON l.campaign_lead_id = n.campaign_lead_id
  WHERE n.status = 'sent' AND o.status <> 'sent' AND webhook_asks(n.user_id, 'lead.sent');
  RETURN NULL;
END $$;
CREATE TRIGGER tell_of_actions AFTER UPDATE ON "actions"
  REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION tell_of_actions();

-- Bounces and ends. A lead that is bounced because its address bounced elsewhere (last_event 'hard_bounce') is told of once,
-- there. Of replies the decision log says more, see below.
CREATE FUNCTION tell_of_leads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM new_rows n JOIN old_rows o USING (campaign_lead_id)
      WHERE n.status <> o.status AND n.status IN ('bounced', 'completed')) THEN
    RETURN NULL;
  END IF;
  INSERT INTO webhook_events (user_id, type, at, data)
  SELECT n.user_id, 'lead.' || n.status, coalesce(n.last_event_at, now()), jsonb_build_object(
    'campaign_id', n.campaign_id, 'campaign_lead_id', n.campaign_lead_id, 'email', n.email, 'lead_index', n.lead_index,
    'step', n.current_step, 'reason', n.reason)
  FROM new_rows n JOIN old_rows o USING (campaign_lead_id)
  WHERE n.status <> o.status AND n.status IN ('bounced', 'completed') AND n.last_event IS DISTINCT FROM 'hard_bounce'
    AND webhook_asks(n.user_id, 'lead.' || n.status);
  INSERT INTO notifications (user_id, kind, campaign_id, campaign_lead_id, data)
  SELECT n.user_id, 'bounce', n.campaign_id, n.campaign_lead_id,
    jsonb_build_object('email', n.email, 'reason', left(n.reason, 200))
  FROM new_rows n JOIN old_rows o USING (campaign_lead_id)
  WHERE n.status <> o.status AND n.status = 'bounced' AND n.last_event IS DISTINCT FROM 'hard_bounce';
  RETURN NULL;
END $$;
CREATE TRIGGER tell_of_leads AFTER UPDATE ON "campaign_leads"
  REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION tell_of_leads();

CREATE FUNCTION tell_of_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM new_rows WHERE kind IN ('replied', 'complained', 'unsubscribed')) THEN
    RETURN NULL;
  END IF;
  INSERT INTO webhook_events (user_id, type, at, data)
  SELECT n.user_id, 'lead.' || n.kind, n.at, jsonb_build_object(
    'campaign_id', n.campaign_id, 'campaign_lead_id', n.campaign_lead_id, 'email', l.email, 'lead_index', l.lead_index,
    'step', n.step, 'reason', n.reason, 'channel', n.channel) || n.detail
  FROM new_rows n JOIN campaign_leads l USING (campaign_lead_id)
  WHERE n.kind IN ('replied', 'complained', 'unsubscribed') AND webhook_asks(n.user_id, 'lead.' || n.kind);
  INSERT INTO notifications (user_id, kind, campaign_id, campaign_lead_id, data)
  SELECT n.user_id, CASE n.kind WHEN 'replied' THEN 'reply' ELSE 'complaint' END, n.campaign_id, n.campaign_lead_id,
    jsonb_build_object('email', l.email, 'subject', n.detail->'subject')
  FROM new_rows n JOIN campaign_leads l USING (campaign_lead_id) WHERE n.kind IN ('replied', 'complained');
  RETURN NULL;
END $$;
CREATE TRIGGER tell_of_log AFTER INSERT ON "campaign_events"
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tell_of_log();

-- One row at a time, since these move seldom; the condition keeps every other update of them free of charge.
CREATE FUNCTION tell_of_campaign() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event_type text := CASE
    WHEN NEW.status IN ('paused', 'completed', 'failed') THEN 'campaign.' || NEW.status
    WHEN OLD.status = 'paused' THEN 'campaign.resumed'
    WHEN OLD.status = 'launching' AND NEW.status = 'active' THEN 'campaign.launched'
  END;
  kind text := CASE
    WHEN NEW.status = 'paused' AND NEW.paused_reason IS DISTINCT FROM 'user' THEN 'campaign_paused'
    WHEN NEW.status = 'failed' OR OLD.status = 'scheduled' AND NEW.status = 'draft' THEN 'launch_failed'
  END;
  reason text := CASE NEW.status WHEN 'paused' THEN NEW.paused_reason WHEN 'failed' THEN NEW.launch_error
    WHEN 'draft' THEN NEW.launch_error END;
BEGIN
  IF webhook_asks(NEW.user_id, event_type) THEN
    INSERT INTO webhook_events (user_id, type, at, data) VALUES (NEW.user_id, event_type, now(), jsonb_build_object(
      'campaign_id', NEW.campaign_id, 'name', NEW.name, 'status', NEW.status, 'reason', reason,
      'total_leads', NEW.total_leads, 'processed_leads', NEW.processed_leads, 'sent_count', NEW.sent_count,
      'replied_count', NEW.replied_count, 'bounced_count', NEW.bounced_count));
  END IF;
  IF kind IS NOT NULL THEN
    INSERT INTO notifications (user_id, kind, campaign_id, data) VALUES (NEW.user_id, kind, NEW.campaign_id,
      jsonb_build_object('name', NEW.name, 'reason', left(reason, 500)));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tell_of_campaign AFTER UPDATE OF "status" ON "campaigns"
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION tell_of_campaign();

CREATE FUNCTION tell_of_mailbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF webhook_asks(NEW.user_id, 'mailbox.disconnected') THEN
    INSERT INTO webhook_events (user_id, type, at, data) VALUES (NEW.user_id, 'mailbox.disconnected', now(),
      jsonb_build_object('mailbox_id', NEW.mailbox_id, 'address', NEW.address, 'error', NEW.last_error));
  END IF;
  INSERT INTO notifications (user_id, kind, mailbox_id, data) VALUES (NEW.user_id, 'mailbox_disconnected', NEW.mailbox_id,
    jsonb_build_object('address', NEW.address, 'reason', left(NEW.last_error, 500)));
  RETURN NULL;
END $$;
CREATE TRIGGER tell_of_mailbox AFTER UPDATE OF "status" ON "mailboxes"
  FOR EACH ROW WHEN (OLD.status = 'connected' AND NEW.status = 'disconnected') EXECUTE FUNCTION tell_of_mailbox();

CREATE FUNCTION tell_of_dataset() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF webhook_asks(NEW.user_id, 'dataset.' || NEW.status) THEN
    INSERT INTO webhook_events (user_id, type, at, data)
    SELECT NEW.user_id, 'dataset.' || NEW.status, now(), jsonb_build_object('dataset_id', d.dataset_id,
      'dataset_name', d.dataset_name, 'session_id', NEW.session_id, 'row_count', d.row_count,
      'reject_count', d.reject_count, 'error', NEW.error)
    FROM datasets d WHERE d.dataset_id = NEW.dataset_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tell_of_dataset AFTER UPDATE OF "status" ON "dataset_sessions"
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status AND NEW.status IN ('completed', 'failed'))
  EXECUTE FUNCTION tell_of_dataset();
