-- A mail that its server refuses to give held up all behind it for ever.
-- AlterTable
ALTER TABLE "mailbox_folders" ADD COLUMN     "refused_since" TIMESTAMPTZ(3),
ADD COLUMN     "refused_uid" BIGINT;

ALTER TABLE "inbound_messages" DROP CONSTRAINT "inbound_messages_unreadable_known",
  ADD CONSTRAINT "inbound_messages_unreadable_known" CHECK ("unreadable" IN ('over_time', 'over_memory', 'died', 'refused'));
ALTER TABLE "inbox_messages" DROP CONSTRAINT "inbox_messages_unreadable_known",
  ADD CONSTRAINT "inbox_messages_unreadable_known" CHECK ("unreadable" IN ('over_time', 'over_memory', 'died', 'refused'));
