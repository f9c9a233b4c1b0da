-- AlterTable
ALTER TABLE "sender_profiles" DROP COLUMN "usage_count",
ALTER COLUMN "sender_data" SET DATA TYPE JSON;
