-- When an automatic answer said that the person has left, and which: later campaigns do not write to the address.
ALTER TABLE "absences" ADD COLUMN "left_at" TIMESTAMPTZ(3), ADD COLUMN "left_message_id" UUID;

-- Leads that ended so before it was remembered.
INSERT INTO "absences" ("workspace_id", "email", "until", "noted_at", "left_at")
  SELECT l."workspace_id", l."email", max(l."last_event_at"), max(l."last_event_at"), max(l."last_event_at")
  FROM "campaign_leads" l
  WHERE l."status" = 'skipped' AND l."reason"::text = 'has_left' AND l."email" IS NOT NULL AND l."last_event_at" IS NOT NULL
  GROUP BY 1, 2
  ON CONFLICT ("workspace_id", "email") DO UPDATE SET "left_at" = excluded."left_at";

-- Few have left among all who were ever away: a launch asks for these alone.
CREATE INDEX "absences_left_idx" ON "absences"("workspace_id", "email") WHERE "left_at" IS NOT NULL;
