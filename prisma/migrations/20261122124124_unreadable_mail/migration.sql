-- A mail that takes too much time or memory is kept as it came and said to be so, instead of being read again and again.
-- AlterTable
ALTER TABLE "inbound_messages" ADD COLUMN     "unreadable" TEXT;

-- AlterTable
ALTER TABLE "inbox_messages" ADD COLUMN     "unreadable" TEXT;

ALTER TABLE "inbound_messages"
  ADD CONSTRAINT "inbound_messages_unreadable_known" CHECK ("unreadable" IN ('over_time', 'over_memory', 'died')),
  ADD CONSTRAINT "inbound_messages_unreadable_kept" CHECK ("unreadable" IS NULL OR "raw" IS NOT NULL);
ALTER TABLE "inbox_messages"
  ADD CONSTRAINT "inbox_messages_unreadable_known" CHECK ("unreadable" IN ('over_time', 'over_memory', 'died'));
