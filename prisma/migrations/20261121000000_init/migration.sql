-- UUIDv7 (RFC 9562, section 5.7) on any Postgres from 13 on; the native uuidv7() exists from 18 only.
CREATE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
      52, 1), 53, 1), 'hex')::uuid
$$;

-- CreateEnum
CREATE TYPE "Tier" AS ENUM ('free', 'starter', 'growth', 'scale');

-- CreateEnum
CREATE TYPE "PipelineType" AS ENUM ('enrichment', 'personalization', 'extraction');

-- CreateEnum
CREATE TYPE "SessionStatus" AS ENUM ('queued', 'processing', 'completed', 'failed', 'cancelled');

-- CreateEnum
CREATE TYPE "MailboxStatus" AS ENUM ('connected', 'disconnected');

-- CreateEnum
CREATE TYPE "CampaignStatus" AS ENUM ('draft', 'launching', 'scheduled', 'active', 'draining', 'paused', 'completed', 'failed');

-- CreateEnum
CREATE TYPE "LaunchType" AS ENUM ('immediate', 'scheduled');

-- CreateEnum
CREATE TYPE "UnreviewedLaunchPolicy" AS ENUM ('launch_default', 'hold', 'cancel');

-- CreateEnum
CREATE TYPE "LeadStatus" AS ENUM ('pending', 'active', 'completed', 'replied', 'bounced', 'unsubscribed', 'failed', 'skipped');

-- CreateEnum
CREATE TYPE "ActionStatus" AS ENUM ('sending', 'retry', 'sent', 'failed', 'uncertain', 'skipped');

-- CreateTable
CREATE TABLE "users" (
    "user_id" UUID NOT NULL DEFAULT uuid_v7(),
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "tier" "Tier" NOT NULL DEFAULT 'free',
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "password_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "identities" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "identities_pkey" PRIMARY KEY ("issuer","subject")
);

-- CreateTable
CREATE TABLE "signing_keys" (
    "kid" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "private_jwk" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "key_prefix" TEXT NOT NULL,
    "key_digest" CHAR(64) NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_limits" (
    "bucket" TEXT NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("bucket")
);

-- CreateTable
CREATE TABLE "templates" (
    "template_id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "templates_pkey" PRIMARY KEY ("template_id")
);

-- CreateTable
CREATE TABLE "sender_profiles" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "profile_name" TEXT NOT NULL,
    "sender_data" JSONB NOT NULL,
    "description" TEXT,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "usage_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sender_profiles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "datasets" (
    "dataset_id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "dataset_name" TEXT NOT NULL,
    "source_type" TEXT NOT NULL,
    "row_count" INTEGER NOT NULL DEFAULT 0,
    "reject_count" INTEGER NOT NULL DEFAULT 0,
    "columns" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "datasets_pkey" PRIMARY KEY ("dataset_id")
);

-- CreateTable
CREATE TABLE "dataset_sessions" (
    "session_id" UUID NOT NULL DEFAULT uuid_v7(),
    "dataset_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "status" "SessionStatus" NOT NULL DEFAULT 'queued',
    "pipeline_type" "PipelineType",
    "filename" TEXT,
    "leads_count" INTEGER NOT NULL DEFAULT 0,
    "processed_count" INTEGER NOT NULL DEFAULT 0,
    "failed_count" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "session_created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "session_updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "dataset_sessions_pkey" PRIMARY KEY ("session_id")
);

-- CreateTable
CREATE TABLE "uploads" (
    "dataset_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "filename" TEXT NOT NULL,
    "sheet" TEXT NOT NULL,
    "mapping" JSONB NOT NULL,
    "bytes" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "uploads_pkey" PRIMARY KEY ("dataset_id")
);

-- CreateTable
CREATE TABLE "dataset_rows" (
    "dataset_id" UUID NOT NULL,
    "lead_index" INTEGER NOT NULL,
    "user_id" UUID NOT NULL,
    "email" TEXT,
    "data" JSONB NOT NULL,

    CONSTRAINT "dataset_rows_pkey" PRIMARY KEY ("dataset_id","lead_index")
);

-- CreateTable
CREATE TABLE "dataset_rejects" (
    "reject_id" BIGSERIAL NOT NULL,
    "dataset_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "row_number" INTEGER NOT NULL,
    "cell" TEXT,
    "column_name" TEXT,
    "code" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "value" TEXT,

    CONSTRAINT "dataset_rejects_pkey" PRIMARY KEY ("reject_id")
);

-- CreateTable
CREATE TABLE "mailboxes" (
    "mailbox_id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "name" TEXT,
    "status" "MailboxStatus" NOT NULL DEFAULT 'connected',
    "smtp" JSONB NOT NULL,
    "smtp_password" TEXT,
    "imap" JSONB,
    "imap_password" TEXT,
    "daily_limit" INTEGER NOT NULL DEFAULT 50,
    "min_interval_seconds" INTEGER NOT NULL DEFAULT 60,
    "ramp_up" JSONB,
    "ramp_up_started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "signature" TEXT,
    "last_action_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "last_checked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mailboxes_pkey" PRIMARY KEY ("mailbox_id")
);

-- CreateTable
CREATE TABLE "sender_days" (
    "sender_id" UUID NOT NULL,
    "local_date" DATE NOT NULL,
    "action_type" TEXT NOT NULL,
    "used" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "sender_days_pkey" PRIMARY KEY ("sender_id","local_date","action_type")
);

-- CreateTable
CREATE TABLE "campaigns" (
    "campaign_id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "dataset_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "type" TEXT NOT NULL DEFAULT 'email',
    "status" "CampaignStatus" NOT NULL DEFAULT 'draft',
    "launch_type" "LaunchType" NOT NULL DEFAULT 'immediate',
    "start_date" TIMESTAMPTZ(3),
    "daily_limit" INTEGER NOT NULL DEFAULT 50,
    "sending_window_start" CHAR(8) NOT NULL DEFAULT '09:00:00',
    "sending_window_end" CHAR(8) NOT NULL DEFAULT '17:00:00',
    "min_interval_seconds" INTEGER NOT NULL DEFAULT 60,
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "send_days" TEXT[],
    "steps_config" JSONB NOT NULL DEFAULT '[]',
    "alias_ids" JSONB,
    "connected_account_id" UUID,
    "total_leads" INTEGER,
    "processed_leads" INTEGER NOT NULL DEFAULT 0,
    "launch_job_id" TEXT,
    "launch_requested_at" TIMESTAMPTZ(3),
    "launch_error" TEXT,
    "launched_at" TIMESTAMPTZ(3),
    "system_prompt" TEXT,
    "unreviewed_launch_policy" "UnreviewedLaunchPolicy" NOT NULL DEFAULT 'launch_default',
    "reviewed_at" TIMESTAMPTZ(3),
    "paused_reason" TEXT,
    "paused_from" "CampaignStatus",
    "playground_discovery_dismissed_at" TIMESTAMPTZ(3),
    "next_slot_at" TIMESTAMPTZ(3),
    "last_action_at" TIMESTAMPTZ(3),
    "last_action_lead_index" INTEGER,
    "last_action_step" INTEGER,
    "sent_count" INTEGER NOT NULL DEFAULT 0,
    "replied_count" INTEGER NOT NULL DEFAULT 0,
    "bounced_count" INTEGER NOT NULL DEFAULT 0,
    "uncertain_count" INTEGER NOT NULL DEFAULT 0,
    "completed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "campaigns_pkey" PRIMARY KEY ("campaign_id")
);

-- CreateTable
CREATE TABLE "campaign_days" (
    "campaign_id" UUID NOT NULL,
    "window_day" DATE NOT NULL,
    "used" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "campaign_days_pkey" PRIMARY KEY ("campaign_id","window_day")
);

-- CreateTable
CREATE TABLE "campaign_leads" (
    "campaign_lead_id" UUID NOT NULL DEFAULT uuid_v7(),
    "campaign_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "dataset_id" UUID NOT NULL,
    "lead_index" INTEGER NOT NULL,
    "email" TEXT,
    "status" "LeadStatus" NOT NULL DEFAULT 'pending',
    "current_step" INTEGER NOT NULL DEFAULT 0,
    "next_step" INTEGER DEFAULT 1,
    "next_action_at" TIMESTAMPTZ(3),
    "next_action_type" TEXT,
    "next_sender_id" UUID,
    "mailbox_id" UUID,
    "connected_account_id" UUID,
    "thread_message_id" TEXT,
    "thread_subject" TEXT,
    "last_event" TEXT,
    "last_event_at" TIMESTAMPTZ(3),
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "campaign_leads_pkey" PRIMARY KEY ("campaign_lead_id")
);

-- CreateTable
CREATE TABLE "actions" (
    "action_id" UUID NOT NULL DEFAULT uuid_v7(),
    "campaign_lead_id" UUID NOT NULL,
    "campaign_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "step" INTEGER NOT NULL,
    "channel" TEXT NOT NULL,
    "action_type" TEXT NOT NULL,
    "variant_label" TEXT,
    "template_id" UUID,
    "mailbox_id" UUID,
    "status" "ActionStatus" NOT NULL,
    "performed_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 1,
    "lease_until" TIMESTAMPTZ(3),
    "lease_owner" TEXT,
    "message_id" TEXT,
    "subject" TEXT,
    "body" TEXT,
    "outcome" TEXT,
    "response" TEXT,
    "recorded_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "actions_pkey" PRIMARY KEY ("action_id")
);

-- CreateTable
CREATE TABLE "campaign_events" (
    "event_id" UUID NOT NULL DEFAULT uuid_v7(),
    "campaign_id" UUID NOT NULL,
    "campaign_lead_id" UUID,
    "user_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "step" INTEGER,
    "channel" TEXT,
    "reason" TEXT,
    "detail" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "campaign_events_pkey" PRIMARY KEY ("event_id")
);

-- CreateTable
CREATE TABLE "suppressions" (
    "suppression_id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "value" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "suppressions_pkey" PRIMARY KEY ("suppression_id")
);

-- CreateTable
CREATE TABLE "sandbox_messages" (
    "sandbox_message_id" UUID NOT NULL DEFAULT uuid_v7(),
    "mail_from" TEXT NOT NULL,
    "rcpt_to" TEXT NOT NULL,
    "from_address" TEXT NOT NULL,
    "message_id" TEXT,
    "subject" TEXT NOT NULL,
    "raw" BYTEA NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_messages_pkey" PRIMARY KEY ("sandbox_message_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "identities_user_id_idx" ON "identities"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_key_digest_key" ON "api_keys"("key_digest");

-- CreateIndex
CREATE INDEX "api_keys_user_id_created_at_idx" ON "api_keys"("user_id", "created_at");

-- CreateIndex
CREATE INDEX "templates_user_id_created_at_template_id_idx" ON "templates"("user_id", "created_at", "template_id");

-- CreateIndex
CREATE INDEX "sender_profiles_user_id_created_at_id_idx" ON "sender_profiles"("user_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "datasets_user_id_created_at_dataset_id_idx" ON "datasets"("user_id", "created_at", "dataset_id");

-- CreateIndex
CREATE INDEX "dataset_sessions_dataset_id_session_created_at_idx" ON "dataset_sessions"("dataset_id", "session_created_at");

-- CreateIndex
CREATE INDEX "dataset_sessions_status_idx" ON "dataset_sessions"("status");

-- CreateIndex
CREATE INDEX "dataset_rejects_dataset_id_row_number_idx" ON "dataset_rejects"("dataset_id", "row_number");

-- CreateIndex
CREATE UNIQUE INDEX "mailboxes_user_id_address_key" ON "mailboxes"("user_id", "address");

-- CreateIndex
CREATE INDEX "campaigns_user_id_created_at_campaign_id_idx" ON "campaigns"("user_id", "created_at", "campaign_id");

-- CreateIndex
CREATE INDEX "campaigns_dataset_id_idx" ON "campaigns"("dataset_id");

-- CreateIndex
CREATE INDEX "campaign_leads_user_id_email_idx" ON "campaign_leads"("user_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "campaign_leads_campaign_id_lead_index_key" ON "campaign_leads"("campaign_id", "lead_index");

-- CreateIndex
CREATE INDEX "actions_campaign_id_performed_at_idx" ON "actions"("campaign_id", "performed_at");

-- CreateIndex
CREATE INDEX "actions_user_id_message_id_idx" ON "actions"("user_id", "message_id");

-- CreateIndex
CREATE UNIQUE INDEX "actions_campaign_lead_id_step_key" ON "actions"("campaign_lead_id", "step");

-- CreateIndex
CREATE INDEX "campaign_events_campaign_lead_id_at_idx" ON "campaign_events"("campaign_lead_id", "at");

-- CreateIndex
CREATE INDEX "campaign_events_campaign_id_at_idx" ON "campaign_events"("campaign_id", "at");

-- CreateIndex
CREATE UNIQUE INDEX "suppressions_user_id_value_key" ON "suppressions"("user_id", "value");

-- CreateIndex
CREATE INDEX "sandbox_messages_from_address_received_at_idx" ON "sandbox_messages"("from_address", "received_at");

-- CreateIndex
CREATE INDEX "sandbox_messages_received_at_idx" ON "sandbox_messages"("received_at");

-- AddForeignKey
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "templates" ADD CONSTRAINT "templates_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sender_profiles" ADD CONSTRAINT "sender_profiles_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "datasets" ADD CONSTRAINT "datasets_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dataset_sessions" ADD CONSTRAINT "dataset_sessions_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"("dataset_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"("dataset_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dataset_rows" ADD CONSTRAINT "dataset_rows_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"("dataset_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dataset_rejects" ADD CONSTRAINT "dataset_rejects_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"("dataset_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"("dataset_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaign_days" ADD CONSTRAINT "campaign_days_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("campaign_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaign_leads" ADD CONSTRAINT "campaign_leads_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("campaign_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "actions" ADD CONSTRAINT "actions_campaign_lead_id_fkey" FOREIGN KEY ("campaign_lead_id") REFERENCES "campaign_leads"("campaign_lead_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE INDEX "dataset_rows_dataset_id_email_idx" ON "dataset_rows"("dataset_id", "email");

-- What Prisma cannot say.

-- Buckets are worth nothing after a crash, and are written with every request.
ALTER TABLE "rate_limits" SET UNLOGGED;

ALTER TABLE "campaigns"
  ADD CONSTRAINT "campaigns_type" CHECK (type IN ('email', 'social', 'mixed')),
  ADD CONSTRAINT "campaigns_daily_limit" CHECK (daily_limit BETWEEN 1 AND 10000),
  ADD CONSTRAINT "campaigns_min_interval_seconds" CHECK (min_interval_seconds BETWEEN 0 AND 86400),
  ADD CONSTRAINT "campaigns_window" CHECK (
    sending_window_start ~ '^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$'
    AND sending_window_end ~ '^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$'),
  ADD CONSTRAINT "campaigns_send_days" CHECK (
    cardinality(send_days) BETWEEN 1 AND 7
    AND send_days <@ ARRAY['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']),
  ADD CONSTRAINT "campaigns_steps_config" CHECK (jsonb_typeof(steps_config) = 'array'),
  -- A pause knows what it interrupted, so that a resume can go back to it.
  ADD CONSTRAINT "campaigns_paused_from" CHECK ((status = 'paused') = (paused_from IS NOT NULL)),
  ADD CONSTRAINT "campaigns_counts" CHECK (processed_leads BETWEEN 0 AND coalesce(total_leads, 0));

ALTER TABLE "campaign_leads"
  ADD CONSTRAINT "campaign_leads_current_step" CHECK (current_step >= 0),
  -- A lead that is over waits for nothing.
  ADD CONSTRAINT "campaign_leads_ended" CHECK (
    status IN ('pending', 'active') OR (next_action_at IS NULL AND next_step IS NULL));

ALTER TABLE "actions"
  ADD CONSTRAINT "actions_step" CHECK (step >= 1),
  -- Whoever is sending holds a lease, and nobody else does.
  ADD CONSTRAINT "actions_lease" CHECK ((status = 'sending') = (lease_until IS NOT NULL));

ALTER TABLE "mailboxes"
  ADD CONSTRAINT "mailboxes_limits" CHECK (daily_limit >= 1 AND min_interval_seconds >= 0);

-- At most one default profile per owner.
CREATE UNIQUE INDEX "sender_profiles_default" ON "sender_profiles" (user_id) WHERE is_default;

-- Dispatch reads what is due, never what exists.
CREATE INDEX "campaigns_due" ON "campaigns" (next_slot_at)
  WHERE status IN ('active', 'draining') AND next_slot_at IS NOT NULL;
CREATE INDEX "campaigns_scheduled" ON "campaigns" (start_date) WHERE status = 'scheduled';
CREATE INDEX "campaigns_launching" ON "campaigns" (launch_requested_at) WHERE status = 'launching';
-- One queue per kind of action and sender, each in the order in which it is served.
CREATE INDEX "campaign_leads_lanes" ON "campaign_leads"
  (campaign_id, next_action_type, next_sender_id, next_action_at, lead_index)
  WHERE status = 'active' AND next_action_at IS NOT NULL;
CREATE INDEX "campaign_leads_new" ON "campaign_leads" (campaign_id, lead_index) WHERE status = 'pending';
CREATE INDEX "actions_leases" ON "actions" (lease_until) WHERE status = 'sending';

-- Lists show counts of leads and actions; counting 100,000 rows for each of 20 campaigns would be their whole
-- cost. The triggers work per statement, so a set-based launch or claim pays once. Campaigns are locked in one
-- order, so that two workers that mark overlapping campaigns cannot wait for each other.
CREATE FUNCTION count_new_leads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH delta AS (
    SELECT campaign_id, count(*) AS total,
      count(*) FILTER (WHERE status NOT IN ('pending', 'active')) AS processed,
      count(*) FILTER (WHERE status = 'replied') AS replied,
      count(*) FILTER (WHERE status = 'bounced') AS bounced
    FROM new_rows GROUP BY campaign_id
  ), locked AS (
    SELECT c.campaign_id FROM campaigns c JOIN delta USING (campaign_id) ORDER BY c.campaign_id FOR NO KEY UPDATE OF c
  )
  UPDATE campaigns c SET
    total_leads = coalesce(c.total_leads, 0) + delta.total,
    processed_leads = c.processed_leads + delta.processed,
    replied_count = c.replied_count + delta.replied,
    bounced_count = c.bounced_count + delta.bounced
  FROM delta JOIN locked USING (campaign_id) WHERE c.campaign_id = delta.campaign_id;
  RETURN NULL;
END $$;

CREATE FUNCTION count_changed_leads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH delta AS (
    SELECT n.campaign_id,
      sum((n.status NOT IN ('pending', 'active'))::int - (o.status NOT IN ('pending', 'active'))::int) AS processed,
      sum((n.status = 'replied')::int - (o.status = 'replied')::int) AS replied,
      sum((n.status = 'bounced')::int - (o.status = 'bounced')::int) AS bounced
    FROM new_rows n JOIN old_rows o USING (campaign_lead_id)
    WHERE n.status <> o.status GROUP BY n.campaign_id
  ), locked AS (
    SELECT c.campaign_id FROM campaigns c JOIN delta USING (campaign_id)
    WHERE delta.processed <> 0 OR delta.replied <> 0 OR delta.bounced <> 0
    ORDER BY c.campaign_id FOR NO KEY UPDATE OF c
  )
  UPDATE campaigns c SET
    processed_leads = c.processed_leads + delta.processed,
    replied_count = c.replied_count + delta.replied,
    bounced_count = c.bounced_count + delta.bounced
  FROM delta JOIN locked USING (campaign_id) WHERE c.campaign_id = delta.campaign_id;
  RETURN NULL;
END $$;

CREATE FUNCTION count_changed_actions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH delta AS (
    SELECT n.campaign_id,
      sum((n.status = 'sent')::int - (o.status = 'sent')::int) AS sent,
      sum((n.status = 'uncertain')::int - (o.status = 'uncertain')::int) AS uncertain
    FROM new_rows n JOIN old_rows o USING (action_id)
    WHERE n.status <> o.status GROUP BY n.campaign_id
  ), locked AS (
    SELECT c.campaign_id FROM campaigns c JOIN delta USING (campaign_id)
    WHERE delta.sent <> 0 OR delta.uncertain <> 0
    ORDER BY c.campaign_id FOR NO KEY UPDATE OF c
  )
  UPDATE campaigns c SET
    sent_count = c.sent_count + delta.sent,
    uncertain_count = c.uncertain_count + delta.uncertain
  FROM delta JOIN locked USING (campaign_id) WHERE c.campaign_id = delta.campaign_id;
  RETURN NULL;
END $$;

CREATE TRIGGER count_new_leads AFTER INSERT ON "campaign_leads"
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_new_leads();
CREATE TRIGGER count_changed_leads AFTER UPDATE ON "campaign_leads"
  REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_changed_leads();
CREATE TRIGGER count_changed_actions AFTER UPDATE ON "actions"
  REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_changed_actions();
