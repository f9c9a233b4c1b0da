-- What left by SMTP is put into the Sent folder over IMAP: where each mailbox keeps it, and what waits for its next reading.
ALTER TABLE "mailboxes"
  ADD COLUMN "save_sent" BOOLEAN NOT NULL DEFAULT true,
  ADD COLUMN "sent_folder" TEXT,
  ADD COLUMN "sent_error" TEXT;

CREATE TABLE "sent_copies" (
    "sent_copy_id" UUID NOT NULL DEFAULT uuid_v7(),
    "workspace_id" UUID NOT NULL,
    "mailbox_id" UUID NOT NULL,
    "message_id" TEXT NOT NULL,
    "raw" BYTEA NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sent_copies_pkey" PRIMARY KEY ("sent_copy_id")
);
CREATE INDEX "sent_copies_workspace_id_idx" ON "sent_copies"("workspace_id");
CREATE UNIQUE INDEX "sent_copies_mailbox_id_message_id_key" ON "sent_copies"("mailbox_id", "message_id");
ALTER TABLE "sent_copies" ADD CONSTRAINT "sent_copies_mailbox_id_fkey" FOREIGN KEY ("mailbox_id") REFERENCES "mailboxes"("mailbox_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "sent_copies" ADD CONSTRAINT "sent_copies_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
