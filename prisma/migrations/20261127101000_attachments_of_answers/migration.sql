-- The files of an answer: of its draft, and of the message once it was sent.
ALTER TABLE "inbox_drafts" ADD COLUMN "attachment_ids" UUID[] DEFAULT ARRAY[]::UUID[];
ALTER TABLE "inbox_messages" ADD COLUMN "attachment_ids" UUID[] DEFAULT ARRAY[]::UUID[];

-- Who names a file; few do.
CREATE INDEX "inbox_drafts_attachment_ids_idx" ON "inbox_drafts" USING gin ("attachment_ids") WHERE "attachment_ids" <> '{}';
CREATE INDEX "inbox_messages_attachment_ids_idx" ON "inbox_messages" USING gin ("attachment_ids") WHERE "attachment_ids" <> '{}';
