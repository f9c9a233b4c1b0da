-- Mail comes back: what came in and what it was taken for, how far each folder was read, and the conversations that the
-- inbox shows. Columns with defaults only, so that a running worker of the version before goes on.
-- CreateEnum
CREATE TYPE "InboundKind" AS ENUM ('reply', 'automatic_reply', 'hard_bounce', 'soft_bounce', 'complaint', 'unsubscribe', 'own_message', 'unrelated');

-- CreateEnum
CREATE TYPE "ThreadStatus" AS ENUM ('open', 'done');

-- AlterTable
ALTER TABLE "actions" ADD COLUMN     "server_message_id" TEXT;

-- AlterTable
ALTER TABLE "campaigns" ADD COLUMN     "complained_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "stop_on_company_reply" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "mailboxes" ADD COLUMN     "inbox_error" TEXT,
ADD COLUMN     "inbox_polled_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "sandbox_messages" ADD COLUMN     "uid" BIGSERIAL NOT NULL;

-- CreateTable
CREATE TABLE "mailbox_folders" (
    "mailbox_id" UUID NOT NULL,
    "folder" TEXT NOT NULL,
    "uid_validity" BIGINT NOT NULL,
    "last_uid" BIGINT NOT NULL DEFAULT 0,
    "polled_at" TIMESTAMPTZ(3),

    CONSTRAINT "mailbox_folders_pkey" PRIMARY KEY ("mailbox_id","folder")
);

-- CreateTable
CREATE TABLE "inbound_messages" (
    "inbound_message_id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "mailbox_id" UUID NOT NULL,
    "folder" TEXT NOT NULL,
    "uid_validity" BIGINT NOT NULL,
    "uid" BIGINT NOT NULL,
    "message_key" TEXT NOT NULL,
    "kind" "InboundKind" NOT NULL,
    "evidence" JSONB NOT NULL,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "from_address" TEXT,
    "subject" TEXT,
    "campaign_id" UUID,
    "campaign_lead_id" UUID,
    "action_id" UUID,
    "size_bytes" INTEGER NOT NULL,
    "raw" BYTEA,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbound_messages_pkey" PRIMARY KEY ("inbound_message_id")
);

-- CreateTable
CREATE TABLE "threads" (
    "thread_id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "mailbox_id" UUID,
    "campaign_id" UUID,
    "campaign_lead_id" UUID,
    "counterpart_address" TEXT NOT NULL,
    "counterpart_name" TEXT,
    "subject" TEXT NOT NULL,
    "status" "ThreadStatus" NOT NULL DEFAULT 'open',
    "unread" BOOLEAN NOT NULL DEFAULT true,
    "labels" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "snoozed_until" TIMESTAMPTZ(3),
    "last_message_at" TIMESTAMPTZ(3) NOT NULL,
    "last_direction" TEXT NOT NULL,
    "last_kind" TEXT NOT NULL,
    "preview" TEXT NOT NULL,
    "message_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "threads_pkey" PRIMARY KEY ("thread_id")
);

-- CreateTable
CREATE TABLE "inbox_messages" (
    "inbox_message_id" UUID NOT NULL DEFAULT uuid_v7(),
    "thread_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "mailbox_id" UUID,
    "direction" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "from_address" TEXT NOT NULL,
    "from_name" TEXT,
    "recipients" JSONB NOT NULL DEFAULT '[]',
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "html" TEXT,
    "message_id" TEXT,
    "in_reply_to" TEXT,
    "references" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "attachments" JSONB NOT NULL DEFAULT '[]',
    "inbound_message_id" UUID,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbox_messages_pkey" PRIMARY KEY ("inbox_message_id")
);

-- CreateIndex
CREATE INDEX "inbound_messages_campaign_lead_id_idx" ON "inbound_messages"("campaign_lead_id");

-- CreateIndex
CREATE INDEX "inbound_messages_campaign_id_kind_idx" ON "inbound_messages"("campaign_id", "kind");

-- CreateIndex
CREATE INDEX "inbound_messages_user_id_received_at_idx" ON "inbound_messages"("user_id", "received_at");

-- CreateIndex
CREATE UNIQUE INDEX "inbound_messages_mailbox_id_folder_uid_validity_uid_key" ON "inbound_messages"("mailbox_id", "folder", "uid_validity", "uid");

-- CreateIndex
CREATE UNIQUE INDEX "inbound_messages_mailbox_id_message_key_key" ON "inbound_messages"("mailbox_id", "message_key");

-- CreateIndex
CREATE UNIQUE INDEX "threads_campaign_lead_id_key" ON "threads"("campaign_lead_id");

-- CreateIndex
CREATE INDEX "threads_user_id_last_message_at_thread_id_idx" ON "threads"("user_id", "last_message_at", "thread_id");

-- CreateIndex
CREATE INDEX "threads_user_id_counterpart_address_idx" ON "threads"("user_id", "counterpart_address");

-- CreateIndex
CREATE UNIQUE INDEX "inbox_messages_inbound_message_id_key" ON "inbox_messages"("inbound_message_id");

-- CreateIndex
CREATE INDEX "inbox_messages_thread_id_at_idx" ON "inbox_messages"("thread_id", "at");

-- CreateIndex
CREATE INDEX "inbox_messages_user_id_message_id_idx" ON "inbox_messages"("user_id", "message_id");

-- CreateIndex
CREATE UNIQUE INDEX "inbox_messages_thread_id_message_id_key" ON "inbox_messages"("thread_id", "message_id");

-- CreateIndex
CREATE INDEX "actions_user_id_server_message_id_idx" ON "actions"("user_id", "server_message_id");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_messages_uid_key" ON "sandbox_messages"("uid");

-- AddForeignKey
ALTER TABLE "mailbox_folders" ADD CONSTRAINT "mailbox_folders_mailbox_id_fkey" FOREIGN KEY ("mailbox_id") REFERENCES "mailboxes"("mailbox_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "inbound_messages" ADD CONSTRAINT "inbound_messages_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "threads" ADD CONSTRAINT "threads_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "inbox_messages" ADD CONSTRAINT "inbox_messages_thread_id_fkey" FOREIGN KEY ("thread_id") REFERENCES "threads"("thread_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "inbox_messages" ADD CONSTRAINT "inbox_messages_inbound_message_id_fkey" FOREIGN KEY ("inbound_message_id") REFERENCES "inbound_messages"("inbound_message_id") ON DELETE SET NULL ON UPDATE CASCADE;

-- By hand: what the schema file cannot say.
-- The sandbox inbox asks by address, in whatever case it was written.
CREATE INDEX "sandbox_messages_inbox" ON "sandbox_messages" (lower("rcpt_to"), "uid");
-- Refusals at once are few, and the bounce rate counts them at each bounce.
CREATE INDEX "actions_refused" ON "actions" ("campaign_id") WHERE status = 'failed';
ALTER TABLE "inbox_messages" ADD CONSTRAINT "inbox_messages_direction" CHECK ("direction" IN ('in', 'out'));
ALTER TABLE "threads" ADD CONSTRAINT "threads_last_direction" CHECK ("last_direction" IN ('in', 'out'));
