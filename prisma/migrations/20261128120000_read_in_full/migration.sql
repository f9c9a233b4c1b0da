-- AlterTable
ALTER TABLE "mailbox_folders" ADD COLUMN     "highest_modseq" BIGINT;

-- AlterTable
ALTER TABLE "mailboxes" ADD COLUMN     "inbox_behind" BOOLEAN NOT NULL DEFAULT false;
