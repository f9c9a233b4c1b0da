-- What a reply wants, by whom that was said, and in which words of it. A conversation has the intent of the last message
-- that had one.
CREATE TYPE "Intent" AS ENUM ('interested', 'meeting', 'later', 'referral', 'wrong_person', 'not_interested', 'stop', 'absence', 'bounce');
CREATE TYPE "IntentSource" AS ENUM ('rules', 'model', 'person');

ALTER TABLE "inbox_messages" ADD COLUMN "intent" "Intent",
ADD COLUMN "intent_by" "IntentSource",
ADD COLUMN "intent_evidence" TEXT,
ADD COLUMN "intent_until" DATE,
ADD COLUMN "referral_name" TEXT,
ADD COLUMN "referral_email" TEXT,
ADD CONSTRAINT "inbox_messages_intent_until" CHECK ("intent_until" IS NULL OR "intent" = 'later'),
ADD CONSTRAINT "inbox_messages_referral" CHECK (("referral_name" IS NULL AND "referral_email" IS NULL) OR "intent" = 'referral');

ALTER TABLE "threads" ADD COLUMN "intent" "Intent",
ADD COLUMN "intent_message_id" UUID;

ALTER TABLE "threads" ADD CONSTRAINT "threads_intent_message_id_fkey" FOREIGN KEY ("intent_message_id")
  REFERENCES "inbox_messages"("inbox_message_id") ON DELETE SET NULL ON UPDATE CASCADE;

CREATE INDEX "threads_intent_message_id_idx" ON "threads"("intent_message_id");
CREATE INDEX "threads_workspace_id_intent_last_message_at_idx" ON "threads"("workspace_id", "intent", "last_message_at");

-- It said the same as the intent `stop`.
UPDATE "threads" SET "labels" = array_remove("labels", 'may_want_out') WHERE "labels" @> ARRAY['may_want_out'];
