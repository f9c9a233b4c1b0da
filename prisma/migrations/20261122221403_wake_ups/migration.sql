-- AlterTable
ALTER TABLE "connected_accounts" ADD COLUMN     "messages_arrived_at" TIMESTAMPTZ(3),
ADD COLUMN     "messages_due_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "mailboxes" ADD COLUMN     "inbox_arrived_at" TIMESTAMPTZ(3),
ADD COLUMN     "inbox_due_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP;

-- CreateTable
CREATE TABLE "wake" (
    "bell" TEXT NOT NULL,
    "armed_for" TIMESTAMPTZ(3),
    "gen" BIGINT NOT NULL DEFAULT 0,
    "rung_at" TIMESTAMPTZ(3),

    CONSTRAINT "wake_pkey" PRIMARY KEY ("bell")
);

-- CreateIndex
CREATE INDEX "connected_accounts_messages_due_at_idx" ON "connected_accounts"("messages_due_at");

-- CreateIndex
CREATE INDEX "mailboxes_inbox_due_at_idx" ON "mailboxes"("inbox_due_at");
ALTER TABLE "wake"
  ADD CONSTRAINT "wake_bell" CHECK (bell IN
    ('dispatch', 'inbox', 'accounts', 'webhooks', 'notifications', 'posts', 'chores')),
  ADD CONSTRAINT "wake_gen" CHECK (gen >= 0);
