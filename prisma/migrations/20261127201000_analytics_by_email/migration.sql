-- How often a member gets the analytics of the workspace by email, and when next.
CREATE TYPE "AnalyticsEmail" AS ENUM ('off', 'weekly', 'monthly');
ALTER TABLE "notification_preferences"
  ADD COLUMN "analytics_email" "AnalyticsEmail" NOT NULL DEFAULT 'off',
  ADD COLUMN "analytics_due_at" TIMESTAMPTZ(3);
CREATE INDEX "notification_preferences_analytics_due" ON "notification_preferences"("analytics_due_at")
  WHERE "analytics_due_at" IS NOT NULL;
-- Of one period nobody gets two, however many workers write them; messages of no period are as many as there are.
ALTER TABLE "notification_messages" ADD COLUMN "period" TEXT;
CREATE UNIQUE INDEX "notification_messages_workspace_id_user_id_period_key"
  ON "notification_messages"("workspace_id", "user_id", "period");
