-- A mail from one mailbox of a workspace to another, to see what its receiver makes of it.
CREATE TABLE "placement_tests" (
  "placement_test_id" UUID NOT NULL DEFAULT uuid_v7(),
  "workspace_id" UUID NOT NULL,
  "mailbox_id" UUID NOT NULL,
  "seed_mailbox_id" UUID NOT NULL,
  "message_id" TEXT NOT NULL,
  "server_message_id" TEXT,
  "error" TEXT,
  "sent_at" TIMESTAMPTZ(3) NOT NULL,
  "arrived_at" TIMESTAMPTZ(3),
  "placement" TEXT CHECK ("placement" IN ('inbox', 'promotions', 'social', 'updates', 'forums', 'spam', 'other')),
  "authentication" JSONB,
  CONSTRAINT "placement_tests_pkey" PRIMARY KEY ("placement_test_id")
);
CREATE INDEX "placement_tests_workspace_id_idx" ON "placement_tests"("workspace_id");
CREATE INDEX "placement_tests_mailbox_id_sent_at_idx" ON "placement_tests"("mailbox_id", "sent_at");
CREATE INDEX "placement_tests_seed_mailbox_id_sent_at_idx" ON "placement_tests"("seed_mailbox_id", "sent_at");
ALTER TABLE "placement_tests" ADD CONSTRAINT "placement_tests_workspace_id_fkey"
  FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "placement_tests" ADD CONSTRAINT "placement_tests_mailbox_id_fkey"
  FOREIGN KEY ("mailbox_id") REFERENCES "mailboxes"("mailbox_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "placement_tests" ADD CONSTRAINT "placement_tests_seed_mailbox_id_fkey"
  FOREIGN KEY ("seed_mailbox_id") REFERENCES "mailboxes"("mailbox_id") ON DELETE CASCADE ON UPDATE CASCADE;
