-- AlterTable
ALTER TABLE "campaigns" ADD COLUMN     "match_providers" BOOLEAN NOT NULL DEFAULT false;
