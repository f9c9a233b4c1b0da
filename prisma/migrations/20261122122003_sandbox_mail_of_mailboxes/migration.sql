-- An address says nothing of whose a mail is: any owner of a shared sandbox may name any.
-- DropIndex
DROP INDEX "sandbox_messages_from_address_received_at_idx";

-- AlterTable
ALTER TABLE "sandbox_messages" ADD COLUMN     "from_mailbox_id" UUID,
ADD COLUMN     "to_mailbox_id" UUID;

-- CreateIndex
CREATE INDEX "sandbox_messages_from_mailbox_id_idx" ON "sandbox_messages"("from_mailbox_id");

-- CreateIndex
CREATE INDEX "sandbox_messages_to_mailbox_id_uid_idx" ON "sandbox_messages"("to_mailbox_id", "uid");

-- AddForeignKey
ALTER TABLE "sandbox_messages" ADD CONSTRAINT "sandbox_messages_from_mailbox_id_fkey" FOREIGN KEY ("from_mailbox_id") REFERENCES "mailboxes"("mailbox_id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_messages" ADD CONSTRAINT "sandbox_messages_to_mailbox_id_fkey" FOREIGN KEY ("to_mailbox_id") REFERENCES "mailboxes"("mailbox_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is there already goes to the mailbox that it names, where no two owners have it; the rest is nobody's from here on.
UPDATE "sandbox_messages" s SET "user_id" = m.user_id, "from_mailbox_id" = m.mailbox_id
FROM "mailboxes" m
WHERE lower(m.address) = s.from_address AND (s.user_id = m.user_id OR s.user_id IS NULL AND NOT EXISTS (
  SELECT 1 FROM "mailboxes" o WHERE lower(o.address) = s.from_address AND o.mailbox_id <> m.mailbox_id));

UPDATE "sandbox_messages" s SET "to_mailbox_id" = m.mailbox_id
FROM "mailboxes" m
WHERE lower(m.address) = lower(s.rcpt_to) AND (s.user_id = m.user_id OR s.user_id IS NULL AND NOT EXISTS (
  SELECT 1 FROM "mailboxes" o WHERE lower(o.address) = lower(s.rcpt_to) AND o.mailbox_id <> m.mailbox_id));
