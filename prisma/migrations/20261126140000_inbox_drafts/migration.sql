-- Answers that are not sent yet: scheduled, taken back, or held back by what came in between.
CREATE TABLE "inbox_drafts" (
    "draft_id" UUID NOT NULL DEFAULT uuid_v7(),
    "workspace_id" UUID NOT NULL,
    "thread_id" UUID NOT NULL,
    "user_id" UUID,
    "text" TEXT NOT NULL,
    "last_message_id" UUID,
    "send_at" TIMESTAMPTZ(3),
    "stopped" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbox_drafts_pkey" PRIMARY KEY ("draft_id")
);

CREATE INDEX "inbox_drafts_workspace_id_updated_at_idx" ON "inbox_drafts"("workspace_id", "updated_at");
CREATE INDEX "inbox_drafts_thread_id_created_at_idx" ON "inbox_drafts"("thread_id", "created_at");
CREATE INDEX "inbox_drafts_user_id_idx" ON "inbox_drafts"("user_id");
-- What is due next is asked for after each operation that writes.
CREATE INDEX "inbox_drafts_send_idx" ON "inbox_drafts"("send_at") WHERE "send_at" IS NOT NULL;

ALTER TABLE "inbox_drafts" ADD CONSTRAINT "inbox_drafts_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "inbox_drafts" ADD CONSTRAINT "inbox_drafts_thread_id_fkey" FOREIGN KEY ("thread_id") REFERENCES "threads"("thread_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "inbox_drafts" ADD CONSTRAINT "inbox_drafts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "wake" DROP CONSTRAINT "wake_bell";
ALTER TABLE "wake" ADD CONSTRAINT "wake_bell" CHECK (bell IN
  ('dispatch', 'inbox', 'accounts', 'webhooks', 'notifications', 'posts', 'intents', 'answers', 'chores'));
