-- AlterTable
ALTER TABLE "inbox_messages" ADD COLUMN "delivery_status" TEXT,
ADD COLUMN "response" TEXT;

ALTER TABLE "inbox_messages"
  ADD CONSTRAINT "inbox_messages_delivery_status" CHECK (delivery_status IN ('sending', 'sent', 'failed', 'uncertain'));
