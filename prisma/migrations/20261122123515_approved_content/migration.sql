-- AlterTable
ALTER TABLE "agent_approvals" ADD COLUMN     "content_hash" TEXT;
