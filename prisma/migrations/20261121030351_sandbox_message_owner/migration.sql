-- An address says nothing of who sent a mail where two owners connected the same one; the action does.
-- AlterTable
ALTER TABLE "sandbox_messages" ADD COLUMN     "user_id" UUID;

-- CreateIndex
CREATE INDEX "sandbox_messages_user_id_received_at_idx" ON "sandbox_messages"("user_id", "received_at");

-- AddForeignKey
ALTER TABLE "sandbox_messages" ADD CONSTRAINT "sandbox_messages_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;
