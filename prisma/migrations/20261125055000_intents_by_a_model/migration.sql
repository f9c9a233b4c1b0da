-- Where a language model is set it is asked what a reply wants, after the rules; it says so with words of the reply.
ALTER TYPE "IntentSource" ADD VALUE 'model' BEFORE 'person';
ALTER TABLE "inbox_messages"
  ADD COLUMN "ask_model_at" TIMESTAMPTZ(3),
  ADD COLUMN "model_tries" SMALLINT NOT NULL DEFAULT 0;
CREATE INDEX "inbox_messages_ask_model_idx" ON "inbox_messages"("ask_model_at") WHERE "ask_model_at" IS NOT NULL;

ALTER TABLE "wake" DROP CONSTRAINT "wake_bell";
ALTER TABLE "wake" ADD CONSTRAINT "wake_bell" CHECK (bell IN
  ('dispatch', 'inbox', 'accounts', 'webhooks', 'notifications', 'posts', 'intents', 'chores'));
