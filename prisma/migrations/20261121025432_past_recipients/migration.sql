-- Deleting a campaign deletes its ledger, and with it what the unsubscribe links in its mail lead to.
-- They must work for as long as somebody keeps the mail.
-- CreateTable
CREATE TABLE "past_recipients" (
    "action_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "email" TEXT NOT NULL,

    CONSTRAINT "past_recipients_pkey" PRIMARY KEY ("action_id")
);

-- CreateIndex
CREATE INDEX "past_recipients_user_id_idx" ON "past_recipients"("user_id");

-- AddForeignKey
ALTER TABLE "past_recipients" ADD CONSTRAINT "past_recipients_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;
