-- What a reply does that asks to be written to from a day on: nothing is sent before, or the lead ends as by any other reply.
CREATE TYPE "AfterLater" AS ENUM ('hold', 'end');
ALTER TABLE "workspaces" ADD COLUMN "after_later" "AfterLater" NOT NULL DEFAULT 'hold';
