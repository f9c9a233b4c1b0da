-- Who wrote an answer by hand. Of what came from outside, or was written in a mail program or by the product, nobody.
ALTER TABLE "inbox_messages" ADD COLUMN "user_id" UUID,
  ADD CONSTRAINT "inbox_messages_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE SET NULL ON UPDATE CASCADE;
CREATE INDEX "inbox_messages_user_id_idx" ON "inbox_messages"("user_id");

-- As it is written, under its conversation's lock, and not as its transaction began: so no message is older than one known before it.
ALTER TABLE "inbox_messages" ALTER COLUMN "created_at" SET DEFAULT clock_timestamp();
