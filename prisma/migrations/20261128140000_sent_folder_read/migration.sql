-- AlterEnum
ALTER TYPE "LeadReason" ADD VALUE 'written_by_hand' AFTER 'stopped';

-- AlterTable
ALTER TABLE "mailboxes" ADD COLUMN     "sent_polled_at" TIMESTAMPTZ(3);
