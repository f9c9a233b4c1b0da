-- Which leads a person is to an account: asked for every message of a chat.
CREATE INDEX "actions_social" ON "actions" ("connected_account_id", "social_provider_id")
  WHERE "social_provider_id" IS NOT NULL;
-- And whom a chat is with.
CREATE INDEX "social_people_chat" ON "social_people" ("account_id", "chat_id") WHERE "chat_id" IS NOT NULL;
