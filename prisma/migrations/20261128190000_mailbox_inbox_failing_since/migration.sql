-- AlterTable
ALTER TABLE "mailboxes" ADD COLUMN     "inbox_failing_since" TIMESTAMPTZ(3);
