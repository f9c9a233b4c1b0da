-- What belonged to a user belongs to the workspace of the same id. The columns keep their values under another name, and so do
-- indexes, constraints and functions: nothing is rewritten, however many rows there are.
DO $$
DECLARE
  persons CONSTANT text[] := '{users,user_sessions,sign_ins,passkeys,authenticator_apps,recovery_codes,one_time_links,identities,referrals,members}';
  one record;
BEGIN
  FOR one IN
    SELECT con.conrelid::regclass AS tbl, con.conname AS name FROM pg_constraint con
    JOIN pg_attribute a ON a.attrelid = con.conrelid AND a.attnum = con.conkey[1]
    WHERE con.contype = 'f' AND con.confrelid = 'users'::regclass AND a.attname = 'user_id'
      AND con.conrelid::regclass::text <> ALL (persons)
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.tbl, one.name);
    EXECUTE format('ALTER TABLE %s RENAME COLUMN user_id TO workspace_id', one.tbl);
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id) ON DELETE CASCADE ON UPDATE CASCADE',
      one.tbl, replace(one.name, 'user_id', 'workspace_id'));
  END LOOP;
  -- Of what belongs to a row that belongs to a workspace.
  FOR one IN
    SELECT a.attrelid::regclass AS tbl FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE a.attname = 'user_id' AND NOT a.attisdropped AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
      AND c.relname <> ALL (persons)
  LOOP
    EXECUTE format('ALTER TABLE %s RENAME COLUMN user_id TO workspace_id', one.tbl);
  END LOOP;
  FOR one IN
    SELECT i.relname AS name FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
    WHERE t.relnamespace = 'public'::regnamespace AND i.relname LIKE '%user\_id%' AND t.relname <> ALL (persons)
  LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', one.name, replace(one.name, 'user_id', 'workspace_id'));
  END LOOP;
  FOR one IN
    SELECT replace(pg_get_functiondef(p.oid), 'user_id', 'workspace_id') AS definition FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f' AND p.prosrc LIKE '%user\_id%'
  LOOP
    EXECUTE one.definition;
  END LOOP;
END
$$;

-- What was said of a user and is said of a workspace: the plan, the limits and the zone in which they count their days.
ALTER TABLE "workspaces" ADD COLUMN "tier" "Tier" NOT NULL DEFAULT 'free',
ADD COLUMN "timezone" TEXT NOT NULL DEFAULT 'UTC',
ADD COLUMN "campaigns_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "require_verified_domain" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "extra_api_keys" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "billing_customer_id" TEXT,
ADD COLUMN "subscription_status" TEXT,
ADD COLUMN "current_period_end" TIMESTAMPTZ(3),
ADD COLUMN "subscription_cancels" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1,
ADD CONSTRAINT "workspaces_version_counts" CHECK ("version" >= 1);
UPDATE workspaces w SET tier = u.tier, timezone = u.timezone, campaigns_count = u.campaigns_count,
  require_verified_domain = u.require_verified_domain, extra_api_keys = u.extra_api_keys,
  billing_customer_id = u.billing_customer_id, subscription_status = u.subscription_status,
  current_period_end = u.current_period_end, subscription_cancels = u.subscription_cancels
FROM users u WHERE u.user_id = w.workspace_id;
CREATE UNIQUE INDEX "workspaces_billing_customer_id_key" ON "workspaces"("billing_customer_id");
ALTER TABLE "users" DROP COLUMN "tier", DROP COLUMN "timezone", DROP COLUMN "campaigns_count",
DROP COLUMN "require_verified_domain", DROP COLUMN "extra_api_keys", DROP COLUMN "billing_customer_id",
DROP COLUMN "subscription_status", DROP COLUMN "current_period_end", DROP COLUMN "subscription_cancels";

CREATE OR REPLACE FUNCTION count_campaigns() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH delta AS (
    SELECT workspace_id, count(*)::int * (CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END) AS change FROM changed_rows GROUP BY workspace_id
  ), locked AS (
    SELECT w.workspace_id FROM workspaces w JOIN delta USING (workspace_id) ORDER BY w.workspace_id FOR NO KEY UPDATE OF w
  )
  UPDATE workspaces w SET campaigns_count = w.campaigns_count + delta.change
  FROM delta JOIN locked USING (workspace_id) WHERE w.workspace_id = delta.workspace_id;
  RETURN NULL;
END
$$;

-- Who made it. So far that was who owned it. Removing a person hands on what they made before, so none is lost with them.
ALTER TABLE "campaigns" DISABLE TRIGGER USER;
ALTER TABLE "templates" DISABLE TRIGGER USER;
ALTER TABLE "sender_profiles" DISABLE TRIGGER USER;
ALTER TABLE "social_posts" DISABLE TRIGGER USER;
ALTER TABLE "campaigns" ADD COLUMN "user_id" UUID;
ALTER TABLE "templates" ADD COLUMN "user_id" UUID;
ALTER TABLE "sender_profiles" ADD COLUMN "user_id" UUID;
ALTER TABLE "social_posts" ADD COLUMN "user_id" UUID;
ALTER TABLE "api_keys" ADD COLUMN "user_id" UUID;
ALTER TABLE "audit_events" ADD COLUMN "user_id" UUID;
ALTER TABLE "conversations" ADD COLUMN "user_id" UUID;
ALTER TABLE "notification_preferences" ADD COLUMN "user_id" UUID;
ALTER TABLE "notification_messages" ADD COLUMN "user_id" UUID;
UPDATE campaigns SET user_id = workspace_id;
UPDATE templates SET user_id = workspace_id;
UPDATE sender_profiles SET user_id = workspace_id;
UPDATE social_posts SET user_id = workspace_id;
UPDATE api_keys SET user_id = workspace_id;
UPDATE audit_events SET user_id = workspace_id;
UPDATE conversations SET user_id = workspace_id;
UPDATE notification_preferences SET user_id = workspace_id;
UPDATE notification_messages SET user_id = workspace_id;
ALTER TABLE "campaigns" ALTER COLUMN "user_id" SET NOT NULL;
ALTER TABLE "templates" ALTER COLUMN "user_id" SET NOT NULL;
ALTER TABLE "sender_profiles" ALTER COLUMN "user_id" SET NOT NULL;
ALTER TABLE "social_posts" ALTER COLUMN "user_id" SET NOT NULL;
ALTER TABLE "api_keys" ALTER COLUMN "user_id" SET NOT NULL;
ALTER TABLE "conversations" ALTER COLUMN "user_id" SET NOT NULL;
ALTER TABLE "notification_messages" ALTER COLUMN "user_id" SET NOT NULL;
ALTER TABLE "campaigns" ENABLE TRIGGER USER;
ALTER TABLE "templates" ENABLE TRIGGER USER;
ALTER TABLE "sender_profiles" ENABLE TRIGGER USER;
ALTER TABLE "social_posts" ENABLE TRIGGER USER;

ALTER TABLE "notification_preferences" DROP CONSTRAINT "notification_preferences_pkey",
ALTER COLUMN "user_id" SET NOT NULL,
ADD CONSTRAINT "notification_preferences_pkey" PRIMARY KEY ("workspace_id", "user_id");

-- DropIndex
DROP INDEX "conversations_workspace_id_thread_id_key";
DROP INDEX "conversations_workspace_id_updated_at_idx";
DROP INDEX "notification_messages_workspace_id_created_at_notification_mess";

-- CreateIndex
CREATE INDEX "api_keys_user_id_idx" ON "api_keys"("user_id");
CREATE INDEX "audit_events_user_id_idx" ON "audit_events"("user_id");
CREATE INDEX "campaigns_user_id_idx" ON "campaigns"("user_id");
CREATE INDEX "conversations_workspace_id_user_id_updated_at_idx" ON "conversations"("workspace_id", "user_id", "updated_at");
CREATE INDEX "conversations_user_id_idx" ON "conversations"("user_id");
CREATE UNIQUE INDEX "conversations_workspace_id_user_id_thread_id_key" ON "conversations"("workspace_id", "user_id", "thread_id");
CREATE INDEX "notification_messages_workspace_id_user_id_created_at_notif_idx" ON "notification_messages"("workspace_id", "user_id", "created_at", "notification_message_id");
CREATE INDEX "notification_messages_user_id_idx" ON "notification_messages"("user_id");
CREATE INDEX "notification_preferences_user_id_idx" ON "notification_preferences"("user_id");
CREATE INDEX "sender_profiles_user_id_idx" ON "sender_profiles"("user_id");
CREATE INDEX "social_posts_user_id_idx" ON "social_posts"("user_id");
CREATE INDEX "templates_user_id_idx" ON "templates"("user_id");

-- AddForeignKey
ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "templates" ADD CONSTRAINT "templates_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "sender_profiles" ADD CONSTRAINT "sender_profiles_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "social_posts" ADD CONSTRAINT "social_posts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "notification_preferences" ADD CONSTRAINT "notification_preferences_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "notification_messages" ADD CONSTRAINT "notification_messages_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The workspace that a browser is at work in.
ALTER TABLE "user_sessions" ADD COLUMN "workspace_id" UUID;
ALTER TABLE "user_sessions" ADD CONSTRAINT "user_sessions_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE SET NULL ON UPDATE CASCADE;
