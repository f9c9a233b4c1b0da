-- AlterTable
ALTER TABLE "mailboxes" ADD COLUMN     "aliases" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "aliases_error" TEXT,
ADD COLUMN     "aliases_read_at" TIMESTAMPTZ(3),
ADD COLUMN     "send_as" TEXT;
