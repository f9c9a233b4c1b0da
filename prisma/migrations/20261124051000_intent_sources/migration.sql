-- Rules and people say what a reply wants; no language model is asked.
CREATE TYPE "IntentSource_new" AS ENUM ('rules', 'person');
ALTER TABLE "inbox_messages" ALTER COLUMN "intent_by" TYPE "IntentSource_new" USING ("intent_by"::text::"IntentSource_new");
DROP TYPE "IntentSource";
ALTER TYPE "IntentSource_new" RENAME TO "IntentSource";
