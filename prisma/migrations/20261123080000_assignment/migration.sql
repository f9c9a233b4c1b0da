-- Who answers a conversation; who gets new replies; and notifications for one person instead of everybody.
CREATE TYPE "ReplyAssignment" AS ENUM ('nobody', 'campaign_maker', 'round_robin');

ALTER TABLE "threads" ADD COLUMN "assignee_id" UUID,
  ADD CONSTRAINT "threads_assignee_id_fkey" FOREIGN KEY ("assignee_id") REFERENCES "users"("user_id") ON DELETE SET NULL ON UPDATE CASCADE;
CREATE INDEX "threads_workspace_id_assignee_id_last_message_at_idx" ON "threads"("workspace_id", "assignee_id", "last_message_at");
CREATE INDEX "threads_assignee_id_idx" ON "threads"("assignee_id");

ALTER TABLE "workspaces" ADD COLUMN "reply_assignment" "ReplyAssignment" NOT NULL DEFAULT 'nobody',
  ADD COLUMN "reply_assignees" UUID[] NOT NULL DEFAULT '{}';
ALTER TABLE "members" ADD COLUMN "last_assigned_at" TIMESTAMPTZ(3);

ALTER TABLE "notifications" ADD COLUMN "user_id" UUID,
  ADD CONSTRAINT "notifications_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "notifications_user_id_idx" ON "notifications"("user_id");
ALTER TABLE "notification_preferences" ADD COLUMN "notify_on_assignment" BOOLEAN NOT NULL DEFAULT true,
  ADD COLUMN "notify_on_mention" BOOLEAN NOT NULL DEFAULT true;
